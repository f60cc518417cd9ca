/* Self-play: settings that read back as themselves; openings that differ up to symmetry; games that follow from their
 * number alone, whatever interrupts the run and however many machines share it; records that keep what was found.
 *
 * flock is wrapped (-Wl,--wrap), so that another session can end just before it. */
#include "engine/base/rng.h"
#include "engine/base/wall_time.h"
#include "engine/games/registry.h"
#include "selfplay/dataset/dataset.h"
#include "selfplay/io/document.h"
#include "selfplay/io/json.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/runs/generate/game.h"
#include "selfplay/runs/generate/opening.h"
#include "selfplay/runs/generate/session.h"
#include "selfplay/runs/generate/sources.h"
#include "tests/support/fixtures.h"
#include "tests/support/playout_player.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

/* A run of small games: 3 hexhex-2 to 2 hexhex-3. */
static SelfplayConfig small_config(void) {
    SelfplayConfig config = selfplay_config_default();
    config.sizes[0] = (SelfplaySize){.size = 3, .weight = 2, .auto_komi = true};
    config.sizes[1] = (SelfplaySize){.size = 2, .weight = 3, .komi = 1};
    config.size_count = 2;
    use_playouts(&config.player);
    config.player.simulations = 30;
    config.player.memory_mb = 4;
    config.cheap_simulations = 10;
    config.opening_turns[1] = 2;
    config.referee_simulations = 10;
    config.run.games = 40;
    config.rows = 200;
    return config;
}

/* ---- Settings ---- */

static void settings_read_back(void **unused) {
    (void)unused;
    Error error;
    char first[20], second[20];
    SelfplayConfig config = small_config(), again = selfplay_config_default();
    config.sizes[1].simulations = 45;
    assert_true(run_config_check(&config.run, &error));
    cJSON *identity = run_config_identity(&config.run);
    assert_true(document_hash(identity, first, &error));
    cJSON_DeleteItemFromObject(identity, "engine");
    assert_true(run_config_read(identity, "test", &again.run, &error));
    assert_true(run_config_check(&again.run, &error) && run_config_hash(&again.run, second, &error));
    assert_string_equal(first, second);
    cJSON *settings = run_config_to_json(&config.run);
    assert_true(cJSON_Compare(settings, identity, true));
    again.cheap_share = 0.5;
    assert_true(run_config_hash(&again.run, second, &error));
    assert_string_not_equal(first, second);
    cJSON_Delete(settings);
    cJSON_Delete(identity);
}

static void wrong_settings_are_named(void **unused) {
    (void)unused;
    static const char *const wrong[][2] = {
        {"{\"sizes\": []}", "sizes: none"},
        {"{\"sizes\": [{\"size\": 3}, {\"size\": 3}]}", "3 stands there twice"},
        {"{\"sizes\": [{\"weight\": 3}]}", "'size'"},
        {"{\"sizes\": [{\"size\": 3, \"komi\": 20}]}", "komi: 20"},
        {"{\"sizes\": [{\"size\": 3, \"komi\": \"even\"}]}", "'komi' of a size"},
        {"{\"sizes\": [{\"size\": 3, \"network\": \"none\"}, {\"size\": 6}]}",
         "some have a network and some have none"},
        {"{\"sizes\": [{\"size\": 3, \"network\": \"missing\"}]}", "network 'missing': no file"},
        {"{\"sizes\": [{\"size\": 3, \"network\": \"\"}]}", "'network' is empty"},
        {"{\"sizes\": [{\"size\": 3, \"network_hash\": \"92d4d4a0108029bc\"}]}",
         "'network_hash' of a size is wrong: it needs 'network'"},
        {"{\"openings\": {\"turns\": [3, 2]}}", "'turns'"},
        {"{\"openings\": {\"turns\": [3]}}", "'turns'"},
        {"{\"cheap\": {\"share\": 2}}", "'share'"},
        {"{\"explore\": {\"temperature\": 1}}", "unknown key 'temperature'"},
        {"{\"player\": {\"move_time\": 1}}", "expected simulations"},
        {"{\"player\": {\"search_threads\": 2}}", "search_threads"},
        {"{\"game\": \"bug\", \"sizes\": [{\"size\": 4, \"komi\": 2}]}",
         "komi: 2 on hexhex-4, expected 0, for bug has no points"},
        {"{\"game\": \"bug\", \"sizes\": [{\"size\": 9}]}", "9 is not a board of bug"},
        {"{\"pie\": \"maybe\"}", "'pie'"},
        {"{\"license\": \"two words\"}", "SPDX"},
        {"{\"player\": {\"large_board_simulations\": 9}}", "large_board_simulations"},
        {"{\"resign\": {\"below\": 0.6}}", "'below'"},
        {"{\"resign\": {\"finish\": -1}}", "'finish'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Error error = {.text = ""};
        SelfplayConfig config = selfplay_config_default();
        cJSON *json = json_parse(wrong[i][0], strlen(wrong[i][0]), "test", &error);
        const bool good =
            json && run_config_read(json, "test", &config.run, &error) && run_config_check(&config.run, &error);
        assert_false(good);
        if (!strstr(error.text, wrong[i][1]))
            fail_msg("%s: '%s'", wrong[i][0], error.text);
        cJSON_Delete(json);
    }
}

/* What a merge does with a shard's number relies on it. */
static void wrong_shards_are_named(void **unused) {
    (void)unused;
    static const char *const right[] = {"[0, 0]", "[0, 1]", "[2, 3]", "[99999, 100000]"};
    static const char *const wrong[] = {"[100000, 1]", "[3, 3]", "[1, 0]", "[100000, 100000]", "[0, 100001]",
                                        "[-1, 2]",     "[0]",    "[]",     "[0, 1, 2]"};
    enum { RIGHT = sizeof right / sizeof right[0], WRONG = sizeof wrong / sizeof wrong[0] };
    static SelfplayDocument document, again;
    Error error;
    document = (SelfplayDocument){.config = small_config(), .run = "r", .context = document_context(), .command = "c"};
    assert_true(run_config_check(&document.config.run, &error));
    for (int i = 0; i < RIGHT + WRONG; i++) {
        const char *text = i < RIGHT ? right[i] : wrong[i - RIGHT];
        cJSON *json = selfplay_document_to_json(&document, &(DocumentSchema){"test", 1, "a test"});
        cJSON_ReplaceItemInObjectCaseSensitive(json, "machine_shard", json_parse(text, strlen(text), "test", &error));
        error.text[0] = '\0';
        const bool good = selfplay_document_from_json(json, "test", &again, &error);
        if (good != (i < RIGHT) || !strstr(error.text, good ? "" : "test: 'machine_shard' is wrong, expected"))
            fail_msg("%s: '%s'", text, error.text);
        cJSON_Delete(json);
    }
}

/* ---- Openings ---- */

/* The lowest of the images of an opening, as a number. */
static uint64_t canonical(const Game *game, const Opening *opening) {
    uint64_t lowest = UINT64_MAX;
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        uint64_t hash = 1;
        for (int i = 0; i < opening->count; i++)
            hash = rng_split(hash, game->rules->symmetry(game, map, opening->actions[i]));
        lowest = hash < lowest ? hash : lowest;
    }
    return lowest;
}

static int compare_u64(const void *left, const void *right) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Where nothing says how much a cheap search does, it does not do more than a full one. */
static void cheap_searches_are_not_the_larger_ones(void **unused) {
    (void)unused;
    static const int simulations[][2] = {{400, 80}, {81, 80}, {80, 80}, {79, 79}, {8, 8}}; /* full, cheap */
    Error error;
    for (size_t i = 0; i < sizeof simulations / sizeof *simulations; i++) {
        SelfplayConfig config = selfplay_config_default();
        player_set_limits(&config.player, (uint64_t)simulations[i][0], 0);
        assert_true(run_config_check(&config.run, &error));
        assert_int_equal(selfplay_config_simulations(&config, 5, false), simulations[i][1]);
    }
    SelfplayConfig config = small_config(); /* which says it */
    assert_true(run_config_check(&config.run, &error));
    assert_int_equal(selfplay_config_simulations(&config, 3, false), 10);
}

