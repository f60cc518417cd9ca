/* The choice of komi before a game, by the pie rule: one side names it, the other chooses a colour. See
 * session_internal.h. */
#include "selfplay/analysis/komi_offer.h"
#include "tools/cli/numbers.h"
#include "tools/play/session_internal.h"

static void start_game(PlaySession *session, int komi, PlayHuman human) {
    session->stage = PLAY_GAME;
    session->options.human = human;
    game_tree_set_komi(session->tree, komi, NULL); /* there are no turns yet */
    play_set_search(session, session->search);
    if (human != PLAY_BOTH)
        fprintf(session->out, "Komi is %d. You play %s.\n", komi, human == PLAY_AS_BLACK ? "Black" : "White");
    play_start(session);
}

/* The computer names the komi, or, if `side` is not NULL, chooses a side at this komi. False with a message; after
 * Ctrl-C nothing is settled. */
static bool ask_computer(PlaySession *session, int *komi, Side *side) {
    Error error;
    double chance;
    const AnalysisOptions options = {.workers = 1, .threads = session->player.search_threads};
    Analysis *analysis = analysis_new(&options, &error);
    stop_flag_clear(session->options.stop);
    fprintf(session->out, "The computer thinks about it ...\n");
    fflush(session->out);
    const KomiOffer offer = {.analysis = analysis,
                             .game = session->tree->game,
                             .player = &session->player,
                             .seed = session->options.seed,
                             .stop = session->options.stop};
    const bool good = analysis && (side ? komi_offer_choose(&offer, *komi, side, &chance, &error)
                                        : komi_offer_name(&offer, komi, &chance, &error));
    analysis_free(analysis);
    if (!good && stop_flag_is_set(session->options.stop)) {
        fputs("\nStopped: the komi is still open.\n", session->out);
        play_ask(session);
    } else if (!good)
        fprintf(session->out, "%s\n", error.text);
    return good;
}

void play_name_komi(PlaySession *session, const char *line) {
    const int limit = game_komi_limit(session->tree->game);
    Error error;
    int komi;
    Side side;
    if (!*line || !strcmp(line, "computer")) {
        if (!ask_computer(session, &komi, NULL))
            return;
        session->named_komi = komi;
        session->stage = PLAY_CHOOSE_SIDE;
        play_ask(session);
    } else if (!read_int("komi", line, -limit, limit, &komi, &error)) {
        fprintf(session->out, "%s, or press Enter.\n", error.text);
    } else if (ask_computer(session, &komi, &side)) {
        fprintf(session->out, "The computer chooses %s.\n", side == BLACK ? "Black" : "White");
        start_game(session, komi, side == BLACK ? PLAY_AS_WHITE : PLAY_AS_BLACK);
    }
}

bool play_read_colour(const char *text, Side *colour) {
    const bool black = !strcmp(text, "b") || !strcmp(text, "black");
    *colour = black ? BLACK : WHITE;
    return black || !strcmp(text, "w") || !strcmp(text, "white");
}

void play_choose_side(PlaySession *session, const char *line) {
    Side side;
    if (play_read_colour(line, &side))
        start_game(session, session->named_komi, side == BLACK ? PLAY_AS_BLACK : PLAY_AS_WHITE);
    else
        fprintf(session->out, "'%.40s', expected black or white.\n", line);
}
