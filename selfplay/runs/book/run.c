/* See run.h. In the order of a session: planning a round, records, playing. */
#include "selfplay/runs/book/run.h"

#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "selfplay/runs/book/result_internal.h"

#include <stdlib.h>

enum { SEED_PLANS = 1 << 30 }; /* what seeds of plans are derived for from that of a group */

static const char *const group_names[BOOK_PARITIES] = {"even", "odd"};

/* ---- Rounds ---- */

static int *share_out(Run *run, int group, int size, int *lowest, int *count, Error *error) {
    const BookConfig *config = book_config(run);
    BookState *state = book_state(run);
    Book *book = &state->books[group];
    const uint64_t seed = rng_split(rng_split(run->groups[group].seed, SEED_PLANS), (uint64_t)book->tree.games);
    const int round = (int)run->config->first_round;
    int *games, planned;
    (void)size; /* rounds do not grow, for each of them tells where the next one is needed */
    *lowest = 0;
    if (!book_plan(&book->tree, state->solver, &config->plan, seed, round, &games, &planned, &book->full, error))
        return NULL;
    *count = book->tree.arm_count;
    return games;
}

static bool enough(const Run *run, int group, bool *enough, Error *error) {
    const double wanted = book_config(run)->until_width;
    BookStanding standing;
    if (wanted == 0)
        return true;
    const bool good = book_run_standing(run, group, BOOK_RESULT_DRAWS, &standing, error);
    *enough = good && standing.ci95[0].high - standing.ci95[0].low < wanted;
    book_standing_end(&standing);
    return good;
}

static double time_share(const Run *run, int group) {
    return 1.0 / (run->group_count - group);
}

/* ---- The run ---- */

static bool add_book(Run *run, bool odd, Error *error) {
    const uint64_t seed = rng_split(rng_split(rng_split(run->config->seed, (uint64_t)run->config->size), 0xb00c), odd);
    Book *book = &book_state(run)->books[run->group_count];
    book->odd = odd;
    return book_tree_begin(&book->tree, run->game, odd, error) && run_add_group(run, group_names[odd], seed, error);
}

static bool begin(Run *run, Error *error) {
    const BookConfig *config = book_config(run);
    const GameOptions options = run_config_game(run->config, run->config->size);
    run->game = game_new(&options, error);
    if (!run->game)
        return false;
    if (config->plan.solver_nodes > 0 && !(book_state(run)->solver = book_plan_solver(run->game, error)))
        return false;
    return (!config->even || add_book(run, false, error)) && (!config->odd || add_book(run, true, error));
}

static void close_books(Run *run) {
    BookState *state = book_state(run);
    for (int i = 0; i < BOOK_PARITIES; i++)
        book_tree_free(&state->books[i].tree);
    solver_free(state->solver);
}

static const BookArm *arm_of(const Run *run, GameId id) {
    return &book_state(run)->books[id.group].tree.arms[run_place(run, id)->plan];
}

/* The actions that a game begins with. Returns their number. */
static int opening_of(const Run *run, GameId id, Action opening[BOOK_PLIES_MAX]) {
    const int map = (int)(rng_split(run_seed(run, id), SEED_PLANS) % HEXHEX_SYMMETRIES);
    return book_tree_line(&book_state(run)->books[id.group].tree, arm_of(run, id)->node, map, opening);
}

static const char *player_name(const Run *run, GameId id, Side side) {
    (void)id, (void)side;
    return book_config(run)->player.name;
}

static bool check(const Run *run, const char *source, GameId id, const GameRecord *record, Error *error) {
    const BookArm *arm = arm_of(run, id);
    Action opening[BOOK_PLIES_MAX];
    const int count = opening_of(run, id, opening);
    if (end_is_forfeit(record->reason) || record->komi != arm->result.komi)
        return error_set(error, "%s: game %s is no game at komi %d that was played to its end", source, record->id,
                         arm->result.komi);
    bool same = record->opening_actions == count;
    for (int i = 0; same && i < count; i++)
        same = record->actions[i] == opening[i];
    return same || error_set(error, "%s: game %s does not begin as planned, with %d moves of the book", source,
                             record->id, count);
}

static void count(Run *run, GameId id, const GameRecord *record, RunGame *game, bool now, bool *wanted) {
    (void)now;
    (void)wanted;
    book_tree_count(&book_state(run)->books[id.group].tree, game->plan, record->result.winner == BLACK);
}

static bool plan_of(const Run *run, const char *source, GameId id, const GameRecord *record, int *plan, Error *error) {
    Book *book = &book_state(run)->books[id.group];
    if (end_is_forfeit(record->reason) || komi_has_button(record->komi) != book->odd)
        return error_set(error, "%s: game %s is no game at %s komi that was played to its end", source, record->id,
                         book->odd ? "odd" : "even");
    const int node =
        book_tree_follow(&book->tree, record->actions, record->opening_actions, book_config(run)->plan.nodes, error);
    *plan = node < 0 ? -1 : book_tree_arm(&book->tree, node, record->komi, error);
    return *plan >= 0;
}

/* The solver is asked about all positions, as it was before they got games. */
static bool settle_played(Run *run, Error *error) {
    (void)error;
    for (int group = 0; group < run->group_count; group++) {
        BookTree *tree = &book_state(run)->books[group].tree;
        book_plan_ask(tree, book_state(run)->solver, &book_config(run)->plan);
        book_tree_settle(tree);
    }
    return true;
}

/* Plays a game against itself, on one search. */
static bool play(RunWorker *worker, GameId id, Error *error) {
    const Run *run = worker->run;
    const Player player = book_config_player(book_config(run));
    Action opening[BOOK_PLIES_MAX];
    const int actions = opening_of(run, id, opening);
    Seat *seat = run_seat(worker, 0, &player, run->game, error);
    return seat &&
           run_begin_record(worker, id, arm_of(run, id)->result.komi, run_seed(run, id),
                            (const char *[]){player.name, player.name}, opening, actions, error) &&
           run_contest(worker, id, seat, seat, error);
}

const RunKind book_kind = {.schema = {"stigmergy-book", 1, "an opening book"},
                           .state_size = sizeof(BookState),
                           .task_games = 1,
                           .one_by_one = true,
                           .begin = begin,
                           .close = close_books,
                           .share_out = share_out,
                           .enough = enough,
                           .play = play,
                           .player = player_name,
                           .check = check,
                           .plan_of = plan_of,
                           .settle_played = settle_played,
                           .count = count,
                           .time_share = time_share,
                           .document = book_result};
