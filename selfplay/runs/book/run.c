/* See run.h. In the order of a session: planning a round, records, playing. */
#include "selfplay/runs/book/run.h"

#include "engine/base/rng.h"
#include "selfplay/io/json.h"
#include "selfplay/runs/book/result_internal.h"

#include <stdlib.h>

_Static_assert((int)BOOK_PLIES_MAX <= (int)OPENING_ACTIONS_MAX, "a game can begin with any line of the book");

enum {
    SEED_PLANS = 1 << 30, /* what seeds of plans are derived for from that of a group */
    NEIGHBOURS = 2        /* how far apart two komi values of a parity are: no bracket is narrower */
};

/* ---- Rounds ---- */

static int *share_out(Run *run, int group, int size, int *lowest, int *count, Error *error) {
    const BookConfig *config = book_config(run);
    BookState *state = book_state(run);
    Book *book = &state->books[group];
    const uint64_t seed = rng_split(rng_split(run->groups[group].seed, SEED_PLANS), (uint64_t)book->tree.games);
    const BookPlanner planner = {
        .solver = state->solver, .settings = config->plan, .stop = run->stop, .deadline = run->deadline};
    BookPlan plan;
    BookTree tree; /* a copy: where the plan is given up, the book stays that of its games */
    (void)size;    /* rounds do not grow, for each of them tells where the next one is needed */
    if (!book_tree_copy(&tree, &book->tree, error) ||
        !book_plan(&tree, &planner, seed, (int)run->config->first_round, &plan, error)) {
        book_tree_free(&tree);
        return NULL;
    }
    book_tree_free(&book->tree);
    *book = (Book){.odd = book->odd, .tree = tree, .full = book->full || plan.full, .planned_after = tree.games};
    *lowest = 0;
    *count = tree.arm_count;
    return plan.games;
}

static bool enough(const Run *run, int group, bool *enough, Error *error) {
    const double wanted = book_config(run)->until_width;
    BookStanding standing;
    if (wanted == 0)
        return true;
    const bool good = book_run_standing(run, group, BOOK_RESULT_DRAWS, &standing, error);
    if (good) {
        const KomiEstimate known = book_run_answer(run, group, &standing).fair_komi;
        const double width = known.ci95.high - known.ci95.low;
        *enough = width < wanted || (known.bracket && width <= NEIGHBOURS);
    }
    book_standing_end(&standing);
    return good;
}

/* ---- The run ---- */

static bool add_book(Run *run, bool odd, Error *error) {
    const uint64_t seed = rng_split(rng_split(rng_split(run->config->seed, (uint64_t)run->config->size), 0xb00c), odd);
    Book *book = &book_state(run)->books[run->group_count];
    book->odd = odd;
    book->planned_after = -1;
    return book_tree_begin(&book->tree, run->game, odd, error) &&
           run_add_group(run, run_config_parities[odd ? PARITY_ODD : PARITY_EVEN], seed, error);
}

