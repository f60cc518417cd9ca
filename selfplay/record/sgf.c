/* See sgf.h. */
#include "selfplay/record/sgf.h"

#include "engine/base/list.h"
#include "engine/base/utf8.h"
#include "selfplay/io/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 100 }; /* characters after which a line ends, at the next node */

/* ---- Building a tree ---- */

int sgf_add_node(SgfTree *tree, int parent) {
    if (!list_grow(&tree->nodes, &tree->node_capacity, tree->node_count + 1, sizeof *tree->nodes))
        return -1;
    SgfNode *nodes = tree->nodes;
    const int number = tree->node_count++;
    nodes[number] = (SgfNode){.parent = parent,
                              .first_child = -1,
                              .last_child = -1,
                              .next_sibling = -1,
                              .first_property = tree->property_count};
    if (parent >= 0 && nodes[parent].last_child >= 0)
        nodes[nodes[parent].last_child].next_sibling = number;
    else if (parent >= 0)
        nodes[parent].first_child = number;
    if (parent >= 0)
        nodes[parent].last_child = number;
    return number;
}

bool sgf_add_property(SgfTree *tree, const char *name) {
    if (!list_grow(&tree->properties, &tree->property_capacity, tree->property_count + 1, sizeof *tree->properties))
        return false;
    SgfProperty *property = &tree->properties[tree->property_count++];
    *property = (SgfProperty){.first_value = tree->value_count};
    snprintf(property->name, sizeof property->name, "%s", name);
    tree->nodes[tree->node_count - 1].properties++;
    return true;
}

bool sgf_add_value(SgfTree *tree, const char *value, size_t length) {
    if (!list_grow(&tree->values, &tree->value_capacity, tree->value_count + 1, sizeof *tree->values) ||
        !list_grow_bytes(&tree->text, &tree->text_capacity, tree->text_length + length + 1))
        return false;
    tree->values[tree->value_count++] = tree->text_length;
    memcpy(tree->text + tree->text_length, value, length);
    tree->text_length += length;
    tree->text[tree->text_length++] = '\0';
    tree->properties[tree->property_count - 1].values++;
    return true;
}

void sgf_free(SgfTree *tree) {
    free(tree->nodes);
    free(tree->properties);
    free(tree->values);
    free(tree->text);
    *tree = (SgfTree){0};
}

/* ---- Queries ---- */

const SgfProperty *sgf_property(const SgfTree *tree, int node, const char *name) {
    const SgfNode *at = &tree->nodes[node];
    for (int i = 0; i < at->properties; i++) {
        const SgfProperty *property = &tree->properties[at->first_property + i];
        if (!strcmp(property->name, name))
            return property;
    }
    return NULL;
}

const char *sgf_value(const SgfTree *tree, const SgfProperty *property, int index) {
    return property && index < property->values ? tree->text + tree->values[property->first_value + index] : NULL;
}

const char *sgf_get(const SgfTree *tree, int node, const char *name) {
    return sgf_value(tree, sgf_property(tree, node, name), 0);
}

/* ---- Reading ---- */

typedef struct Reader {
    SgfTree *tree;
    const char *text, *end, *at;
    const char *source;
    Error *error;
    int node; /* new nodes go below this one; -1 at first */
    int *open;
    int depth, capacity; /* open[0..depth-1]: for each open parenthesis, the node below which it began */
} Reader;

/* Puts the line before an error in it. */
static bool fail_here(const Reader *reader) {
    int line = 1;
    for (const char *c = reader->text; c < reader->at; c++)
        line += *c == '\n';
    return error_prefix(reader->error, "%s: line %d: ", reader->source, line);
}

static bool fail(const Reader *reader, const char *what) {
    return error_set(reader->error, "%s", what) || fail_here(reader);
}

static bool lack_memory(const Reader *reader) {
    return error_set(reader->error, "out of memory") || fail_here(reader);
}

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c) {
    return is_upper(c) || (c >= 'a' && c <= 'z');
}

static void skip_blanks(Reader *reader) {
    while (reader->at < reader->end && strchr(" \t\r\n\v\f", *reader->at) && *reader->at)
        reader->at++;
}

