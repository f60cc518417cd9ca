/* stigmergy estimate: the fair komi again, from the games of a run of this or an earlier version of the program. */
#include "selfplay/runs/komi/second.h"
#include "selfplay/runs/reread.h"
#include "tools/cli/book_answer.h"
#include "tools/cli/komi_answer.h"
#include "tools/cli/options.h"
#include "tools/cli/output.h"
#include "tools/cli/tool.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_OUT = OPTIONS_OWN_KEYS, KEY_GUESSES, KEY_SECOND, KEY_SGF };

typedef struct EstimateOptions {
    const char *result, *out;
    const char *sgf;     /* NULL: none is written */
    const char *guesser; /* a player; NULL: the guesses of the document */
    const char *second;  /* a result of another family of players; NULL: that of the document */
} EstimateOptions;

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    EstimateOptions *options = state->input;
    Error error;
    bool good = true;
    switch (key) {
    case ARGP_KEY_INIT: state->err_stream = NULL; break;
    case KEY_OUT: options->out = arg; break;
    case KEY_GUESSES: options->guesser = arg; break;
    case KEY_SECOND: options->second = arg; break;
    case KEY_SGF: options->sgf = arg; break;
    case ARGP_KEY_ARG:
        if (options->result)
            good = error_set(&error, "'%.40s': expected one RESULT.json", arg);
        options->result = arg;
        break;
    case ARGP_KEY_END:
        if (!options->result)
            good = error_set(&error, "no result is named, expected the RESULT.json of a run of komi or book");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return options_check(state, good, &error);
}

const struct argp estimate_argp = {
    .options =
        (const struct argp_option[]){
            {"out", KEY_OUT, "FILE.json", 0,
             "Write the document there too (default: nowhere; -: to standard output, without the answer)", 1},
            {"guesses-by", KEY_GUESSES, "PLAYER", 0,
             "Let this player guess what each first move is worth (default: as the document says)", 1},
            {"second", KEY_SECOND, "OTHER.json", 0,
             "Compare with this result of `komi' on the same board by players with another network, or with none "
             "(default: as the document says)",
             1},
            {"sgf", KEY_SGF, "FILE", 0, "Write a book as SGF, too (default: do not)", 1},
            {0}},
    .parser = parse_option,
    .args_doc = "RESULT.json",
    .doc = "Estimates the fair komi again from the games of `stigmergy komi' or `stigmergy book', played by version "
           "0.12 or later of the program. The games are beside the result: RESULT.records.jsonl, or packed "
           "RESULT.records.jsonl.zst."
           "\vEach game is checked by the rules. No game is played."};

/* Writes the document to --out, and the answer to standard output. */
static bool say(const EstimateOptions *options, const Run *run, const cJSON *document, Error *error) {
    cJSON *json = options->out ? reread_document(run, document, error) : NULL;
    char *text = json ? document_text(json, error) : NULL;
    bool good = !options->out || text;
    if (good && (!text || strcmp(options->out, "-") != 0))
        good = (run->kind == &book_kind ? book_answer_print : komi_answer_print)(run, error);
    good = good && (!text || tool_write(options->out, text, strlen(text), error)) &&
           book_answer_write_sgf(run, options->sgf, error);
    free(text);
    return good;
}

/* Reads the result that --second names. */
static bool compare(const EstimateOptions *options, Run *run, Error *error) {
    if (options->second && run->kind != &komi_kind)
        return error_set(error, "--second: %s is a book, expected a result of komi", options->result);
    return !options->second || komi_compare_with(run, options->second, error);
}

/* Makes the guesses that --guesses-by asks for. */
static bool guess(const EstimateOptions *options, Run *run, cJSON *document, Error *error) {
    Player player = player_default();
    const RunConfig *config = run->config;
    return !options->guesser || (player_load(options->guesser, &player, error) &&
                                 player_settle_checked(&player, config->game, (int)config->size, error) &&
                                 output_spares_network("--out", options->out, &player, error) &&
                                 reread_guess(run, options->result, document, &player, error));
}

/* The run cannot go on without its player's network. */
static bool spare_network(const EstimateOptions *options, const Run *run, Error *error) {
    const bool book = run->kind == &book_kind;
    const Player *player = book ? &book_config(run)->player : &komi_config(run)->player;
    return output_spares_network("--out", options->out, player, error);
}

/* --sgf is for books, and for a file of its own. */
static bool check_sgf(const EstimateOptions *options, const Run *run, Error *error) {
    if (!options->sgf)
        return true;
    if (run->kind != &book_kind)
        return error_set(error, "--sgf: %s is a run of komi, expected a book", options->result);
    return book_answer_check_sgf(options->sgf, error) &&
           output_spares_result("--sgf", options->sgf, options->result, error) &&
           output_spares_games("--sgf", options->sgf, options->result, error) &&
           (!options->out || output_spares_result("--sgf", options->sgf, options->out, error)) &&
           output_spares_network("--sgf", options->sgf, &book_config(run)->player, error) &&
           output_check(options->sgf, NULL, error);
}

/* The result itself may be replaced, but neither its games nor what it is compared with. */
static bool spare_inputs(const EstimateOptions *options, Error *error) {
    return output_spares_games("--out", options->out, options->result, error) &&
           output_spares_player("--out", options->out, options->guesser, error) &&
           (!options->second || output_spares_result("--out", options->out, options->second, error));
}

int tool_estimate(int argc, char **argv) {
    EstimateOptions options = {.result = NULL};
    if (!options_parse(&estimate_argp, argc, argv, &options))
        return TOOL_USAGE;
    Error error;
    cJSON *document = NULL;
    if (!spare_inputs(&options, &error) || !output_check_again(options.out, options.result, &error))
        return tool_fail(argv[0], TOOL_USAGE, &error);
    Run *run = reread_run(options.result, &document, &error);
    int status = TOOL_DONE;
    if (!run || (options.out && !output_check_run(options.out, document, &error)) ||
        !spare_network(&options, run, &error) || !guess(&options, run, document, &error) ||
        !check_sgf(&options, run, &error) || !compare(&options, run, &error))
        status = tool_fail(argv[0], TOOL_USAGE, &error);
    else if (!say(&options, run, document, &error))
        status = tool_fail(argv[0], TOOL_FAILED, &error);
    run_free(run);
    cJSON_Delete(document);
    return status;
}
