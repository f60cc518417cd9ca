/* The choice of komi before a game, by the pie rule: one side names it, the other chooses a colour. See
 * session_internal.h. */
#include "selfplay/analysis/komi_offer.h"
#include "tools/cli/options.h"
#include "tools/play/session_internal.h"

static void start_game(PlaySession *session, int komi, PlayHuman human) {
    session->stage = PLAY_GAME;
    session->options.human = human;
    session->tree->komi = komi;
    session->tree->game->rules->start(session->tree->game, &session->tree->nodes[0].state, komi);
    play_set_search(session, session->search);
    if (human != PLAY_BOTH)
        fprintf(session->out, "Komi is %d. You play %s.\n", komi, human == PLAY_AS_BLACK ? "Black" : "White");
    play_start(session);
}

/* The computer names the komi, or, if `side` is not NULL, chooses a side at this komi. False with a message. */
static bool ask_computer(PlaySession *session, int *komi, Side *side) {
    Error error;
    double chance;
    const Game *game = session->tree->game;
    const AnalysisOptions options = {.workers = 1, .threads = session->player.search_threads};
    Analysis *analysis = analysis_new(&options, &error);
    fprintf(session->out, "The computer thinks about it ...\n");
    fflush(session->out);
    const bool good =
        analysis &&
        (side ? komi_offer_choose(analysis, game, &session->player, session->options.seed, *komi, side, &chance, &error)
              : komi_offer_name(analysis, game, &session->player, session->options.seed, komi, &chance, &error));
    analysis_free(analysis);
    if (!good)
        fprintf(session->out, "%s\n", error.text);
    return good;
}

void play_name_komi(PlaySession *session, const char *line) {
    const int limit = session->tree->game->board.cells;
    Error error;
    int komi;
    Side side;
    if (!*line || !strcmp(line, "computer")) {
        if (!ask_computer(session, &komi, NULL))
            return;
        session->tree->komi = komi;
        session->stage = PLAY_CHOOSE_SIDE;
        fprintf(session->out, "The computer names komi %d. You choose: black or white?\n", komi);
    } else if (!read_int("komi", line, -limit, limit, &komi, &error)) {
        fprintf(session->out, "%s, or `computer'.\n", error.text);
    } else if (ask_computer(session, &komi, &side)) {
        fprintf(session->out, "The computer chooses %s.\n", side == BLACK ? "Black" : "White");
        start_game(session, komi, side == BLACK ? PLAY_AS_WHITE : PLAY_AS_BLACK);
    }
}

void play_choose_side(PlaySession *session, const char *line) {
    if (!strcmp(line, "b") || !strcmp(line, "black"))
        start_game(session, session->tree->komi, PLAY_AS_BLACK);
    else if (!strcmp(line, "w") || !strcmp(line, "white"))
        start_game(session, session->tree->komi, PLAY_AS_WHITE);
    else
        fprintf(session->out, "'%.40s', expected black or white.\n", line);
}