static bool refuse_nul(const Reader *reader) {
    const SgfTree *tree = reader->tree;
    char what[80];
    snprintf(what, sizeof what, "node %d: a value of %s has a NUL byte, expected text", tree->node_count,
             tree->properties[tree->property_count - 1].name);
    return fail(reader, what);
}

/* Adds a value. Bytes that are not UTF-8 are taken as ISO 8859-1, which is what SGF without CA is written in. */
static bool add_text(SgfTree *tree, const char *text, size_t length) {
    if (!text_find_foreign(text, length))
        return sgf_add_value(tree, text, length);
    char *utf8 = malloc(2 * length);
    size_t written = 0;
    for (size_t at = 0, taken; utf8 && at < length; at += taken) {
        const size_t bytes = text_character(text + at, length - at);
        const unsigned char c = (unsigned char)text[at];
        const char latin[2] = {(char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f))};
        memcpy(utf8 + written, bytes ? text + at : latin, bytes ? bytes : 2);
        written += bytes ? bytes : 2;
        taken = bytes ? bytes : 1;
    }
    const bool good = utf8 && sgf_add_value(tree, utf8, written);
    free(utf8);
    return good;
}

/* Whether a carriage return in a text is one half of a line break, whose other half is a line feed. */
static bool beside_line_feed(const char *begin, const char *c, const char *end) {
    return (c + 1 < end && c[1] == '\n') || (c > begin && c[-1] == '\n');
}

/* Reads the text between brackets. After a backslash the next character is taken as it is; a backslash before a line
 * break removes both. Line breaks become a line feed, other white space a blank. */
static bool read_value(Reader *reader) {
    const char *begin = ++reader->at, *end = reader->end;
    while (reader->at < end && *reader->at != ']')
        reader->at += *reader->at == '\\' && reader->at + 1 < end ? 2 : 1;
    if (reader->at >= end)
        return fail(reader, "a value is not closed, expected ']'");
    if (memchr(begin, '\0', (size_t)(reader->at - begin)))
        return refuse_nul(reader);
    char *value = malloc((size_t)(reader->at - begin) + 1);
    size_t length = 0;
    for (const char *c = begin; value && c < reader->at; c++) {
        if (*c == '\\') {
            c++;
            if (*c == '\r' && c + 1 < reader->at && c[1] == '\n')
                c++;
            if (*c == '\n' || *c == '\r')
                continue;
            value[length++] = *c;
        } else if (*c != '\r') {
            value[length++] = *c == '\t' || *c == '\v' || *c == '\f' ? ' ' : *c;
        } else if (!beside_line_feed(begin, c, reader->at)) {
            value[length++] = '\n';
        }
    }
    const bool good = value && add_text(reader->tree, value, length);
    free(value);
    reader->at++;
    return good || lack_memory(reader);
}

static bool read_property(Reader *reader) {
    char name[SGF_NAME_MAX] = "";
    size_t length = 0;
    for (; reader->at < reader->end && is_letter(*reader->at); reader->at++)
        if (is_upper(*reader->at) && length + 1 < sizeof name)
            name[length++] = *reader->at;
    if (length == 0)
        return fail(reader, "expected a property's name in capital letters, ';', '(' or ')'");
    if (!sgf_add_property(reader->tree, name))
        return lack_memory(reader);
    skip_blanks(reader);
    if (reader->at >= reader->end || *reader->at != '[')
        return fail(reader, "a property has no value, expected '['");
    for (; reader->at < reader->end && *reader->at == '['; skip_blanks(reader))
        if (!read_value(reader))
            return false;
    return true;
}

static bool open_variation(Reader *reader) {
    if (reader->node < 0 && reader->depth > 0)
        return fail(reader, "expected ';' after the first '('");
    if (!list_grow(&reader->open, &reader->capacity, reader->depth + 1, sizeof *reader->open))
        return lack_memory(reader);
    reader->open[reader->depth++] = reader->node;
    reader->at++;
    skip_blanks(reader);
    return (reader->at < reader->end && *reader->at == ';') || fail(reader, "expected ';' after '('");
}

static bool read_token(Reader *reader) {
    switch (*reader->at) {
    case '(': return open_variation(reader);
    case ')':
        reader->at++;
        reader->node = reader->open[--reader->depth];
        return true;
    case ';':
        reader->at++;
        reader->node = sgf_add_node(reader->tree, reader->node);
        return reader->node >= 0 || lack_memory(reader);
    default:
        /* Properties belong to the newest node: none may follow a closed variation. */
        if (reader->node != reader->tree->node_count - 1)
            return fail(reader, "expected ';', '(' or ')' after a variation");
        return read_property(reader);
    }
}