static void openings_differ_up_to_symmetry(void **unused) {
    (void)unused;
    enum { OPENINGS = 400 };
    uint64_t hashes[OPENINGS];
    Error error;
    SelfplayConfig config = selfplay_config_default();
    config.opening_turns[0] = config.opening_turns[1] = 3;
    config.referee_simulations = 1;
    Game *game = game_new(&(GameOptions){.size = 4}, &error);
    Search *referee = opening_referee(game, &error);
    const SelfplaySize size = {.size = 4, .weight = 1};
    const OpeningSource source = {.config = &config, .size = &size, .game = game, .referee = referee};
    int spread[3] = {0};
    for (int i = 0; i < OPENINGS; i++) {
        Opening opening, again;
        assert_true(selfplay_opening_draw(&source, i, (uint64_t)i, &opening, &error));
        assert_true(selfplay_opening_draw(&source, i, (uint64_t)i, &again, &error));
        assert_int_equal(opening.count, 3);
        assert_int_equal(opening.komi, again.komi);
        assert_memory_equal(opening.actions, again.actions, 3 * sizeof(Action));
        assert_true(opening_legal_at(game, &opening, opening.komi));
        hashes[i] = canonical(game, &opening);
        spread[abs(opening.komi) <= 2 ? 0 : abs(opening.komi) <= 8 ? 1 : 2]++;
    }
    qsort(hashes, OPENINGS, sizeof hashes[0], compare_u64);
    for (int i = 1; i < OPENINGS; i++)
        assert_true(hashes[i] != hashes[i - 1]);
    /* Normal of deviation 2, 5% of deviation 10: within 2.5 points 77%, beyond 8.5 2%. */
    assert_in_range(spread[0], 280, 340);
    assert_in_range(spread[2], 2, 20);
    search_free(referee);
    game_free(game);
}

/* Openings on a board where games end soon have as many turns as they may, and leave the game unfinished. With a
 * small spread komi is the one of the size; with a wild one it stays on the board. */
static void openings_leave_a_game(void **unused) {
    (void)unused;
    enum { OPENINGS = 200, SHORT = 3, LONG = 7 };
    Error error;
    SelfplayConfig config = selfplay_config_default();
    Game *game = game_new(&(GameOptions){.size = 2}, &error);
    Search *referee = opening_referee(game, &error);
    const SelfplaySize size = {.size = 2, .weight = 1, .komi = 3};
    const OpeningSource source = {.config = &config, .size = &size, .game = game, .referee = referee};
    int lengths[LONG + 1] = {0}, bounds[2] = {0};
    config.opening_turns[0] = SHORT;
    config.opening_turns[1] = LONG;
    config.komi_spread = 0.05; /* less than to the next whole number */
    for (int i = 0; i < OPENINGS; i++) {
        Opening opening;
        GameState state;
        int turns = 0;
        config.wild_share = i % 2;
        config.wild_spread = 50;
        assert_true(selfplay_opening_draw(&source, i, (uint64_t)i, &opening, &error));
        assert_true(i % 2 ? abs(opening.komi) <= game->board.cells : opening.komi == 3);
        bounds[0] += opening.komi == -game->board.cells;
        bounds[1] += opening.komi == game->board.cells;
        game->rules->start(game, &state, opening.komi);
        for (int k = 0; k < opening.count; k++) {
            game->rules->apply(game, &state, opening.actions[k]);
            turns += game->rules->turn_start(&state);
        }
        assert_false(game->rules->over(&state));
        assert_in_range(turns, SHORT, LONG);
        lengths[turns]++;
    }
    assert_true(lengths[SHORT] > 0 && lengths[LONG] > 0 && bounds[0] > 0 && bounds[1] > 0);
    search_free(referee);
    game_free(game);
}

/* At the komi of an opening the referee gives both sides the same chance; games without points have none. */
static void openings_are_even(void **unused) {
    (void)unused;
    enum { OPENINGS = 20 };
    static const char *const names[] = {"stigmergy", "bug"};
    for (int n = 0; n < 2; n++) {
        Error error;
        SelfplayConfig config = selfplay_config_default();
        Game *game = game_new(&(GameOptions){.name = names[n], .size = 4}, &error);
        Search *referee = opening_referee(game, &error);
        const SelfplaySize size = {.size = 4, .weight = 1, .auto_komi = game->has_points};
        const OpeningSource source = {.config = &config, .size = &size, .game = game, .referee = referee};
        double black = 0;
        config.referee_simulations = 100;
        for (int i = 0; i < OPENINGS; i++) {
            Opening opening;
            assert_true(selfplay_opening_draw(&source, i, (uint64_t)i, &opening, &error));
            assert_true(game->has_points || opening.komi == 0);
            black += opening.black / OPENINGS;
        }
        assert_true(!game->has_points || fabs(black - 0.5) < 0.03);
        search_free(referee);
        game_free(game);
    }
}

/* ---- Noise ---- */

/* The visits of all moves after a search with noise of this seed. */
static void noisy_visits(const Game *game, uint64_t noise, double strength, uint64_t visits[GAME_ACTIONS_MAX]) {
    Error error;
    GameState state;
    SearchMove moves[GAME_LEGAL_MAX];
    Player player = playout_player();
    player.memory_mb = 4;
    Search *search = player_new_search(&player, NULL, game, 5, &error);
    game->rules->start(game, &state, 2);
    search_set_position(search, &state);
    search_add_noise(search, 100, strength, noise); /* before there is a root nothing happens */
    search_run(search, &(SearchLimits){.simulations = 1});
    search_add_noise(search, 100, strength, noise);
    search_run(search, &(SearchLimits){.simulations = 99});
    memset(visits, 0, GAME_ACTIONS_MAX * sizeof visits[0]);
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    for (int i = 0; i < count; i++)
        visits[moves[i].action] = moves[i].visits;
    search_free(search);
}

static void noise_follows_from_its_seed(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 4}, &error);
    uint64_t first[GAME_ACTIONS_MAX], again[GAME_ACTIONS_MAX], other[GAME_ACTIONS_MAX], sum = 0;
    noisy_visits(game, 1, 0.2, first);
    noisy_visits(game, 1, 0.2, again);
    noisy_visits(game, 2, 0.2, other);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
    for (int i = 0; i < GAME_ACTIONS_MAX; i++)
        sum += first[i];
    assert_in_range(sum, 99, 100);
    game_free(game);
}

/* ---- Games ---- */

static const ContestStop never = {0};

static void play_game(const Game *game, const SelfplayConfig *config, uint64_t seed, GameRecord *record) {
    Error error;
    Search *search = player_new_search(&config->player, NULL, game, 0, &error);
    record_clear(record);
    strcpy(record->id, "game-0");
    record->seed = seed;
    assert_int_equal(selfplay_game_play(game, config, search, &never, record, &error), CONTEST_FINISHED);
    assert_int_equal(record->searches.count, record->count);
    search_free(search);
}

/* Whether one of the actions with visits has this value. */
static bool is_value_of_visits(const int32_t *values, const int32_t *visits, int count, int32_t value) {
    for (int k = 0; k < count; k++)
        if (visits[k] > 0 && values[k] == value)
            return true;
    return false;
}

/* Of a full search: a visited action has a value, any other one none that is not proved, unless an image of it has
 * visits; and the best of the visited ones are worth about what the search says. A sure win has all visits. Every cell
 * has an owner. Returns whether there is a sure win. */
