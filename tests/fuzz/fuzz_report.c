/* Fuzz target: any bytes as a result document of a report, and as a book for the board. See fuzz_gtp.c. */
#include "tools/report/page.h"
#include "tools/serve/book.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static FILE *out;
    ReportDocument document;
    Error error;
    if (!out && !(out = fopen("/dev/null", "w")))
        abort();
    if (report_document_read(&document, "/nowhere/fuzz.json", 0, (const char *)data, size, &error))
        report_page_write(out, &document, 1, true);
    report_document_free(&document);
    web_book_free(web_book_parse((const char *)data, size, "/nowhere/fuzz.json", &error));
    return 0;
}
