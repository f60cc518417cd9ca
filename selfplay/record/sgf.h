/* Smart Game Format, FF[4] (Hollosi 1997): the syntax of game trees. game_tree.h knows what the properties mean.
 *
 * A tree is a list of nodes in the order of the text, parents before their children. A node has properties, and a
 * property has values. The reader is as tolerant as the standard asks. It skips everything before the first `(;`,
 * ignores lower-case letters in the names of properties, and reads only the first game of a collection. Reader and
 * writer do not recurse, so no text can exhaust the stack. */
#ifndef STIGMERGY_SELFPLAY_RECORD_SGF_H
#define STIGMERGY_SELFPLAY_RECORD_SGF_H

#include "engine/base/error.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SGF_NAME_MAX = 16 };

typedef struct SgfProperty {
    char name[SGF_NAME_MAX];
    int first_value, values; /* values[first_value] and so on */
} SgfProperty;

typedef struct SgfNode {
    int parent; /* -1: the root */
    int first_child, last_child, next_sibling;
    int first_property, properties;
} SgfNode;

/* Zero-initialize it; sgf_free frees it. Node 0 is the root. */
typedef struct SgfTree {
    SgfNode *nodes;
    SgfProperty *properties;
    size_t *values; /* where each value begins in `text` */
    char *text;
    int node_count, property_count, value_count;
    int node_capacity, property_capacity, value_capacity;
    size_t text_length, text_capacity;
} SgfTree;

/* Reads the first game of a text. `source` names the text in errors. False with an error that names the line. */
bool sgf_parse(SgfTree *tree, const char *text, size_t length, const char *source, Error *error);
void sgf_free(SgfTree *tree);

/* Where the next game of a text begins, after the first one; `length` if there is none. */
size_t sgf_next_game(const char *text, size_t length);

/* Appends a node below `parent` (-1 for the root). Returns its number, or -1 without memory. */
int sgf_add_node(SgfTree *tree, int parent);

/* sgf_add_property appends a property to the newest node, sgf_add_value a value to the newest property. False without
 * memory. */
bool sgf_add_property(SgfTree *tree, const char *name);
bool sgf_add_value(SgfTree *tree, const char *value, size_t length);

/* sgf_property finds a property of a node, or NULL if it has none. sgf_value gives one of its values, or NULL if it has
 * fewer. */
const SgfProperty *sgf_property(const SgfTree *tree, int node, const char *name);
const char *sgf_value(const SgfTree *tree, const SgfProperty *property, int index);

/* The first value of a property of a node, or NULL if there is none. */
const char *sgf_get(const SgfTree *tree, int node, const char *name);

/* The tree as text. NULL without memory. The caller frees the result. */
char *sgf_write(const SgfTree *tree);

#ifdef __cplusplus
}
#endif

#endif
