/* A kind of result document, as a report shows it: lines in the table of all documents of the kind, and a section with
 * pictures. To add a kind, write a file with one of these and add it to the list in page.c. */
#ifndef STIGMERGY_TOOLS_REPORT_KIND_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_KIND_INTERNAL_H

#include "tools/report/source.h"

#include <stdio.h>

typedef struct ReportKind {
    const char *schema;  /* of the documents: "stigmergy-komi", version 1 */
    const char *title;   /* of the table: "Matches" */
    const char *heading; /* of a section: "Match" */
    const char *columns; /* of the table, separated by |. The first, a link with the board, is written by page.c */
    bool estimated;      /* its figures are estimates from games, perhaps by a later version than played these */
    bool all_sizes;      /* of several boards: the documents have no `size`, and one game stands for all sizes */
    GamePie pie;         /* the pie rule of the games, where the settings do not say it */
    size_t object_size;

    /* Reads a document into its object, object_size zero bytes. What is wrong is kept by the source. The object may
     * point into the document and to the game, which outlive it. */
    void (*read)(ReportSource *source, const Game *game, void *object);

    /* Writes the cells of a line, except the first. A document may have several lines: each further one begins with
     * </tr><tr> and a cell for the first column. */
    void (*write_line)(FILE *out, const void *object);

    /* Writes what stands below the heading of the section. */
    void (*write_section)(FILE *out, const void *object);

    /* Writes what all documents of the kind show together, above their table; NULL: nothing. */
    void (*write_overview)(FILE *out, const void *const *objects, int count);

    /* Called with every other document of the page, after all have been read; NULL if the kind needs no other. */
    void (*see)(void *object, const cJSON *other);

    /* Frees what the object owns; NULL if it owns nothing. */
    void (*clear)(void *object);
} ReportKind;

extern const ReportKind report_book, report_komi, report_loop, report_match, report_openings, report_solve;

#endif
