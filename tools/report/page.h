/* The page of a report: result documents are read, put into order, and shown one after the other.
 *
 * The page is complete in itself: its style is inside, its pictures are SVG, and it needs no script and no network. The
 * same documents give the same page, byte for byte. */
#ifndef STIGMERGY_TOOLS_REPORT_PAGE_H
#define STIGMERGY_TOOLS_REPORT_PAGE_H

#include "tools/report/source.h"

#include <stdio.h>

typedef struct ReportDocument {
    ReportSource source;
    cJSON *json;
    Game *game;
    int kind;     /* the index of its ReportKind */
    void *object; /* what that kind has read */
} ReportDocument;

/* Reads a document from its text. `path` is where it comes from: errors name it, and records are looked for beside it.
 * It must outlive the document. False with an error that names what is wrong. To be freed in any case. */
bool report_document_read(ReportDocument *document, const char *path, int order, const char *text, size_t length,
                          Error *error);
void report_document_free(ReportDocument *document);

/* Puts the documents into order, by kind, game and size, and writes the page; with `data` they are in it, to download.
 */
void report_page_write(FILE *out, ReportDocument *documents, int count, bool data);

#endif