static bool check_findings(const Game *game, const RecordSearches *searches, const RecordSearch *entry, int count,
                           int32_t simulations) {
    bool sure = false, guessed = false;
    double sum = 0, visits = 0;
    for (int k = 0; k < count; k++) {
        const int32_t value = searches->values[entry->actions + k], times = searches->visits[entry->actions + k];
        assert_in_range(value + 1, times > 0 ? 1 : 0, RECORD_WIN_RATE_ONE + 1);
        sure |= times == simulations;
        guessed |=
            times == 0 && value > 0 && value < RECORD_WIN_RATE_ONE &&
            !is_value_of_visits(searches->values + entry->actions, searches->visits + entry->actions, count, value);
        sum += times > 0 ? (double)times * value : 0;
        visits += times;
    }
    assert_true(sure ? entry->win_rate == RECORD_WIN_RATE_ONE && visits == simulations : !guessed);
    if (entry->win_rate > 0 && entry->win_rate < RECORD_WIN_RATE_ONE)
        assert_true(fabs(sum / visits - entry->win_rate) < 0.1 * RECORD_WIN_RATE_ONE);
    for (int c = 0; c < game->board.cells && entry->owners >= 0; c++)
        assert_in_range(searches->owners[entry->owners + c], 0, RECORD_OWNER_ONE);
    return sure;
}

static void check_searches(const Game *game, const SelfplayConfig *config, const GameRecord *record, int kinds[3],
                           int *sure) {
    GameState state;
    Action legal[GAME_LEGAL_MAX];
    game->rules->start(game, &state, record->komi);
    for (int i = 0; i < record->count; i++) {
        const RecordSearch *entry = &record->searches.entries[i];
        const int count = game->rules->legal(game, &state, legal);
        uint64_t visits = 0;
        assert_int_equal(count == 1, entry->kind == SEARCH_NONE);
        for (int k = 0; entry->kind == SEARCH_FULL && k < count; k++)
            visits += (uint64_t)record->searches.visits[entry->actions + k];
        assert_true(visits <= config->player.simulations && (entry->kind != SEARCH_FULL || visits > 0));
        if (entry->kind == SEARCH_FULL)
            *sure += check_findings(game, &record->searches, entry, count, (int32_t)config->player.simulations);
        kinds[entry->kind]++;
        game->rules->apply(game, &state, record->actions[i]);
    }
}

/* All games: records keep what the searches found, and are read back as they were. */
static void records_keep_the_searches(void **unused) {
    (void)unused;
    static const char *const names[] = {"stigmergy", "bug", "sgolte"};
    for (int n = 0; n < 3; n++) {
        Error error;
        SelfplayConfig config = small_config();
        Game *game = game_new(&(GameOptions){.name = names[n], .size = 3}, &error);
        GameRecord record = {0}, again = {0};
        int kinds[3] = {0}, sure = 0;
        for (uint64_t seed = 0; seed < 6; seed++) {
            play_game(game, &config, seed, &record);
            check_searches(game, &config, &record, kinds, &sure);
            char *line = record_to_line(&record, game, &error);
            assert_true(record_from_line(line, strlen(line), "test", game, &again, &error));
            char *second = record_to_line(&again, game, &error);
            assert_string_equal(line, second);
            free(line);
            free(second);
        }
        assert_true(kinds[SEARCH_FULL] > sure && sure > 0 && kinds[SEARCH_CHEAP] > kinds[SEARCH_FULL]);
        record_free(&record);
        record_free(&again);
        game_free(game);
    }
}

/* Whether the action of a full search is one of those with the most visits. */
static bool is_most_visited(const RecordSearches *searches, const RecordSearch *entry, const Action *legal, int count,
                            Action action) {
    int32_t most = 0, own = 0;
    for (int k = 0; k < count; k++) {
        const int32_t visits = searches->visits[entry->actions + k];
        most = visits > most ? visits : most;
        own = legal[k] == action ? visits : own;
    }
    return own == most;
}

/* Exploration draws actions up to its last turn, and then the best one is taken. (Where all are proved to lose, the one
 * with the most visits need not be that.) */
static void exploration_ends(void **unused) {
    (void)unused;
    enum { LAST = 8 }; /* of turns that explore */
    Error error;
    SelfplayConfig config = small_config();
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    GameRecord record = {0};
    int drawn = 0, drawn_last = 0;
    config.cheap_share = 0;
    config.explore_turns = (LAST + 1.5) / game->board.cells;
    for (uint64_t seed = 0; seed < 40; seed++) {
        GameState state;
        Action legal[GAME_LEGAL_MAX];
        int turns = 0;
        play_game(game, &config, seed, &record);
        game->rules->start(game, &state, record.komi);
        for (int i = 0; i < record.count; i++) {
            const RecordSearch *entry = &record.searches.entries[i];
            const int count = game->rules->legal(game, &state, legal);
            const bool best = entry->kind != SEARCH_FULL || entry->win_rate == 0 ||
                              is_most_visited(&record.searches, entry, legal, count, record.actions[i]);
            drawn += !best;
            drawn_last += !best && turns == LAST;
            assert_true(best || turns <= LAST);
            game->rules->apply(game, &state, record.actions[i]);
            turns += game->rules->over(&state) || game->rules->turn_start(&state);
        }
    }
    assert_true(drawn > 40 && drawn_last > 0);
    record_free(&record);
    game_free(game);
}

/* A size may have simulations of its own; cheap searches grow with them. */
static void sizes_have_their_simulations(void **unused) {
    (void)unused;
    Error error;
    SelfplayConfig config = small_config();
    config.sizes[0].simulations = 45;
    assert_int_equal(selfplay_config_simulations(&config, 3, true), 45);
    assert_int_equal(selfplay_config_simulations(&config, 3, false), 15);
    assert_int_equal(selfplay_config_simulations(&config, 2, true), 30);
    assert_int_equal(selfplay_config_simulations(&config, 2, false), 10);
    config.cheap_share = 0;
    Game *game = game_new(&(GameOptions){.name = "stigmergy", .size = 3}, &error);
    GameRecord record = {0};
    play_game(game, &config, 1, &record);
    const RecordSearch *first = &record.searches.entries[0];
    uint64_t visits = 0;
    for (int k = 0; k < game->board.cells; k++)
        visits += (uint64_t)record.searches.visits[first->actions + k];
    assert_int_equal(visits, 44); /* the first simulation makes the root */
    record_free(&record);
    game_free(game);
}

/* Each board is played with its own network, unless the settings say another one; and the run is read back as it is. */
static void sizes_have_their_networks(void **unused) {
    (void)unused;
    Error error;
    char first[20], second[20];
    SelfplayConfig config = selfplay_config_default(), again = selfplay_config_default();
    config.sizes[1] = (SelfplaySize){.size = 6, .weight = 1, .auto_komi = true};
    config.sizes[2] = (SelfplaySize){.size = 7, .weight = 1, .auto_komi = true, .player.network = "stigmergy-5"};
    config.size_count = 3;
    assert_true(run_config_check(&config.run, &error));
    assert_string_equal(config.sizes[0].player.network, "stigmergy-5");
    assert_string_equal(config.sizes[1].player.network, "stigmergy-6");
    assert_string_equal(config.sizes[2].player.network, "stigmergy-5");
    assert_int_equal(config.sizes[1].player.params.considered, 16);
    cJSON *identity = run_config_identity(&config.run);
    const cJSON *sizes = json_get(identity, "sizes");
    assert_false(cJSON_HasObjectItem(cJSON_GetArrayItem(sizes, 0), "network")); /* that of the player */
    assert_true(cJSON_HasObjectItem(cJSON_GetArrayItem(sizes, 1), "network_hash"));
    assert_true(document_hash(identity, first, &error));
    cJSON_DeleteItemFromObject(identity, "engine");
    assert_true(run_config_read(identity, "test", &again.run, &error));
    assert_true(run_config_check(&again.run, &error) && run_config_hash(&again.run, second, &error));
    assert_string_equal(first, second);
    cJSON_Delete(identity);
}

