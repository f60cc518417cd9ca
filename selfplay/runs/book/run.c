/* See run.h. In the order of a session: planning a round, summing up, records, playing. */
#include "selfplay/runs/book/run.h"

#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "selfplay/runs/book/result_internal.h"

#include <stdlib.h>

/* What seeds are derived for from that of a group. */
enum { SEED_PLANS = 1 << 30, SEED_RESULT };

static const char *const group_names[BOOK_PARITIES] = {"even", "odd"};

/* ---- Rounds ---- */

static int *share_out(const Run *run, int group, int size, int *lowest, int *count, Error *error) {
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

/* ---- Summing up ---- */

bool book_run_standing(const Run *run, int group, int draws, BookStanding *standing, Error *error) {
    BookTree *tree = &book_state(run)->books[group].tree;
    book_tree_refresh(tree, false);
    return book_standing_begin(standing, tree, rng_split(run->groups[group].seed, SEED_RESULT), draws, error);
}

BookAnswer book_run_answer(const Run *run, int group, const BookStanding *standing) {
    const BookTree *tree = &book_state(run)->books[group].tree;
    const Interval bracket = book_bracket(tree, standing->ci95[0]);
    BookAnswer answer = {.estimate = standing->estimate[0],
                         .ci95 = standing->ci95[0],
                         .black_up_to = (int)bracket.low,
                         .white_from = (int)bracket.high,
                         .best = book_standing_best(standing, tree, 0)};
    if (answer.best >= 0)
        answer.probability = (double)standing->best[answer.best] / standing->draws;
    return answer;
}

/* The median and the central 95% of values, which are sorted. */
static double middle_of(double *values, int count, Interval *ci95) {
    book_sort(values, count);
    *ci95 = (Interval){book_quantile(values, count, 0.025), book_quantile(values, count, 0.975)};
    return book_quantile(values, count, 0.5);
}

bool book_run_pair(const Run *run, const BookStanding standing[BOOK_PARITIES], BookPair *pair, Error *error) {
    const int draws = standing[0].draws;
    if (run->group_count < BOOK_PARITIES)
        return false;
    double *values = malloc((size_t)draws * sizeof *values);
    if (!values)
        return error_set(error, "out of memory for %d draws", draws);
    for (int i = 0; i < draws; i++) /* draws of the two books are independent of each other */
        values[i] = (standing[0].root[i] + standing[1].root[i]) / 2;
    pair->middle = middle_of(values, draws, &pair->middle_ci95);
    for (int i = 0; i < draws; i++)
        values[i] = standing[0].root[i] - standing[1].root[i];
    pair->gap = middle_of(values, draws, &pair->gap_ci95);
    free(values);
    return true;
}

int book_run_line(const Run *run, int group, const BookStanding *standing, Action *line, int *leaf) {
    const BookTree *tree = &book_state(run)->books[group].tree;
    const GameRules *rules = run->game->rules;
    GameState state;
    int count = 0, node = 0, map = 0; /* map: from the frame of the node to that of the root */
    rules->start(run->game, &state, tree->komi);
    for (int edge; (edge = book_standing_best(standing, tree, node)) >= 0; count++) {
        line[count] = rules->symmetry(run->game, map, tree->edges[edge].action);
        rules->apply(run->game, &state, line[count]);
        node = tree->edges[edge].node;
        map = book_tree_image(tree, node, &state);
    }
    *leaf = node;
    return count;
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

static uint64_t seed_of(const Run *run, GameId id) {
    return rng_split(run->groups[id.group].seed, (uint64_t)id.number);
}

/* The actions that a game begins with. Returns their number. */
static int opening_of(const Run *run, GameId id, Action opening[BOOK_PLIES_MAX]) {
    const int map = (int)(rng_split(seed_of(run, id), SEED_PLANS) % HEXHEX_SYMMETRIES);
    return book_tree_line(&book_state(run)->books[id.group].tree, arm_of(run, id)->node, map, opening);
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

/* Plays a game against itself, on one search. */
static bool play(RunWorker *worker, GameId id, Error *error) {
    const Run *run = worker->run;
    const Player player = book_config_player(book_config(run));
    Action opening[BOOK_PLIES_MAX];
    const int actions = opening_of(run, id, opening);
    Seat *seat = run_seat(worker, 0, &player, run->game, error);
    return seat &&
           run_begin_record(worker, id, arm_of(run, id)->result.komi, seed_of(run, id),
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
                           .check = check,
                           .count = count,
                           .time_share = time_share,
                           .document = book_result};
