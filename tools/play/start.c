/* How a game begins. See session_internal.h. */
#include "tools/play/session_internal.h"

PlayStage play_first_stage(const PlaySession *session) {
    const bool alone = session->options.human != PLAY_BOTH;
    return session->options.choose && alone && session->tree->game->has_points ? PLAY_NAME_KOMI : PLAY_GAME;
}

void play_ask(PlaySession *session) {
    const int limit = game_komi_limit(session->tree->game);
    if (session->stage == PLAY_NAME_KOMI)
        fprintf(session->out,
                "One player names the komi, the points that White gets. The other chooses a colour.\nType a number "
                "from %d to %d, or press Enter: then the computer names it.\n",
                -limit, limit);
    else
        fprintf(session->out, "The computer names komi %d. You choose: black or white?\n", session->named_komi);
}

void play_start(PlaySession *session) {
    if (session->stage == PLAY_GAME) {
        play_show(session);
        play_computer(session);
    } else {
        play_ask(session);
    }
}

bool play_again(PlaySession *session, Error *error) {
    const GameOptions options = game_tree_options(session->tree);
    const PlayStage stage = play_first_stage(session);
    GameTree *tree = game_tree_new(&options, stage == PLAY_NAME_KOMI ? 0 : session->tree->komi, error);
    session->options.seed++; /* or the computer would play the same game again */
    if (!tree || !play_take_tree(session, tree, error))
        return false;
    session->stage = stage;
    return true;
}
