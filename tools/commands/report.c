/* stigmergy report: one HTML page that shows any result documents, for people. The page is tools/report/page.c's. */
#include "selfplay/io/file.h"
#include "selfplay/io/text.h"
#include "selfplay/record/record_file.h"
#include "tools/cli/options.h"
#include "tools/cli/output.h"
#include "tools/cli/tool.h"
#include "tools/report/page.h"

#include <stdlib.h>

enum { KEY_OUT = OPTIONS_OWN_KEYS, KEY_DATA, DOCUMENTS_MAX = 1000 };

typedef struct ReportOptions {
    const char *out, *paths[DOCUMENTS_MAX];
    int count;
    bool data;
} ReportOptions;

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    ReportOptions *options = state->input;
    Error error;
    bool good = true;
    switch (key) {
    case ARGP_KEY_INIT: state->err_stream = NULL; break; /* the one line that is due is printed already */
    case KEY_OUT:
        options->out = arg;
        good = !text_ends_with(arg, ".json") ||
               error_set(&error, "--out: %.100s, expected the name of a page, such as report.html", arg);
        break;
    case KEY_DATA: options->data = true; break;
    case ARGP_KEY_ARG:
        if (options->count == DOCUMENTS_MAX)
            good = error_set(&error, "'%.40s': more than %d documents", arg, DOCUMENTS_MAX);
        else
            options->paths[options->count++] = arg;
        break;
    case ARGP_KEY_END:
        if (options->count == 0)
            good = error_set(&error,
                             "no documents, expected RESULT.json files of komi, book, openings, match or solve, or "
                             "loop.json of a training loop");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return options_check(state, good, &error);
}

const struct argp report_argp = {
    .options =
        (const struct argp_option[]){
            {"out", KEY_OUT, "FILE.html", 0, "Write the page there (default, and -: standard output)", 1},
            {"data", KEY_DATA, NULL, 0, "Put the documents into the page, to download", 1},
            {0}},
    .parser = parse_option,
    .args_doc = "RESULT.json...",
    .doc =
        "Writes one HTML page that shows result documents of komi, book, openings, match and solve, and of training "
        "loops (loop.json)."
        "\vThe page needs no other file and no scripts. If the records of a run lie beside its result "
        "(FILE.records.jsonl for FILE.json, packed or not), it also shows how long the games were and how they ended."};

static bool check_out(const ReportOptions *options, Error *error) {
    bool good = true;
    for (int i = 0; i < options->count && good; i++)
        good = output_spares_result("--out", options->out, options->paths[i], error);
    return good && output_check(options->out, NULL, error);
}

static bool read_documents(const ReportOptions *options, ReportDocument *documents, Error *error) {
    bool good = true;
    for (int i = 0; i < options->count && good; i++) {
        size_t length;
        char *text =
            record_file_no_result(options->paths[i], error) ? file_read(options->paths[i], &length, error) : NULL;
        good = text && report_document_read(&documents[i], options->paths[i], i, text, length, error);
        free(text);
    }
    return good;
}

static bool write_report(const ReportOptions *options, ReportDocument *documents, Error *error) {
    char *text = NULL;
    size_t length = 0;
    FILE *page = open_memstream(&text, &length);
    if (page)
        report_page_write(page, documents, options->count, options->data);
    const bool whole = page && !ferror(page);
    bool good = (page && fclose(page) == 0 && whole) || error_set(error, "out of memory for the page");
    good = good && tool_write(options->out, text, length, error);
    free(text);
    return good;
}

int tool_report(int argc, char **argv) {
    static ReportOptions options;
    if (!options_parse(&report_argp, argc, argv, &options))
        return TOOL_USAGE;
    Error error;
    ReportDocument *documents = calloc((size_t)options.count, sizeof *documents);
    int status = TOOL_DONE;
    const bool good = (documents || error_set(&error, "out of memory")) && check_out(&options, &error) &&
                      read_documents(&options, documents, &error);
    if (!good)
        status = tool_fail(argv[0], TOOL_USAGE, &error);
    else if (!write_report(&options, documents, &error))
        status = tool_fail(argv[0], TOOL_FAILED, &error);
    for (int i = 0; documents && i < options.count; i++)
        report_document_free(&documents[i]);
    free(documents);
    return status;
}