/* With sequential halving the record has the improved policy, and the noise makes games differ. */
static void halving_records_its_policy(void **unused) {
    (void)unused;
    Error error;
    SelfplayConfig config = small_config();
    Game *game = game_new(&(GameOptions){.name = "stigmergy", .size = 3}, &error);
    GameRecord records[3] = {0};
    int searches = 0;
    config.player.params.selection = SELECTION_PUCT;
    config.player.params.considered = 8;
    for (int i = 0; i < 3; i++)
        play_game(game, &config, (uint64_t)i / 2, &records[i]);
    for (int i = 0; i < records[0].count; i++) {
        const RecordSearch *entry = &records[0].searches.entries[i];
        const int end = i + 1 < records[0].count ? entry[1].actions : records[0].searches.visit_count;
        int64_t sum = 0;
        if (entry->kind != SEARCH_FULL)
            continue;
        for (int k = entry->actions; k < end; k++)
            sum += records[0].searches.visits[k];
        assert_in_range(sum, RECORD_POLICY_ONE - GAME_LEGAL_MAX / 2, RECORD_POLICY_ONE + GAME_LEGAL_MAX / 2);
        searches++;
    }
    assert_true(searches > 0);
    assert_int_equal(records[0].count, records[1].count);
    assert_memory_equal(records[0].actions, records[1].actions, (size_t)records[0].count * sizeof(Action));
    assert_true(records[2].count != records[0].count ||
                memcmp(records[0].actions, records[2].actions, (size_t)records[0].count * sizeof(Action)));
    for (int i = 0; i < 3; i++)
        record_free(&records[i]);
    game_free(game);
}

/* Records of versions that kept neither values nor owners are read, and written again as they were. */
static void searches_may_know_less(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "{\"kinds\":\"fc\",\"win_rates\":[1,2],\"scores\":[0,-3],\"visits\":[[1,-5,3]]}",
        "{\"kinds\":\"ff\",\"win_rates\":[1,2],\"scores\":[0,-3],\"visits\":[[1,-5,3],[-5,1]],"
        "\"values\":[[0,-5,10000],[-6]],\"owners\":[\"\",\"AZaz09/\"]}",
    };
    const RecordShape shape = {2, 7, (int[]){7, 6}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Error error;
        RecordSearches searches = {0};
        cJSON *json = json_parse(texts[i], strlen(texts[i]), "test", &error);
        assert_true(record_searches_from_json(json, "test", &shape, &searches, &error));
        assert_int_equal(searches.values[0], i == 0 ? RECORD_VALUE_UNKNOWN : 0);
        assert_int_equal(searches.entries[0].owners, -1);
        assert_int_equal(searches.entries[1].owners, i == 0 ? -1 : 0);
        cJSON *again = record_searches_to_json(&searches, &shape);
        char *text = cJSON_PrintUnformatted(again);
        assert_string_equal(text, texts[i]);
        free(text);
        cJSON_Delete(again);
        cJSON_Delete(json);
        record_searches_free(&searches);
    }
}

static void wrong_searches_are_refused(void **unused) {
    (void)unused;
    static const char *const wrong[][2] = {
        {"{\"kinds\": \"f\", \"win_rates\": [5000], \"scores\": [0], \"visits\": []}", "kinds"},
        {"{\"kinds\": \"fx\", \"win_rates\": [5000], \"scores\": [0], \"visits\": [[1, 2, -5]]}", "kinds"},
        {"{\"kinds\": \"c-\", \"win_rates\": [], \"scores\": [0], \"visits\": []}", "win_rates"},
        {"{\"kinds\": \"c-\", \"win_rates\": [10001], \"scores\": [0], \"visits\": []}", "win_rates"},
        {"{\"kinds\": \"c-\", \"win_rates\": [0.5], \"scores\": [0], \"visits\": []}", "win_rates"},
        {"{\"kinds\": \"c-\", \"win_rates\": [1], \"scores\": [0, 1], \"visits\": []}", "scores"},
        {"{\"kinds\": \"f-\", \"win_rates\": [1], \"scores\": [0], \"visits\": [[1, -5]]}", "visits"},
        {"{\"kinds\": \"f-\", \"win_rates\": [1], \"scores\": [0], \"visits\": [[1, -1000000000]]}", "visits"},
        {"{\"kinds\": \"f-\", \"win_rates\": [1], \"scores\": [0], \"visits\": [[-7, 1]]}", "visits"},
        {"{\"kinds\": \"f-\", \"win_rates\": [1], \"scores\": [0], \"visits\": [[0, -6]]}", "visits"},
        {"{\"kinds\": \"f-\", \"win_rates\": [1], \"scores\": [0], \"visits\": [3]}", "visits"},
        {"{\"kinds\": \"--\", \"win_rates\": [], \"scores\": [], \"visits\": [[-7]]}", "visits"},
        {"{\"kinds\": \"f-\", \"win_rates\": [1], \"scores\": [0], \"visits\": [[1, -6]], \"values\": [[0, -5]]}",
         "values"},
        {"{\"kinds\": \"f-\", \"win_rates\": [1], \"scores\": [0], \"visits\": [[1, -6]], \"values\": [[10001, -6]]}",
         "values"},
        {"{\"kinds\": \"f-\", \"win_rates\": [1], \"scores\": [0], \"visits\": [[1, -6]], \"values\": []}", "values"},
        {"{\"kinds\": \"--\", \"win_rates\": [], \"scores\": [], \"visits\": [], \"values\": [[-7]]}", "values"},
        {"{\"kinds\": \"f-\", \"win_rates\": [1], \"scores\": [0], \"visits\": [[1, -6]], \"owners\": [\"AAA\"]}",
         "owners"},
        {"{\"kinds\": \"f-\", \"win_rates\": [1], \"scores\": [0], \"visits\": [[1, -6]], \"owners\": [\"AAAAAA=\"]}",
         "owners"},
        {"{\"kinds\": \"f-\", \"win_rates\": [1], \"scores\": [0], \"visits\": [[1, -6]], \"owners\": [7]}", "owners"},
        {"{\"kinds\": \"--\", \"win_rates\": [], \"scores\": [], \"visits\": [], \"owners\": [\"\"]}", "owners"},
        {"{\"kinds\": 3, \"win_rates\": [], \"scores\": [], \"visits\": []}", "kinds"},
        {"{\"kinds\": \"--\", \"win_rates\": [], \"scores\": []}", "'visits'"},
    };
    const RecordShape shape = {2, 7, (int[]){7, 6}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Error error = {.text = ""};
        RecordSearches searches = {0};
        cJSON *json = json_parse(wrong[i][0], strlen(wrong[i][0]), "test", &error);
        assert_non_null(json);
        assert_false(record_searches_from_json(json, "test", &shape, &searches, &error));
        if (!strstr(error.text, wrong[i][1]))
            fail_msg("%s: '%s'", wrong[i][0], error.text);
        record_searches_free(&searches);
        cJSON_Delete(json);
    }
}

/* In seven games of ten a side gives up early. */
static SelfplayConfig resigning_config(void) {
    SelfplayConfig config = small_config();
    config.resign_below = 0.4;
    config.resign_moves = 2;
    config.resign_never = 0.3;
    return config;
}

