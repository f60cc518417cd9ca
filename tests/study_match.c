/* A small study: two players against each other, until `stigmergy match` exists. Not a test; build the target
 * study_match.
 *
 *     study_match SIZE KOMI PAIRS SEED PLAYER_A PLAYER_B     players as JSON, see selfplay/player.h
 *
 * Each pair of games begins with the same two random moves, and each player has both colours once. Prints A's Elo
 * difference with its 95% interval from the pairs, and the mean simulations a move. */
#include "json.h"
#include "player.h"
#include "rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANDOM_MOVES = 2 };

typedef struct Study {
    Game *game;
    Player players[2];
    int komi, black_wins, games;
    uint64_t seed, simulations[2], moves[2];
} Study;

static bool read_player(const char *text, Player *player) {
    Error error;
    *player = player_default();
    cJSON *json = json_parse(text, strlen(text), "player", &error);
    const bool good = json && player_from_json(json, "player", player, &error);
    if (!good)
        fprintf(stderr, "study_match: %s\n", error.text);
    cJSON_Delete(json);
    return good;
}

static void random_opening(const Study *study, uint64_t pair, GameState *state) {
    Rng rng = rng_seed(rng_split(study->seed, pair));
    study->game->rules->start(study->game, state, study->komi);
    for (int i = 0; i < RANDOM_MOVES; i++) {
        Action actions[GAME_LEGAL_MAX];
        const int count = study->game->rules->legal(study->game, state, actions);
        study->game->rules->apply(study->game, state, actions[rng_below(&rng, (uint32_t)count)]);
    }
}

static Action choose(Study *study, int player, Search *search, const GameState *state) {
    Action actions[GAME_LEGAL_MAX];
    if (study->game->rules->legal(study->game, state, actions) == 1)
        return actions[0];
    const SearchLimits limits = player_limits(&study->players[player], NULL);
    study->simulations[player] += search_run(search, &limits).simulations;
    study->moves[player]++;
    return search_best(search);
}

/* Plays a game in which player `black` has Black; whether A wins. */
static bool play(Study *study, uint64_t pair, int black) {
    const GameRules *rules = study->game->rules;
    Error error;
    GameState state;
    Search *searches[2];
    random_opening(study, pair, &state);
    for (int player = 0; player < 2; player++) {
        const uint64_t seed = rng_split(~study->seed, 4 * pair + 2 * (uint64_t)black + (uint64_t)player);
        searches[player] = player_new_search(&study->players[player], study->game, seed, &error);
        if (!searches[player]) {
            fprintf(stderr, "study_match: %s\n", error.text);
            exit(1);
        }
        search_set_position(searches[player], &state);
    }
    while (!rules->over(&state)) {
        const int player = rules->to_move(&state) == BLACK ? black : 1 - black;
        const Action action = choose(study, player, searches[player], &state);
        rules->apply(study->game, &state, action);
        search_play(searches[0], action);
        search_play(searches[1], action);
    }
    search_free(searches[0]);
    search_free(searches[1]);
    const Side winner = rules->result(study->game, &state).winner;
    study->games++;
    study->black_wins += winner == BLACK;
    return (winner == BLACK ? black : 1 - black) == 0;
}

static double elo(double score) {
    const double bounded = score < 0.001 ? 0.001 : score > 0.999 ? 0.999 : score;
    return 400 * log10(bounded / (1 - bounded));
}

int main(int argc, char **argv) {
    Error error;
    if (argc != 7) {
        fprintf(stderr, "usage: study_match SIZE KOMI PAIRS SEED PLAYER_A PLAYER_B\n");
        return 2;
    }
    Study study = {.game = game_new(&(GameOptions){.size = atoi(argv[1])}, &error),
                   .komi = atoi(argv[2]),
                   .seed = strtoull(argv[4], NULL, 10)};
    const int pairs = atoi(argv[3]);
    if (!study.game || pairs < 1 || !read_player(argv[5], &study.players[0]) ||
        !read_player(argv[6], &study.players[1]))
        return 2;
    double sum = 0, squares = 0;
    for (int pair = 0; pair < pairs; pair++) {
        const double score = 0.5 * (play(&study, (uint64_t)pair, 0) + play(&study, (uint64_t)pair, 1));
        sum += score;
        squares += score * score;
    }
    const double mean = sum / pairs, error95 = 1.96 * sqrt((squares / pairs - mean * mean) / pairs);
    printf("hexhex-%s komi %s, %d games: A wins %.0f, Elo %+.0f [%+.0f, %+.0f], Black wins %d, simulations a move %.0f "
           "and %.0f\n",
           argv[1], argv[2], study.games, 2 * sum, elo(mean), elo(mean - error95), elo(mean + error95),
           study.black_wins, (double)study.simulations[0] / (double)(study.moves[0] + !study.moves[0]),
           (double)study.simulations[1] / (double)(study.moves[1] + !study.moves[1]));
    game_free(study.game);
    return 0;
}
