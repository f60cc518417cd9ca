/* A kind of result document, as a report shows it: a line in a table of all documents of the kind, and a section with
 * its pictures. */
#ifndef STIGMERGY_TOOLS_REPORT_KIND_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_KIND_INTERNAL_H

#include "tools/report/source_internal.h"

#include <stdio.h>

typedef struct ReportKind {
    const char *schema;  /* of the documents: "stigmergy-komi", version 1 */
    const char *title;   /* of the table: "Matches" */
    const char *heading; /* of a section: "Match" */
    const char *columns; /* of the table, separated by |; the first is written by tools/commands/report.c: the board, as
                            a link */

    /* Reads a document into an object of its own; NULL with source->failed. The object may point into the document. */
    void *(*read)(ReportSource *source);

    /* Writes the cells of a line but for the first; a document may have several lines, each behind the first begins
     * with a cell for the first column. */
    void (*write_line)(FILE *out, const void *object);

    /* Writes what stands below the section's heading. */
    void (*write_section)(FILE *out, const void *object);
    void (*destroy)(void *object);
} ReportKind;

extern const ReportKind report_komi, report_match, report_openings, report_solve;

#endif