/* A game that was given up is the same game up to there. What comes after it has a result, and no searches. */
static void resigned_games_can_be_finished(void **unused) {
    (void)unused;
    Error error;
    SelfplayConfig config = resigning_config();
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    GameRecord resigned = {0}, finished = {0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        config.resign_finish = 0;
        play_game(game, &config, seed, &resigned);
        config.resign_finish = 4;
        play_game(game, &config, seed, &finished);
        assert_int_equal(finished.reason, END_SCORE);
        assert_true(finished.count >= resigned.count);
        assert_memory_equal(finished.actions, resigned.actions, (size_t)resigned.count * sizeof *resigned.actions);
        if (resigned.reason != END_RESIGN) {
            assert_int_equal(finished.count, resigned.count);
            continue;
        }
        assert_true(finished.count > resigned.count);
        for (int i = resigned.count + 1; i < finished.count; i++)
            assert_int_equal(finished.searches.entries[i].kind, SEARCH_NONE);
    }
    record_free(&resigned);
    record_free(&finished);
    game_free(game);
}

/* The number of the search after which a side gives up, -1 where neither does. */
static int gives_up_after(const Game *game, const SelfplayConfig *config, const GameRecord *record) {
    GameState state;
    int hopeless[2] = {0};
    game->rules->start(game, &state, record->komi);
    for (int i = 0; i < record->count; i++) {
        const RecordSearch *entry = &record->searches.entries[i];
        int *times = &hopeless[game->rules->to_move(&state)];
        if (entry->kind != SEARCH_NONE)
            *times = entry->win_rate < config->resign_below * RECORD_WIN_RATE_ONE ? *times + 1 : 0;
        if (*times == config->resign_moves)
            return i;
        game->rules->apply(game, &state, record->actions[i]);
    }
    return -1;
}

/* Exactly the side gives up that has had so many hopeless searches of its own in succession, and the other one wins. */
static void sides_give_up_in_time(void **unused) {
    (void)unused;
    Error error;
    SelfplayConfig config = resigning_config();
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    GameRecord resigned = {0}, finished = {0};
    int by[2] = {0};
    config.resign_never = 0;
    config.resign_below = 0.40005; /* no win rate that is written down */
    config.resign_moves = 3;
    for (uint64_t seed = 0; seed < 40; seed++) {
        config.resign_finish = 0;
        play_game(game, &config, seed, &resigned);
        config.resign_finish = 4;
        play_game(game, &config, seed, &finished);
        const int after = gives_up_after(game, &config, &finished);
        assert_int_equal(resigned.reason == END_RESIGN, after >= 0);
        assert_int_equal(resigned.count, after >= 0 ? after : finished.count);
        if (after < 0)
            continue;
        GameState state;
        game->rules->start(game, &state, resigned.komi);
        for (int i = 0; i < resigned.count; i++)
            game->rules->apply(game, &state, resigned.actions[i]);
        const Side loser = game->rules->to_move(&state);
        assert_int_equal(resigned.result.winner, side_opponent(loser));
        by[loser]++;
    }
    assert_true(by[BLACK] > 5 && by[WHITE] > 5);
    record_free(&resigned);
    record_free(&finished);
    game_free(game);
}

static void hopeless_games_can_be_resigned(void **unused) {
    (void)unused;
    Error error;
    SelfplayConfig config = resigning_config();
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    GameRecord record = {0};
    int resigned = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        play_game(game, &config, seed, &record);
        resigned += record.reason == END_RESIGN;
        assert_true(record.reason == END_RESIGN || record.reason == END_SCORE);
        char *line = record_to_line(&record, game, &error);
        GameRecord again = {0};
        assert_true(record_from_line(line, strlen(line), "test", game, &again, &error));
        record_free(&again);
        free(line);
    }
    assert_in_range(resigned, 9, 19);
    record_free(&record);
    game_free(game);
}

/* In games whose turns have several actions a side gives up before a turn, not within one: a record holds whole turns.
 */
static void whole_turns_are_resigned(void **unused) {
    (void)unused;
    static const char *const names[] = {"bug", "sgolte"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Error error;
        SelfplayConfig config = resigning_config();
        snprintf(config.run.game, sizeof config.run.game, "%s", names[i]);
        config.resign_below = 0.5;
        config.resign_never = 0;
        Game *game = game_new(&(GameOptions){.name = names[i], .size = 3}, &error);
        GameRecord record = {0};
        int resigned = 0, within = 0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            play_game(game, &config, seed, &record);
            resigned += record.reason == END_RESIGN;
            char *line = record_to_line(&record, game, &error);
            GameRecord again = {0};
            if (!record_from_line(line, strlen(line), "test", game, &again, &error))
                fail_msg("%s", error.text);
            within += again.count != record.count;
            record_free(&again);
            free(line);
        }
        assert_true(resigned > 10 && within == 0);
        record_free(&record);
        game_free(game);
    }
}

/* ---- Runs ---- */

static Run *open_run(const SelfplayConfig *config, ShardSpec shard, const char *path) {
    Error error = {.text = ""};
    Run *run = run_new(&selfplay_kind, &config->run, shard, &error);
    if (!run || !selfplay_run_open(run, path, &error))
        fail_msg("%s", error.text);
    return run;
}

static void play_run(const SelfplayConfig *wanted, ShardSpec shard, const char *path, int threads, int64_t games,
                     bool finish) {
    Error error = {.text = ""};
    SelfplayConfig config = *wanted;
    config.run.games = games;
    Run *run = open_run(&config, shard, path);
    GameStore *store = &selfplay_state(run)->store;
    const RunSession session = {.threads = threads};
    assert_int_equal(run_play(run, &session, &error), RUN_DONE);
    assert_int_equal(store->played, selfplay_run_wanted(run));
    if (finish)
        assert_true(game_store_finish(store, &error));
    run_free(run);
}

static void assert_same_files(const char *a, const char *b, const char *name) {
    char path[512];
    size_t length_a, length_b;
    snprintf(path, sizeof path, "%s/%s", a, name);
    char *text_a = file_read(path, &length_a, NULL);
    snprintf(path, sizeof path, "%s/%s", b, name);
    char *text_b = file_read(path, &length_b, NULL);
    assert_true(text_a && text_b && length_a == length_b && !memcmp(text_a, text_b, length_a));
    free(text_a);
    free(text_b);
}

static const char first_block[] = "records/games-000000.jsonl.zst", second_block[] = "records/games-000001.jsonl.zst";

static bool take(Run *run, const char *path, Error *error) {
    return selfplay_sources_take(&(SelfplaySources){&path, 1}, run, NULL, error);
}

/* In one go; bit by bit, by several threads, packed in between; by three machines that are put together. */
static void runs_end_in_the_same_records(void **unused) {
    (void)unused;
    enum { GAMES = GAME_STORE_BLOCK + 20, MACHINES = 3 };
    const ShardSpec whole = {0, 0};
    SelfplayConfig config = small_config();
    config.sizes[0].weight = 0.1;
    config.player.simulations = 8;
    config.cheap_simulations = 4;
    config.run.games = GAMES;
    char one[256], parts[256], joined[256];
    in_folder(one, "one");
    in_folder(parts, "parts");
    in_folder(joined, "joined");
    play_run(&config, whole, one, 1, GAMES, true);
    play_run(&config, whole, parts, 2, 10, false);
    play_run(&config, whole, parts, 1, 20, true);
    play_run(&config, whole, parts, 2, GAME_STORE_BLOCK, false);
    play_run(&config, whole, parts, 2, GAMES, true);
    assert_same_files(one, parts, first_block);
    assert_same_files(one, parts, second_block);
    Error error;
    Run *run = open_run(&config, whole, joined);
    GameStore *store = &selfplay_state(run)->store;
    for (int i = 0; i < MACHINES; i++) {
        char path[256], name[16];
        snprintf(name, sizeof name, "machine-%d", i);
        in_folder(path, name);
        play_run(&config, (ShardSpec){i, MACHINES}, path, 2, GAMES, i != 1);
        assert_true(take(run, path, &error));
        assert_true(take(run, path, &error)); /* a second time changes nothing */
    }
    assert_int_equal(store->played, GAMES);
    assert_true(game_store_finish(store, &error));
    run_free(run);
    assert_same_files(one, joined, first_block);
    assert_same_files(one, joined, second_block);
}