/* Finds the first '(' that is followed by a ';'. */
static bool find_start(Reader *reader) {
    for (; reader->at < reader->end; reader->at++) {
        if (*reader->at != '(')
            continue;
        const char *begin = reader->at++;
        skip_blanks(reader);
        const bool found = reader->at < reader->end && *reader->at == ';';
        reader->at = begin;
        if (found)
            return true;
    }
    reader->at = reader->text;
    return fail(reader, "no game found, expected '(;'");
}

bool sgf_parse(SgfTree *tree, const char *text, size_t length, const char *source, Error *error) {
    sgf_free(tree);
    Reader reader = {
        .tree = tree, .text = text, .end = text + length, .at = text, .source = source, .error = error, .node = -1};
    bool good = find_start(&reader) && open_variation(&reader);
    while (good && reader.depth > 0) {
        skip_blanks(&reader);
        good = reader.at < reader.end ? read_token(&reader) : fail(&reader, "the game is not closed, expected ')'");
    }
    free(reader.open);
    if (!good)
        sgf_free(tree);
    return good;
}

/* Goes to the parenthesis that closes the game, or to the end of the text. */
static void skip_game(Reader *reader) {
    bool in_value = false;
    for (int depth = 0; reader->at < reader->end; reader->at++) {
        const char c = *reader->at;
        if (in_value && c == '\\' && reader->at + 1 < reader->end)
            reader->at++;
        else if (in_value || c == '[')
            in_value = c != ']';
        else if (c == '(')
            depth++;
        else if (c == ')' && --depth == 0)
            return;
    }
}

size_t sgf_next_game(const char *text, size_t length) {
    Error ignored;
    Reader reader = {.text = text, .end = text + length, .at = text, .source = "", .error = &ignored};
    if (!find_start(&reader))
        return length;
    skip_game(&reader);
    return find_start(&reader) ? (size_t)(reader.at - text) : length;
}

/* ---- Writing ---- */

static void write_node(const SgfTree *tree, int number, FILE *out) {
    const SgfNode *node = &tree->nodes[number];
    fputc(';', out);
    for (int i = 0; i < node->properties; i++) {
        const SgfProperty *property = &tree->properties[node->first_property + i];
        fputs(property->name, out);
        for (int j = 0; j < property->values; j++) {
            fputc('[', out);
            for (const char *c = sgf_value(tree, property, j); *c; c++) {
                if (*c == ']' || *c == '\\')
                    fputc('\\', out);
                fputc(*c, out);
            }
            fputc(']', out);
        }
        if (property->values == 0)
            fputs("[]", out);
    }
}

/* Whether a node begins one of several variations. These are written in parentheses. */
static bool is_variation(const SgfTree *tree, int number) {
    const int parent = tree->nodes[number].parent;
    return parent >= 0 && tree->nodes[parent].first_child != tree->nodes[parent].last_child;
}

/* The next node in the order of the text, or -1 at its end. Closes the variations that end here. */
static int next_node(const SgfTree *tree, int number, FILE *out) {
    if (tree->nodes[number].first_child >= 0)
        return tree->nodes[number].first_child;
    for (; number > 0; number = tree->nodes[number].parent) {
        if (is_variation(tree, number))
            fputc(')', out);
        if (tree->nodes[number].next_sibling >= 0)
            return tree->nodes[number].next_sibling;
    }
    return -1;
}

char *sgf_write(const SgfTree *tree) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    fputc('(', out);
    long line = 0;
    for (int node = tree->node_count > 0 ? 0 : -1; node >= 0; node = next_node(tree, node, out)) {
        if (is_variation(tree, node) || node == 1 || ftell(out) - line > LINE_WIDTH) {
            fputc('\n', out);
            line = ftell(out);
        }
        if (is_variation(tree, node))
            fputc('(', out);
        write_node(tree, node, out);
    }
    fputs(")\n", out);
    const bool good = !ferror(out);
    if (fclose(out) != 0 || !good) {
        free(text);
        return NULL;
    }
    return text;
}
