/* See game.h. */
#include "selfplay/runs/generate/game.h"

#include "engine/base/rng.h"

#include <math.h>
#include <stdio.h>

/* A game in progress. */
typedef struct Play {
    const Game *game;
    const SelfplayConfig *config;
    Search *search;
    const ContestStop *stop;
    GameRecord *record;
    Error *error;
    GameState state;
    GameHistory history; /* what came before it */
    Rng rng;
    int turns;       /* taken, those of the opening included */
    int explored;    /* exploration lasts this number of turns */
    bool may_resign; /* in this game */
    int hopeless[2]; /* searches of a side in succession that were below the threshold */
    bool given_up;   /* by one side; the rest of the game is played for its owners and its score */
} Play;

/* What a search found. */
typedef struct Finding {
    SearchSummary summary;
    SearchMove moves[GAME_LEGAL_MAX]; /* best first */
    int count;
} Finding;

static bool exploring(const Play *play) {
    return play->turns < play->explored;
}

/* ---- Searching ---- */

static SearchSummary run(const Play *play, uint64_t simulations) {
    return search_run(play->search, &(SearchLimits){.simulations = simulations, .stop = play->stop->flag});
}

/* Whether the player's searches choose by sequential halving. Then the noise is in the choice. */
static bool halves(const Play *play) {
    return player_halves(&play->config->player);
}

/* The seed of the search for the next action. */
static uint64_t search_seed(const Play *play) {
    return rng_split(play->record->seed, (uint64_t)play->record->count);
}

static uint64_t simulations_of(const Play *play, SearchKind kind) {
    return selfplay_config_simulations(play->config, play->game->board.size, kind == SEARCH_FULL);
}

static SearchSummary run_full(const Play *play) {
    const SelfplayConfig *config = play->config;
    const uint64_t simulations = simulations_of(play, SEARCH_FULL);
    const uint64_t seed = search_seed(play);
    search_reseed(play->search, seed);
    if (!exploring(play) || halves(play) || config->noise_playouts == 0 || simulations < 2)
        return run(play, simulations);
    run(play, 1); /* the root gets its moves */
    search_add_noise(play->search, (int)config->noise_playouts, config->noise, ~seed);
    return run(play, simulations - 1);
}

static bool wins_surely(const SearchMove *move) {
    return move->proven && move->win_rate == 1;
}

/* Whether the finding says which actions are good. Without memory for a tree it has no moves, and with a simulation or
 * two, or where the solver took them all, none has a visit. */
static bool has_policy(const Play *play, const Finding *finding) {
    uint64_t visits = 0;
    for (int i = 0; i < finding->count; i++)
        visits += finding->moves[i].visits;
    return finding->count > 0 && (visits > 0 || halves(play) || wins_surely(&finding->moves[0]));
}

/* Searches for an action where there is more than one; the finding tells what was found. */
static SearchKind think(Play *play, Finding *finding) {
    const SelfplayConfig *config = play->config;
    SearchKind kind = rng_unit(&play->rng) < config->cheap_share ? SEARCH_CHEAP : SEARCH_FULL;
    if (kind == SEARCH_FULL)
        search_forget_tree(play->search);
    if (halves(play) && exploring(play))
        search_add_gumbel(play->search, config->gumbel, ~search_seed(play));
    finding->summary = kind == SEARCH_FULL ? run_full(play) : run(play, simulations_of(play, SEARCH_CHEAP));
    finding->count = search_moves(play->search, finding->moves, GAME_LEGAL_MAX);
    return has_policy(play, finding) ? kind : SEARCH_CHEAP;
}

/* ---- Writing down ---- */

/* What the record keeps of a full search. */
typedef struct Notes {
    int32_t visits[GAME_LEGAL_MAX], values[GAME_LEGAL_MAX]; /* of the legal actions, in the order of their numbers */
    uint8_t owners[HEXHEX_MAX_CELLS];
    bool owners_known;
} Notes;

/* What the record's visits say of the action that came out as number `rank`. After sequential halving visits say how
 * the simulations were shared out, not how good an action is: the improved policy stands there instead. */
static int32_t visits_of(const Play *play, const Finding *finding, int rank) {
    if (halves(play))
        return (int32_t)(finding->moves[rank].policy * RECORD_POLICY_ONE + 0.5);
    if (wins_surely(&finding->moves[0]))
        return rank == 0 ? (int32_t)simulations_of(play, SEARCH_FULL) : 0;
    return (int32_t)finding->moves[rank].visits;
}

/* Notes visits and values of the legal actions. */
static void note_actions(const Play *play, const Finding *finding, const Action *legal, int count, Notes *notes) {
    for (int i = 0; i < count; i++) {
        notes->visits[i] = 0;
        notes->values[i] = RECORD_VALUE_UNKNOWN;
        for (int k = 0; k < finding->count; k++) {
            const SearchMove *move = &finding->moves[k];
            if (move->action != legal[i])
                continue;
            notes->visits[i] = visits_of(play, finding, k);
            if (move->known)
                notes->values[i] = (int32_t)floor(move->win_rate * RECORD_WIN_RATE_ONE + 0.5);
        }
    }
}

/* Notes the owners. Before any evaluation all are exactly 0.5: then they are unknown. */
static void note_owners(const Play *play, Notes *notes) {
    float owners[HEXHEX_MAX_CELLS];
    search_owners(play->search, owners);
    notes->owners_known = false;
    for (int c = 0; c < play->game->board.cells; c++) {
        notes->owners_known |= owners[c] != 0.5f;
        notes->owners[c] = (uint8_t)(owners[c] * RECORD_OWNER_ONE + 0.5f);
    }
}