/* How many bytes the program has written so far. */
static long long bytes_written(void) {
    long long count = -1;
    FILE *file = fopen("/proc/self/io", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "rchar: %*d wchar: %lld", &count), 1);
    fclose(file);
    return count;
}

static long long file_size(const char *folder_of, const char *name) {
    char path[512];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder_of, name);
    assert_int_equal(stat(path, &status), 0);
    return status.st_size;
}

/* Games of shards come one shard after the other, so that no block is complete before the last one. Still every game
 * is written once: it takes as many bytes to put shards together as there are in the end. */
static void taken_games_are_written_once(void **unused) {
    (void)unused;
    enum { SHARDS = 3 };
    static const char third_block[] = "records/games-000002.jsonl.zst";
    Error error;
    SelfplayConfig config = small_config();
    config.sizes[0] = config.sizes[1];
    config.size_count = 1;
    config.player.simulations = 2;
    config.cheap_simulations = 1;
    config.run.games = SHARDS * GAME_STORE_BLOCK;
    char joined[256], path[256], name[16];
    in_folder(joined, "at-once");
    Run *run = open_run(&config, (ShardSpec){0, 0}, joined);
    for (int i = 0; i < SHARDS; i++) {
        snprintf(name, sizeof name, "third-%d", i);
        in_folder(path, name);
        play_run(&config, (ShardSpec){i, SHARDS}, path, 2, config.run.games, true);
    }
    const long long before = bytes_written();
    for (int i = 0; i < SHARDS; i++) {
        snprintf(name, sizeof name, "third-%d", i);
        in_folder(path, name);
        assert_true(take(run, path, &error));
    }
    assert_true(game_store_finish(&selfplay_state(run)->store, &error));
    const long long written = bytes_written() - before;
    run_free(run);
    assert_int_equal(written,
                     file_size(joined, first_block) + file_size(joined, second_block) + file_size(joined, third_block));
}

/* The line of a game may be written by others as JSON may be: then it is written anew where it is taken over, and is no
 * line of a store. */
static void lines_of_others_are_written_anew(void **unused) {
    (void)unused;
    Error error;
    const SelfplayConfig config = small_config();
    char from[256], to[256], records[300], others[300], expected[720];
    in_folder(from, "plain");
    in_folder(to, "rewritten");
    snprintf(records, sizeof records, "%s/games.jsonl", from);
    in_folder(others, "others.jsonl");
    play_run(&config, (ShardSpec){0, 0}, from, 1, 1, false);
    char *text = read_text(records), *escaped = malloc(strlen(text) + 6);
    assert_non_null(escaped);
    drop_checksums(text);
    assert_int_equal(strncmp(text, "{\"id\":\"g", 8), 0);
    sprintf(escaped, "{\"id\":\"\\u0067%s", text + 8);
    write_text(others, escaped);
    Run *run = open_run(&config, (ShardSpec){0, 0}, to);
    assert_true(take(run, others, &error));
    assert_true(game_store_finish(&selfplay_state(run)->store, &error));
    run_free(run);
    play_run(&config, (ShardSpec){0, 0}, from, 1, 1, true);
    assert_same_files(from, to, first_block);
    in_folder(from, "escaped");
    assert_int_equal(mkdir(from, 0755), 0);
    snprintf(records, sizeof records, "%s/games.jsonl", from);
    write_text(records, escaped);
    run = run_new(&selfplay_kind, &config.run, (ShardSpec){0, 0}, &error);
    snprintf(expected, sizeof expected,
             "%s: game 0: its line does not begin with its id, expected {\"id\":\"game-0\" without spaces; --from %s "
             "--out OTHER writes it so",
             records, from);
    assert_named(selfplay_run_open(run, from, &error), &error, expected);
    run_free(run);
    free(escaped);
    free(text);
}

/* Lines that end as in Windows are those of the same games. */
static void ends_of_lines_do_not_matter(void **unused) {
    (void)unused;
    Error error;
    const SelfplayConfig config = small_config();
    char from[256], to[256], records[300], others[300];
    in_folder(from, "short-lines");
    in_folder(to, "long-lines");
    snprintf(records, sizeof records, "%s/games.jsonl", from);
    in_folder(others, "crlf.jsonl");
    play_run(&config, (ShardSpec){0, 0}, from, 1, 3, false);
    char *text = read_text(records), *longer = calloc(2, strlen(text)), *end = longer;
    assert_non_null(longer);
    for (const char *c = text; *c; c++)
        end += sprintf(end, *c == '\n' ? "\r%c" : "%c", *c);
    write_text(others, longer);
    Run *run = open_run(&config, (ShardSpec){0, 0}, to);
    assert_true(take(run, others, &error));
    assert_true(game_store_finish(&selfplay_state(run)->store, &error));
    run_free(run);
    play_run(&config, (ShardSpec){0, 0}, from, 1, 3, true);
    assert_same_files(from, to, first_block);
    free(longer);
    free(text);
}

static StopFlag stop_now;

static bool stop_soon(void *user, const RunProgress *now, Error *error) {
    int *left = user;
    (void)error;
    if (now->record && --*left == 0)
        stop_flag_set(&stop_now);
    return true;
}

static void a_stopped_run_goes_on(void **unused) {
    (void)unused;
    Error error;
    char one[256], other[256];
    in_folder(one, "unstopped");
    in_folder(other, "stopped");
    SelfplayConfig config = small_config();
    play_run(&config, (ShardSpec){0, 0}, one, 2, config.run.games, true);
    for (int i = 0; i < 3; i++) {
        int left = 8;
        Run *run = open_run(&config, (ShardSpec){0, 0}, other);
        stop_flag_clear(&stop_now);
        run->stop = &stop_now;
        const RunSession session = {.threads = 2, .progress = stop_soon, .user = &left};
        assert_int_equal(run_play(run, &session, &error), RUN_STOPPED);
        run_free(run);
    }
    play_run(&config, (ShardSpec){0, 0}, other, 1, config.run.games, true);
    assert_same_files(one, other, first_block);
}

/* ---- Sessions ---- */

static const SelfplaySession *ending; /* of another process: it ends before the next lock is taken */

int __real_flock(int descriptor, int how);
int __wrap_flock(int descriptor, int how);
int __wrap_flock(int descriptor, int how) {
    if (ending)
        assert_true(selfplay_document_write(ending->folder, ending->document, NULL));
    ending = NULL;
    return __real_flock(descriptor, how);
}

/* A session that begins while another one ends goes on from what that one leaves, not from what was there before. */
static void sessions_go_on_from_the_last_one(void **unused) {
    (void)unused;
    Error error;
    char path[256];
    in_folder(path, "sessions");
    SelfplayDocument first = {.config = small_config(), .context = document_context(), .command = "c"}, second;
    assert_true(run_config_check(&first.config.run, &error));
    second = first;
    SelfplaySession session;
    if (!selfplay_session_open(&session, path, &first, &error) || !selfplay_session_write(&session, &error))
        fail_msg("%s", error.text);
    run_free(session.run);
    first.context.seconds = 100;
    ending = &session;
    SelfplaySession next;
    if (!selfplay_session_open(&next, path, &second, &error) || !selfplay_session_write(&next, &error))
        fail_msg("%s", error.text);
    assert_null(ending);
    assert_true(second.context.seconds >= 100);
    run_free(next.run);
}