static bool begin(Run *run, Error *error) {
    const BookConfig *config = book_config(run);
    if (config->plan.solver_nodes > 0 && !(book_state(run)->solver = book_plan_solver(run->game, error)))
        return false;
    return (config->parity == PARITY_ODD || add_book(run, false, error)) &&
           (config->parity == PARITY_EVEN || add_book(run, true, error));
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

/* A game begins with the line of the book to its arm's position, and is played against itself. */
static void start(const Run *run, GameId id, RunStart *start) {
    const int map = (int)(rng_split(run_seed(run, id), SEED_PLANS) % HEXHEX_SYMMETRIES);
    const BookConfig *config = book_config(run);
    const BookArm *arm = arm_of(run, id);
    start->opening.komi = arm->result.komi;
    start->opening.count =
        book_tree_line(&book_state(run)->books[id.group].tree, arm->node, map, start->opening.actions);
    start->players[BLACK] = start->players[WHITE] = player_with_effort(config->player, config->effort);
    start->plays_itself = true;
}

static void count(Run *run, GameId id, const GameRecord *record, RunGame *game, bool *wanted) {
    (void)wanted;
    book_tree_count(&book_state(run)->books[id.group].tree, game->plan, record->result.winner == BLACK);
}

static const RunPlanByResults by_results = {.share_out = share_out, .enough = enough, .start = start};

/* ---- Read again ---- */

static void add_effort(cJSON *settings, const cJSON *document) {
    const cJSON *player = json_get(document, "player"), *move_time = json_get(player, "move_time");
    const bool timed = cJSON_IsNumber(move_time) && move_time->valuedouble > 0;
    const char *key = timed ? "move_time" : "simulations";
    json_add(settings, key, cJSON_Duplicate(json_get(player, key), true));
}

/* From how many games each book of a document planned its last round, as run_open_to_read takes it. False where a book
 * does not say: that of version 0.27 and earlier. */
static bool read_planned(const cJSON *document, int planned_after[BOOK_PARITIES]) {
    const cJSON *books = json_get(document, "books");
    for (int i = 0; i < BOOK_PARITIES; i++) {
        const cJSON *book = cJSON_GetArrayItem(books, i), *after = json_get(book, "planned_after");
        if (book && !after)
            return false;
        planned_after[i] = cJSON_IsNumber(after) ? after->valueint : -1;
    }
    return true;
}

static bool open_planned(Run *run, const cJSON *document, const char *records, Error *error) {
    int planned_after[BOOK_PARITIES];
    return run_open_to_read(run, records, read_planned(document, planned_after) ? planned_after : NULL, error);
}

static bool take_over(Run *run, const cJSON *document, Error *error) {
    int planned_after[BOOK_PARITIES];
    const bool said = read_planned(document, planned_after);
    (void)error;
    for (int i = 0; i < BOOK_PARITIES; i++) {
        Book *book = &book_state(run)->books[i];
        book->planned_after = said ? planned_after[i] : BOOK_PLANS_UNKNOWN;
        book->full = cJSON_IsTrue(json_get(cJSON_GetArrayItem(json_get(document, "books"), i), "full"));
    }
    return true;
}

static bool plan_of(const Run *run, const char *source, GameId id, const GameRecord *record, int *plan, Error *error) {
    Book *book = &book_state(run)->books[id.group];
    if (komi_has_button(record->komi) != book->odd)
        return error_set(error, "%s: game %s was played at komi %d, expected an %s one", source, record->id,
                         record->komi, run->groups[id.group].name);
    const int node =
        book_tree_follow(&book->tree, record->actions, record->opening_actions, book_config(run)->plan.nodes, error);
    *plan = node < 0 ? -1 : book_tree_arm(&book->tree, node, record->komi, error);
    return *plan >= 0 || error_prefix(error, "%s: game %s: ", source, record->id);
}

/* The solver is asked about all positions, as it was before they got games. */
static bool settle(Run *run, Error *error) {
    const BookPlanner planner = {.solver = book_state(run)->solver, .settings = book_config(run)->plan};
    (void)error;
    for (int group = 0; group < run->group_count; group++) {
        BookTree *tree = &book_state(run)->books[group].tree;
        book_plan_ask(tree, &planner);
        book_tree_settle(tree);
    }
    return true;
}

/* Where the solver has decided, a book needs no games. */
static const RunReread reread = {.needs_no_games = true,
                                 .add_effort = add_effort,
                                 .open_planned = open_planned,
                                 .take_over = take_over,
                                 .plan_of = plan_of,
                                 .settle = settle};

const RunKind book_kind = {.config = &book_config_kind,
                           .schema = {"stigmergy-book", 1, "an opening book"},
                           .state_size = sizeof(BookState),
                           .groups_name = "komi",
                           .by_results = &by_results,
                           .reread = &reread,
                           .begin = begin,
                           .close = close_books,
                           .count = count,
                           .document = book_result};