static bool note_search(const Play *play, SearchKind kind, const Finding *finding, const Action *legal, int count) {
    RecordSearch entry = {.kind = (uint8_t)kind};
    if (kind != SEARCH_NONE) {
        entry.win_rate = (uint16_t)floor(finding->summary.win_rate * RECORD_WIN_RATE_ONE + 0.5);
        if (play->game->has_points)
            entry.score = (int16_t)floor(finding->summary.margin * RECORD_SCORE_POINT + 0.5);
    }
    if (kind != SEARCH_FULL)
        return record_searches_add(&play->record->searches, entry, NULL, play->error);
    Notes notes;
    note_actions(play, finding, legal, count, &notes);
    note_owners(play, &notes);
    const RecordFindings findings = {notes.visits, notes.values, notes.owners_known ? notes.owners : NULL, count,
                                     play->game->board.cells};
    return record_searches_add(&play->record->searches, entry, &findings, play->error);
}

/* Whether the side to move gives up after this search. */
static bool gives_up(Play *play, const Finding *finding) {
    const Side side = play->game->rules->to_move(&play->state);
    const SelfplayConfig *config = play->config;
    play->hopeless[side] = finding->summary.win_rate < config->resign_below ? play->hopeless[side] + 1 : 0;
    return play->may_resign && play->hopeless[side] >= config->resign_moves;
}

/* The side to move has given up, and nobody plays the game to its end. */
static void resign(Play *play) {
    const Side side = play->game->rules->to_move(&play->state);
    const SelfplayConfig *config = play->config;
    char note[RECORD_NOTE_MAX];
    snprintf(note, sizeof note, "win rate below %g in %lld searches", config->resign_below,
             (long long)config->resign_moves);
    record_forfeit(play->record, side, END_RESIGN, note);
}

/* ---- The game ---- */

static bool take_action(Play *play, Action action, bool is_new) {
    const GameRules *rules = play->game->rules;
    if (is_new && !record_add(play->record, action, play->error))
        return false;
    rules->apply(play->game, &play->state, action);
    game_history_add(play->game, &play->history, action, &play->state);
    if (is_new)
        search_play(play->search, action);
    play->turns += rules->over(&play->state) || rules->turn_start(&play->state);
    return true;
}

/* Chooses an action of a game that was given up. Nobody learns from this search. */
static ContestStep finish(Play *play, Action *action) {
    run(play, (uint64_t)play->config->resign_finish);
    *action = search_best(play->search);
    return contest_stopped(play->stop) ? STEP_STOPPED : STEP_GOOD;
}

/* Chooses an action by a search that is noted. */
static ContestStep choose(Play *play, SearchKind *kind, Finding *finding, Action *action) {
    *kind = think(play, finding);
    if (contest_stopped(play->stop))
        return STEP_STOPPED;
    const bool hopeless = gives_up(play, finding), finishes = play->config->resign_finish > 0;
    if (hopeless && !finishes && play->game->rules->turn_start(&play->state)) { /* a record holds whole turns */
        resign(play);
        return STEP_FORFEIT;
    }
    play->given_up = hopeless && finishes;
    const bool draws = exploring(play) && !halves(play) && finding->count > 0;
    *action = draws ? search_draw(play->search, (int)play->config->power, 1, &play->rng) : search_best(play->search);
    return STEP_GOOD;
}

static ContestStep move(Play *play) {
    Action legal[GAME_LEGAL_MAX], action;
    Finding finding;
    SearchKind kind = SEARCH_NONE;
    const int count = play->game->rules->legal(play->game, &play->state, legal);
    action = legal[0];
    if (count > 1) {
        const ContestStep step = play->given_up ? finish(play, &action) : choose(play, &kind, &finding, &action);
        if (step != STEP_GOOD)
            return step;
    }
    return note_search(play, kind, &finding, legal, count) && take_action(play, action, true) ? STEP_GOOD : STEP_FAILED;
}

/* Brings the board to the end of the opening. */
static bool begin(Play *play) {
    GameRecord *record = play->record;
    const GameRules *rules = play->game->rules;
    record->opening_actions = record->count;
    rules->start(play->game, &play->state, record->komi);
    for (int i = 0; i < record->opening_actions; i++)
        if (!record_searches_add(&record->searches, (RecordSearch){.kind = SEARCH_NONE}, NULL, play->error) ||
            !take_action(play, record->actions[i], false))
            return false;
    search_set_position(play->search, &play->state);
    search_set_history(play->search, &play->history);
    search_reseed(play->search, record->seed);
    return true;
}

ContestEnd selfplay_game_play(const Game *game, const SelfplayConfig *config, Search *search, const ContestStop *stop,
                              GameRecord *record, Error *error) {
    Play play = {.game = game,
                 .config = config,
                 .search = search,
                 .stop = stop,
                 .record = record,
                 .error = error,
                 .rng = rng_seed(rng_split(~record->seed, 0)),
                 .explored = (int)(config->explore_turns * game->board.cells)};
    play.may_resign = config->resign_below > 0 && rng_unit(&play.rng) >= config->resign_never;
    ContestStep step = begin(&play) ? STEP_GOOD : STEP_FAILED;
    while (step == STEP_GOOD && !game->rules->over(&play.state))
        step = contest_stopped(stop) ? STEP_STOPPED : move(&play);
    return contest_end(game, &play.state, step, record);
}