/* While games are played the document is written from time to time, so a session that is killed loses few seconds. */
static void sessions_keep_their_seconds(void **unused) {
    (void)unused;
    Error error;
    char path[256];
    in_folder(path, "seconds");
    static SelfplayDocument document, found;
    document = (SelfplayDocument){.config = small_config(), .context = document_context(), .command = "c"};
    SelfplaySession session;
    assert_true(run_config_check(&document.config.run, &error));
    if (!selfplay_session_open(&session, path, &document, &error) || !selfplay_session_write(&session, &error))
        fail_msg("%s", error.text);
    for (int passed = 20; passed <= 40; passed += 20) {
        session.begin -= 20;
        session.written_at -= 20;
        assert_true(selfplay_session_keep(&session, &error) && selfplay_document_load(path, &found, &error));
        assert_true(passed < 30 ? found.context.seconds < 20 : found.context.seconds >= 40);
    }
    assert_true(wall_seconds() < session.written_at + 20);
    run_free(session.run);
}

/* Opens the data set of a folder as a shard, and expects an error that names something. */
static void assert_not_opened(const SelfplayConfig *config, ShardSpec shard, const char *path, const char *what) {
    Error error = {.text = ""};
    char open_games[300];
    Run *run = run_new(&selfplay_kind, &config->run, shard, &error);
    assert_non_null(run);
    assert_named(selfplay_run_open(run, path, &error), &error, what);
    run_free(run);
    snprintf(open_games, sizeof open_games, "%s/games.jsonl", path);
    assert_false(file_exists(open_games));
}

/* What somebody did to a packed file is found when its data set is opened again. The file stays as it is, and the set
 * gets no other one. */
static void changed_packs_are_named(void **unused) {
    (void)unused;
    const ShardSpec whole = {0, 0};
    Error error;
    SelfplayConfig config = small_config();
    char path[256], pack[300], elsewhere[300];
    in_folder(path, "changed");
    snprintf(pack, sizeof pack, "%s/%s", path, first_block);
    snprintf(elsewhere, sizeof elsewhere, "%s/records/games-7.jsonl.zst", path);
    config.run.games = 3;
    play_run(&config, whole, path, 1, 3, true);
    size_t length;
    char *text = zstd_file_read(pack, &length, &error);
    assert_non_null(text);
    assert_true(zstd_file_write(pack, text, length - 1, &error));
    assert_not_opened(&config, whole, path, "its last line has no end");
    char *twice = malloc(2 * length + 1);
    memcpy(twice, text, length);
    memcpy(twice + length, text, length);
    assert_true(zstd_file_write(pack, twice, 2 * length, &error));
    assert_not_opened(&config, whole, path, "game 0 is out of place");
    twice[length + 2] = 'I'; /* the key "id" of the fourth line */
    assert_true(zstd_file_write(pack, twice, 2 * length, &error));
    assert_not_opened(&config, whole, path, first_block);
    static const char *const changes[][2] = {
        {"\"seed\":\"0", "has the seed"}, {"\"black\":\"?", "Black is '?"}, {"\"white\":\"?", "White is '?"}};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const char *change = changes[i][0];
        for (int version = 2; version > 0; version--) {
            memcpy(twice, text, length);
            twice[length] = '\0';
            char *place = strstr(twice, (char[]){'"', change[1], change[2], change[3], '\0'});
            memcpy(place, change, strlen(change));
            if (version == 1)
                drop_checksums(twice);
            assert_true(zstd_file_write(pack, twice, strlen(twice), &error));
            assert_not_opened(&config, whole, path, version == 2 ? "the line was changed" : changes[i][1]);
        }
    }
    free(twice);
    assert_true(zstd_file_write(pack, text, length, &error));
    assert_true(zstd_file_write(elsewhere, text, length, &error));
    assert_not_opened(&config, whole, path, "is no file of a data set");
    assert_int_equal(remove(elsewhere), 0);
    snprintf(elsewhere, sizeof elsewhere, "%s/%s", path, second_block);
    assert_true(zstd_file_write(elsewhere, text, length, &error));
    assert_not_opened(&config, whole, path, "games-000001.jsonl.zst: game 0 is out of place");
    assert_int_equal(remove(elsewhere), 0);
    free(text);
    play_run(&config, whole, path, 1, 3, true); /* as it was, it is a data set again */
}

/* A data set that shards make cannot be continued as another shard, and holds no games of another one. */
static void shards_of_data_sets_stay_apart(void **unused) {
    (void)unused;
    Error error;
    SelfplayConfig config = small_config();
    char first[256], second[256], from[300], to[300];
    in_folder(first, "shard-0");
    in_folder(second, "shard-1");
    config.run.games = 6;
    for (int i = 0; i < 2; i++) {
        const char *path = i ? second : first;
        static SelfplayDocument document;
        play_run(&config, (ShardSpec){i, 2}, path, 1, 6, true);
        document = (SelfplayDocument){.config = config, .shard = {i, 2}, .context = document_context(), .command = "c"};
        assert_true(run_config_check(&document.config.run, &error));
        assert_true(run_config_hash(&document.config.run, document.run, &error));
        assert_true(selfplay_document_write(path, &document, &error));
        document.shard = (ShardSpec){1 - i, 2};
        assert_named(selfplay_document_resume(path, &document, &error, &error), &error, "is of another shard");
        document.shard = (ShardSpec){i, 3};
        assert_named(selfplay_document_resume(path, &document, &error, &error), &error, "is of another shard");
    }
    snprintf(from, sizeof from, "%s/%s", second, first_block);
    snprintf(to, sizeof to, "%s/%s", first, first_block);
    assert_int_equal(rename(from, to), 0);
    assert_not_opened(&config, (ShardSpec){0, 2}, first, "is not of shard 0/2");
}

/* A run with fewer games than there are would make a set of the wrong ones: it is neither opened nor are games of other
 * records taken over. */
static void fewer_games_than_there_are_are_refused(void **unused) {
    (void)unused;
    Error error;
    SelfplayConfig config = small_config();
    char whole[256], part[256], fewer[256];
    in_folder(whole, "many");
    in_folder(part, "many-shard");
    in_folder(fewer, "fewer");
    play_run(&config, (ShardSpec){0, 0}, whole, 1, 6, true);
    play_run(&config, (ShardSpec){1, 2}, part, 1, 6, true);
    config.run.games = 5;
    assert_not_opened(&config, (ShardSpec){0, 0}, whole, "has game-5, expected --games 6 or more, not 5");
    assert_not_opened(&config, (ShardSpec){1, 2}, part, "has game-5, expected --games 6 or more, not 5");
    Run *run = open_run(&config, (ShardSpec){0, 0}, fewer);
    assert_named(take(run, whole, &error), &error, "many: has game-5, expected --games 6 or more, not 5");
    run_free(run);
    play_run(&config, (ShardSpec){0, 0}, whole, 1, 6, true);
}

