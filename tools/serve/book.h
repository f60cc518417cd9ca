/* An opening book on the board: the result document of `stigmergy book` is read once, and then says what it knows of a
 * position.
 *
 * A position is found by its hash, whatever moves led to it: the table has those of all its images under the symmetries
 * of the board. Even and odd komi (with the button) have a book each. */
#ifndef STIGMERGY_TOOLS_SERVE_BOOK_H
#define STIGMERGY_TOOLS_SERVE_BOOK_H

#include "selfplay/analysis/game_line.h"

typedef struct WebBook WebBook;

/* Reads and checks a document. NULL with an error. To be freed by web_book_free. */
WebBook *web_book_read(const char *path, Error *error);

/* The same from the text of the document, which came from `path`. */
WebBook *web_book_parse(const char *text, size_t length, const char *path, Error *error);

/* NULL is allowed. */
void web_book_free(WebBook *book);

/* What the book is about: {"game", "size", "parities": ["even", "odd"]}. NULL without memory. */
cJSON *web_book_subject(const WebBook *book);

/* What the book knows of the position at the end of a line: {"position": null}, or {"position": {"games", "fairKomi",
 * "ci95", "bracket", "exact", "moves"}}. `games` are those from there. `bracket` says that ci95 is two komi values,
 * between which nothing is known, and `exact` that the value is proved. `moves` are those of the book, the best first:
 * {"action", "alike": [...], "games", "fairKomi", "ci95", "bracket", "exact", "probability"}. Actions that are `alike`
 * lead to an image of the same position. The values hold after the move; the probability is that it is the best. NULL
 * without memory. */
cJSON *web_book_at(const WebBook *book, const GameLine *line);

#endif
