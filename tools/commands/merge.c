/* stigmergy merge: puts the shards of a run together.
 *
 * The work is done by selfplay/runs/merge.h; this file reports the outcome, and whether another round is due. Folders
 * are shards of a data set, which is built of their records as by `stigmergy selfplay --from`. */
#include "selfplay/runs/merge.h"

#include "selfplay/io/file.h"
#include "selfplay/record/record_file.h"
#include "tools/cli/dataset_session.h"
#include "tools/cli/run_tool.h"
#include "tools/cli/tool.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_EXIT_CODE = OPTIONS_OWN_KEYS, MERGE_MORE_ROUNDS = 3 /* the exit status that is asked for */ };

typedef struct MergeOptions {
    char **files; /* the result, and the documents of the shards */
    int count;
    bool exit_code;
} MergeOptions;

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    MergeOptions *options = state->input;
    Error error;
    bool good = true;
    switch (key) {
    case ARGP_KEY_INIT: state->err_stream = NULL; break;
    case KEY_EXIT_CODE: options->exit_code = true; break;
    case ARGP_KEY_ARG: options->files[options->count++] = arg; break;
    case ARGP_KEY_END:
        if (options->count < 2)
            good = error_set(&error, "%s, expected FILE.json and the documents of all shards",
                             options->count ? "no shard is named" : "no file is named");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return options_check(state, good, &error);
}

const struct argp merge_argp = {
    .options =
        (const struct argp_option[]){{"exit-code", KEY_EXIT_CODE, NULL, 0,
                                      "Exit with status 3 if another round is due, for scripts that chain rounds", 0},
                                     {0}},
    .parser = parse_option,
    .args_doc = "FILE.json SHARD.json...\nDIR SHARD-DIR...",
    .doc =
        "Puts all shards of a run of book, komi, match or openings together. FILE.json is what one process would have "
        "written, and the games go to FILE.records.jsonl beside it. With folders, it puts the shards of a data set of "
        "selfplay together: DIR is the set."
        "\vThe shards are the files that `stigmergy komi --shard I/N --out FILE.json' has written as "
        "FILE.shard-I-of-N.json. If another round is due, run the same shards again: they play it. If a shard is "
        "damaged, missing or unfinished, nothing changes; run it again, too, after deleting what the message names."};

static void print_report(const MergeReport *report, const char *result, const char *records) {
    if (report->joined > 0)
        printf("Merged %d shards of %s with %d games; the run now has %d.\n", report->shards, report->kind,
               report->joined, report->games);
    else
        printf("These %d shards of %s %s; the run has %d games.\n", report->shards, report->kind,
               report->idle ? "had nothing to play" : "were merged before", report->games);
    if (report->left > 0)
        printf("Another round of %d games is due: run the same shards again, then merge them again.\n", report->left);
    else
        printf("The run is finished.\n");
    if (report->left == 0 && (!strcmp(report->kind, "komi") || !strcmp(report->kind, "book"))) {
        printf("To see the fair komi: stigmergy estimate ");
        run_tool_print_word(stdout, result);
        printf("\n");
    }
    printf("The result is in %s, the games are in %s.\n", result, records);
}

/* Merges a run with a result document. */
static int merge_run(const MergeOptions *options, const char *name) {
    MergeReport report = {.good = false};
    Error error;
    char records[FILE_PATH_MAX];
    if (!run_options_check_out(options->files[0], &error) || !record_file_path(options->files[0], records, &error) ||
        !merge_shards(options->files[0], (const char *const *)options->files + 1, options->count - 1, &report, &error))
        return tool_fail(name, report.good ? TOOL_FAILED : TOOL_USAGE, &error);
    if (report.damage.text[0])
        fprintf(stderr, "%s: %s\n", name, report.damage.text);
    print_report(&report, options->files[0], records);
    return options->exit_code && report.left > 0 ? MERGE_MORE_ROUNDS : TOOL_DONE;
}

/* The words of the command that the card of a data set names: stigmergy selfplay --from SHARD-DIR... --out DIR. NULL
 * without memory. The caller frees the list. */
static char **list_set_command(const MergeOptions *options, int *count) {
    char **words = calloc((size_t)(2 * options->count + 1), sizeof *words);
    *count = 0;
    if (!words)
        return NULL;
    words[(*count)++] = "stigmergy selfplay";
    for (int i = 1; i < options->count; i++) {
        words[(*count)++] = "--from";
        words[(*count)++] = options->files[i];
    }
    words[(*count)++] = "--out";
    words[(*count)++] = options->files[0];
    return words;
}

/* Merges a data set. */
static int merge_set(const MergeOptions *options, int argc, char **argv) {
    SelfplayDocument document = {.context = document_context()};
    const SelfplaySources sources = {(const char *const *)options->files + 1, options->count - 1};
    DatasetCommand command = {
        .argc = argc, .argv = argv, .out = options->files[0], .document = &document, .sources = sources};
    const SelfplaySaid nothing = {0};
    Error error;
    if (!selfplay_sources_check_shards(&sources, &error) || !run_options_check_out(command.out, &error) ||
        !selfplay_sources_settle(&sources, &nothing, &document.config, &error))
        return tool_fail(argv[0], TOOL_USAGE, &error);
    command.made_by = list_set_command(options, &command.made_by_count);
    if (!command.made_by) {
        error_set(&error, "out of memory for the command");
        return tool_fail(argv[0], TOOL_FAILED, &error);
    }
    const int status = dataset_session(&command);
    free(command.made_by);
    return status;
}

int tool_merge(int argc, char **argv) {
    MergeOptions options = {.files = calloc((size_t)argc, sizeof *options.files)};
    if (!options.files) {
        Error error;
        error_set(&error, "out of memory");
        return tool_fail(argv[0], TOOL_FAILED, &error);
    }
    int status = TOOL_USAGE; /* what is wrong has been said */
    if (options_parse(&merge_argp, argc, argv, &options)) {
        bool is_set;
        Error error;
        if (!file_is_folder(options.files[1], &is_set, &error))
            status = tool_fail(argv[0], TOOL_FAILED, &error);
        else
            status = is_set ? merge_set(&options, argc, argv) : merge_run(&options, argv[0]);
    }
    free(options.files);
    return status;
}