/* A run wants all its games of the sources, and a shard of one only its own: of others it takes none. */
static void shards_take_their_games_alone(void **unused) {
    (void)unused;
    Error error;
    SelfplayConfig config = small_config();
    char whole[256], part[256], path[256];
    in_folder(whole, "all-games");
    in_folder(part, "odd-games");
    config.run.games = 6;
    play_run(&config, (ShardSpec){0, 0}, whole, 1, 6, true);
    play_run(&config, (ShardSpec){1, 2}, part, 1, 6, true);
    config.run.games = 7; /* one more than there are */
    static const struct {
        const char *name;
        ShardSpec shard;
        bool from_part;
        const char *missing; /* "": nothing */
    } cases[] = {{"all-of-odd", {0, 0}, true, "4 of 7 games are missing, the first is game-0"},
                 {"even-of-odd", {0, 2}, true, "4 of 4 games are missing, the first is game-0"},
                 {"third-of-odd", {2, 3}, true, "1 of 2 games are missing, the first is game-2"},
                 {"odd-of-odd", {1, 2}, true, ""},
                 {"third-of-all", {2, 3}, false, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const SelfplaySources sources = {(const char *[]){cases[i].from_part ? part : whole}, 1};
        in_folder(path, cases[i].name);
        Run *run = open_run(&config, cases[i].shard, path);
        const GameStore *store = &selfplay_state(run)->store;
        error.text[0] = '\0';
        const bool good = selfplay_sources_check(&sources, run, NULL, &error);
        if (*cases[i].missing)
            assert_named(good, &error, cases[i].missing);
        assert_true(good == !*cases[i].missing && selfplay_sources_take(&sources, run, NULL, &error));
        int taken = 0;
        for (int64_t number = 0; number < 6; number++) {
            const bool wanted = shard_spec_has(cases[i].shard, number) && (!cases[i].from_part || number % 2 == 1);
            taken += wanted;
            assert_true(!wanted || game_store_has(store, number));
        }
        assert_int_equal(store->played, taken);
        run_free(run);
    }
}

/* Where a shard among the sources lacks a game of its own, the error names its folder. */
static void shards_without_their_games_are_named(void **unused) {
    (void)unused;
    static SelfplayDocument document;
    Error error;
    char part[256], path[256];
    const SelfplaySources sources = {(const char *[]){part}, 1};
    document = (SelfplayDocument){
        .config = small_config(), .shard = {1, 2}, .context = document_context(), .run = "run", .command = "c"};
    in_folder(part, "unfinished");
    in_folder(path, "from-unfinished");
    play_run(&document.config, document.shard, part, 1, 6, true);
    document.config.run.games = 8;
    assert_true(run_config_check(&document.config.run, &error));
    assert_true(selfplay_document_write(part, &document, &error));
    Run *run = open_run(&document.config, document.shard, path);
    assert_false(selfplay_sources_check(&sources, run, NULL, &error));
    assert_says(&error, "first is game-7, which ");
    assert_says(&error, "unfinished should have");
    run_free(run);
}

/* The parts of a set are all shards of one run, each once. */
static void parts_of_a_set_belong_together(void **unused) {
    (void)unused;
    static const struct {
        const char *run;
        ShardSpec shard;
        const char *what; /* is wrong, if this is the second of three parts */
    } parts[] = {{"same", {1, 3}, ""},
                 {"other", {1, 3}, "second: is of run other, expected run same as"},
                 {"same", {1, 4}, "second: is one of 4 shards, expected one of 3 as"},
                 {"same", {0, 3}, "second: shard 0 is there twice, as"},
                 {"same", {2, 3}, "third: shard 2 is there twice, as"},
                 {"same", {0, 0}, "second: is a whole run, expected a shard of one"}};
    static SelfplayDocument document;
    Error error = {.text = ""};
    char folders[3][256];
    const char *const paths[] = {folders[0], folders[1], folders[2]};
    document = (SelfplayDocument){.config = small_config(), .context = document_context(), .command = "c"};
    assert_true(run_config_check(&document.config.run, &error));
    for (int i = 0; i < 3; i++) {
        in_folder(folders[i], (const char *[]){"first", "second", "third"}[i]);
        assert_int_equal(mkdir(folders[i], 0700), 0);
        strcpy(document.run, "same");
        document.shard = (ShardSpec){i, 3};
        assert_true(selfplay_document_write(folders[i], &document, &error));
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        strcpy(document.run, parts[i].run);
        document.shard = parts[i].shard;
        assert_true(selfplay_document_write(folders[1], &document, &error));
        const bool good = selfplay_sources_check_shards(&(SelfplaySources){paths, 3}, &error);
        if (*parts[i].what)
            assert_named(good, &error, parts[i].what);
        else
            assert_true(good);
    }
    assert_named(selfplay_sources_check_shards(&(SelfplaySources){paths, 1}, &error), &error,
                 "shard 1 of 3 is missing");
    document.shard = (ShardSpec){1, 3};
    strcpy(document.run, "same");
    assert_true(selfplay_document_write(folders[1], &document, &error));
    assert_named(selfplay_sources_check_shards(&(SelfplaySources){paths, 2}, &error), &error,
                 "shard 2 of 3 is missing");
}

/* Writes the first game of a finished run of hexhex-3 to another one, as its game `number`. */
static void move_game(const SelfplayConfig *config, const char *from, const char *to, int64_t number) {
    char path[300];
    Error error;
    size_t length;
    GameRecord record = {0};
    snprintf(path, sizeof path, "%s/%s", from, first_block);
    char *text = zstd_file_read(path, &length, &error), *end = strchr(text, '\n');
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    assert_true(record_from_line(text, (size_t)(end - text), "test", game, &record, &error));
    snprintf(record.id, sizeof record.id, SELFPLAY_GROUP "-%lld", (long long)number);
    record.seed = rng_split(config->run.seed, (uint64_t)number);
    char *line = record_to_line(&record, game, &error);
    assert_int_equal(mkdir(to, 0700), 0);
    snprintf(path, sizeof path, "%s/games.jsonl", to);
    write_text(path, line);
    free(line);
    free(text);
    record_free(&record);
    game_free(game);
}

/* The number of a game that is not of the run costs no memory. */
static void far_numbers_are_refused(void **unused) {
    (void)unused;
    Error error = {.text = ""};
    SelfplayConfig config = small_config();
    config.size_count = 1;
    char whole[256], far[256];
    in_folder(whole, "near");
    in_folder(far, "far");
    play_run(&config, (ShardSpec){0, 0}, whole, 1, 1, true);
    move_game(&config, whole, far, SELFPLAY_GAMES_MAX - 1);
    Run *run = run_new(&selfplay_kind, &config.run, (ShardSpec){0, 0}, &error);
    assert_named(selfplay_run_open(run, far, &error), &error,
                 "has game-99999999, expected --games 100000000 or more, not 40");
    assert_in_range(selfplay_state(run)->store.capacity, 0, 10000);
    run_free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_read_back),
        cmocka_unit_test(wrong_settings_are_named),
        cmocka_unit_test(wrong_shards_are_named),
        cmocka_unit_test(cheap_searches_are_not_the_larger_ones),
        cmocka_unit_test(openings_differ_up_to_symmetry),
        cmocka_unit_test(openings_leave_a_game),
        cmocka_unit_test(openings_are_even),
        cmocka_unit_test(noise_follows_from_its_seed),
        cmocka_unit_test(records_keep_the_searches),
        cmocka_unit_test(exploration_ends),
        cmocka_unit_test(sizes_have_their_simulations),
        cmocka_unit_test(sizes_have_their_networks),
        cmocka_unit_test(halving_records_its_policy),
        cmocka_unit_test(searches_may_know_less),
        cmocka_unit_test(wrong_searches_are_refused),
        cmocka_unit_test(sides_give_up_in_time),
        cmocka_unit_test(hopeless_games_can_be_resigned),
        cmocka_unit_test(whole_turns_are_resigned),
        cmocka_unit_test(resigned_games_can_be_finished),
        cmocka_unit_test(runs_end_in_the_same_records),
        cmocka_unit_test(taken_games_are_written_once),
        cmocka_unit_test(lines_of_others_are_written_anew),
        cmocka_unit_test(ends_of_lines_do_not_matter),
        cmocka_unit_test(a_stopped_run_goes_on),
        cmocka_unit_test(sessions_go_on_from_the_last_one),
        cmocka_unit_test(sessions_keep_their_seconds),
        cmocka_unit_test(changed_packs_are_named),
        cmocka_unit_test(shards_of_data_sets_stay_apart),
        cmocka_unit_test(fewer_games_than_there_are_are_refused),
        cmocka_unit_test(shards_take_their_games_alone),
        cmocka_unit_test(shards_without_their_games_are_named),
        cmocka_unit_test(parts_of_a_set_belong_together),
        cmocka_unit_test(far_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder_with_contents);
}
