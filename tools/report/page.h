/* The page of a report: result documents, read and put into order, and what is around their sections.
 *
 * It is whole in itself: its style is in it, its pictures are SVG, it needs no script and no network. The same
 * documents give the same page, byte for byte. */
#ifndef STIGMERGY_TOOLS_REPORT_PAGE_H
#define STIGMERGY_TOOLS_REPORT_PAGE_H

#include "tools/report/source_internal.h"

#include <stdio.h>

typedef struct ReportDocument {
    ReportSource source;
    cJSON *json;
    int kind;     /* which ReportKind */
    void *object; /* of that kind */
    const char *game;
    int size, order; /* order: on the command line */
} ReportDocument;

/* Reads a document from its text; `path` is where it lies, for errors and to find the records beside it, and must
 * outlive it. False with an error that names what is wrong. To be freed in any case. */
bool report_document_read(ReportDocument *document, const char *path, int order, const char *text, size_t length,
                          Error *error);
void report_document_free(ReportDocument *document);

/* Puts the documents into order, by kind, game and size, and writes the page. */
void report_page_write(FILE *out, ReportDocument *documents, int count);

#endif
