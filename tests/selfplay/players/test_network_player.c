/* Players with a network: descriptions and what is wrong with them, matches, and the sessions that such a player plays
 * in. The networks are tiny and random, so that nothing here is about strength. */
#include "engine/games/registry.h"
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/file.h"
#include "selfplay/io/json.h"
#include "selfplay/record/game_tree.h"
#include "selfplay/runs/match/run.h"
#include "tests/support/fixtures.h"
#include "tests/support/gtp_talk.h"
#include "tests/support/random_network.h"
#include "tests/support/run_play.h"
#include "tools/analyze/session.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Files ---- */

static char network_path[FIXTURE_PATH_MAX];

static void write_bytes(const uint8_t *bytes, size_t size) {
    Error error;
    if (!file_write(network_path, (const char *)bytes, size, &error))
        fail_msg("%s", error.text);
}

/* The bytes of a network for a game, to be freed. */
static uint8_t *new_bytes(const char *game, uint64_t seed, size_t *size) {
    NetworkShape shape = random_network_shape(20, 1, 16);
    memset(shape.game, 0, sizeof shape.game);
    strcpy(shape.game, game);
    return random_network(&shape, RANDOM_LIVELY, seed, size);
}

static void write_network(const char *game, uint64_t seed) {
    size_t size;
    uint8_t *bytes = new_bytes(game, seed, &size);
    write_bytes(bytes, size);
    free(bytes);
}

static int set_up(void **unused) {
    const int status = make_folder(unused);
    in_folder(network_path, "tiny.bin");
    return status;
}

static int set_up_network(void **unused) {
    (void)unused;
    write_network("stigmergy", 1);
    return 0;
}

static int drop_network(void **unused) {
    unlink(network_path);
    return drop_files(unused);
}

/* ---- Descriptions ---- */

/* The description of a player with the network; `more` are further keys. */
static const char *describe(const char *more) {
    static char text[512];
    snprintf(text, sizeof text, "{\"name\": \"tiny\", \"network\": \"%s\", \"simulations\": 20, \"memory_mb\": 1%s}",
             network_path, more);
    return text;
}

static Player network_player(void) {
    Player player = player_default();
    Error error;
    if (!player_load(describe(", \"search\": {\"solver_share\": 0}"), &player, &error))
        fail_msg("%s", error.text);
    return player;
}

static void expect_refused(const char *text, const char *word) {
    Player player = player_default();
    Error error = {.text = ""};
    assert_named(player_load(text, &player, &error), &error, word);
}

static void descriptions_name_the_network(void **unused) {
    (void)unused;
    const Player player = network_player();
    assert_true(player.params.selection == SELECTION_PUCT);
    assert_true(player.params.puct == 0.8 && player.params.fpu_reduction == 0.2);
    assert_int_equal(strlen(player.network_hash), NETWORK_DIGITS);
    cJSON *json = player_to_json(&player);
    assert_string_equal(cJSON_GetObjectItem(json, "network")->valuestring, network_path);
    assert_string_equal(cJSON_GetObjectItem(json, "network_hash")->valuestring, player.network_hash);
    const cJSON *search = cJSON_GetObjectItem(json, "search");
    assert_true(cJSON_HasObjectItem(search, "puct") && !cJSON_HasObjectItem(search, "playouts"));
    cJSON_Delete(json);
    unlink(network_path); /* a description with a hash can be read without the file */
    described_player(&player);
}

static void installed_networks_have_a_bare_name(void **unused) {
    (void)unused;
    char networks[FIXTURE_PATH_MAX], installed[FIXTURE_PATH_MAX + 16];
    const Player expected = network_player();
    Player player = player_default();
    Error error;
    in_folder(networks, "networks");
    snprintf(installed, sizeof installed, "%s/small.bin", networks);
    assert_int_equal(mkdir(networks, 0700), 0);
    assert_int_equal(rename(network_path, installed), 0);
    char *before = getenv("STIGMERGY_DATA") ? strdup(getenv("STIGMERGY_DATA")) : NULL;
    setenv("STIGMERGY_DATA", folder, 1);
    assert_true(player_load("{\"network\": \"small\"}", &player, &error));
    assert_string_equal(player.network_hash, expected.network_hash);
    expect_refused("{\"network\": \"smaller\"}", "networks/smaller.bin");
    before ? setenv("STIGMERGY_DATA", before, 1) : unsetenv("STIGMERGY_DATA");
    free(before);
    unlink(installed);
    rmdir(networks);
}

/* ---- The network of a game ---- */

static Player settled(const char *text, const char *game) {
    Player player = player_default();
    Error error;
    if (!player_load(text, &player, &error) || !player_settle(&player, game, 5, &error))
        fail_msg("%s", error.text);
    return player;
}

/* Games: "own" is one that no network comes with. */

static void without_a_name_the_game_decides(void **unused) {
    (void)unused;
    const Player with = settled("{}", "stigmergy"), without = settled("{}", "own");
    assert_true(player_has_network(&with) && with.params.selection == SELECTION_PUCT);
    assert_string_equal(with.network, network_of_game("stigmergy", 5)->name);
    assert_int_equal(strlen(with.network_hash), NETWORK_DIGITS);
    assert_true(!player_has_network(&without) && without.params.selection == SELECTION_RAVE);
    assert_string_equal(without.network, PLAYER_PLAYOUTS);
    const Player none = settled("{\"network\": \"none\", \"search\": {\"playouts\": 3}}", "stigmergy");
    assert_true(!player_has_network(&none) && none.params.playouts == 3);
    const Player named = settled(describe(""), "stigmergy");
    assert_string_equal(named.network, network_path);
}

static void efforts_depend_on_who_evaluates(void **unused) {
    (void)unused;
    const char *text = "{\"simulations\": 4, \"many_simulations\": 100}";
    assert_int_equal(settled(text, "stigmergy").simulations, 4);
    assert_int_equal(settled(text, "own").simulations, 100);
    assert_int_equal(settled(text, "bug").simulations, 100);
    assert_int_equal(
        settled("{\"simulations\": 4, \"many_simulations\": 100, \"network\": \"none\"}", "bug").simulations, 4);
    Player player = player_default();
    Error error;
    assert_true(player_load(text, &player, &error));
    player_set_limits(&player, 7, 0); /* as --sims does */
    assert_true(player_settle(&player, "own", 5, &error));
    assert_int_equal(player.simulations, 7);
}

static void efforts_depend_on_the_board(void **unused) {
    (void)unused;
    static const struct {
        int size;
        uint64_t few, many;
    } boards[] = {{0, 6, 80}, {2, 6, 80}, {5, 6, 80}, {6, 12, 40}, {7, 24, 20}, {8, 48, 10}, {10, 48, 10}};
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        Player few = player_default(), many = few;
        Error error;
        assert_true(player_load("{\"simulations\": 6, \"large_board_simulations\": 48}", &few, &error));
        assert_true(player_load("{\"simulations\": 80, \"large_board_simulations\": 10}", &many, &error));
        assert_true(player_settle(&few, "own", boards[i].size, &error));
        assert_true(player_settle(&many, "stigmergy", boards[i].size, &error));
        assert_true(few.simulations == boards[i].few && few.large_board_simulations == 0);
        assert_int_equal(many.simulations, boards[i].many);
    }
    const char *text = "{\"simulations\": 6, \"many_simulations\": 100, \"large_board_simulations\": 48}";
    Player player = player_default();
    Error error;
    assert_true(player_load(text, &player, &error) && player_settle(&player, "own", 8, &error));
    assert_int_equal(player.simulations, 100); /* they are for a game without a network */
    player.large_board_simulations = 9;
    assert_true(player_load("{\"move_time\": 1}", &player, &error));
    assert_true(player_settle(&player, "own", 8, &error) && player.simulations == 0); /* only time limits it */
}

/* Numbers for some games and boards are none without the number for the others. */
static void numbers_instead_need_a_number(void **unused) {
    (void)unused;
    expect_refused("{\"move_time\": 0.05, \"large_board_simulations\": 5}",
                   "'large_board_simulations' is wrong: it needs 'simulations' above 0");
    expect_refused("{\"simulations\": 0, \"move_time\": 0.05, \"large_board_simulations\": 5}",
                   "'large_board_simulations' is wrong: it needs 'simulations' above 0");
    expect_refused("{\"move_time\": 0.05, \"many_simulations\": 7}",
                   "'many_simulations' is wrong: it needs 'simulations' above 0");
    const char *text = "{\"simulations\": 9, \"move_time\": 0.05, \"many_simulations\": 7}";
    assert_true(settled(text, "bug").simulations == 7 && settled(text, "bug").move_seconds == 0.05);
    assert_int_equal(settled("{\"many_simulations\": 7}", "bug").simulations, 7); /* instead of the usual number */
}

static void keys_of_playouts_need_playouts(void **unused) {
    (void)unused;
    Player player = player_default();
    Error error;
    assert_true(player_load("{\"name\": \"old\", \"search\": {\"rave\": 300}}", &player, &error));
    Player other = player;
    assert_false(player_settle(&player, "stigmergy", 5, &error));
    assert_says(&error, "'rave'");
    assert_says(&error, "add \"network\": \"none\"");
    assert_true(player_settle(&other, "own", 5, &error));
    assert_true(other.params.rave_equivalence == 300);
}

static void the_board_decides_too(void **unused) {
    (void)unused;
    static const int sizes[] = {0, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const char *const names[] = {"stigmergy",   "stigmergy-4-5", "stigmergy-4-5", "stigmergy-4-5", "stigmergy-5",
                                        "stigmergy-6", "stigmergy",     "stigmergy-8",   "stigmergy",     "stigmergy"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        Player player = player_default();
        Error error;
        assert_true(player_settle(&player, "stigmergy", sizes[i], &error));
        assert_string_equal(player.network, names[i]);
        assert_string_equal(player.network, network_of_game("stigmergy", sizes[i])->name);
        assert_true(player_load("{\"network\": \"stigmergy\"}", &player, &error));
        assert_true(player_settle(&player, "stigmergy", sizes[i], &error));
        assert_string_equal(player.network, "stigmergy"); /* as it says */
    }
}

static void keys_of_networks_need_a_network(void **unused) {
    (void)unused;
    const char *text = "{\"name\": \"mixed\", \"search\": {\"playout_share\": 0.25, \"puct\": 1}}";
    Player player = player_default();
    Error error;
    assert_true(settled(text, "stigmergy").params.playout_share == 0.25);
    assert_true(player_load(text, &player, &error));
    cJSON *json = player_to_json(&player);
    assert_true(settled("{}", "stigmergy").params.playout_share == network_of_game("stigmergy", 5)->playout_share);
    assert_true(cJSON_HasObjectItem(cJSON_GetObjectItem(json, "search"), "playout_share"));
    cJSON_Delete(json);
    Player other = player;
    assert_false(player_settle(&player, "own", 5, &error));
    assert_says(&error, "'playout_share'");
    assert_says(&error, "own has none");
    assert_true(player_load("{\"network\": \"none\"}", &other, &error) && player_settle(&other, "own", 5, &error));
    expect_refused("{\"network\": \"none\", \"search\": {\"playout_share\": 0.25}}", "playout_share");
}

/* Players that do not name a network have what suits that of the game, unless they say otherwise. */
static void networks_have_their_own_search(void **unused) {
    (void)unused;
    const SearchParams bug = settled("{}", "bug").params, usual = search_default_params();
    assert_true(bug.puct == network_of_game("bug", 5)->puct && bug.puct != usual.puct && bug.playout_share > 0);
    assert_true(settled("{\"search\": {\"puct\": 0.8}}", "bug").params.puct == 0.8);
    assert_true(settled("{\"search\": {\"score\": 0.1}}", "bug").params.puct == bug.puct);
    assert_true(settled("{}", "stigmergy").params.puct == usual.puct);
    Player player = settled("{}", "bug"), again = player_default();
    cJSON *json = player_to_json(&player);
    char *text = cJSON_PrintUnformatted(json);
    Error error;
    assert_true(player_load(text, &again, &error) && player_settle(&again, "bug", 5, &error));
    assert_true(again.params.puct == bug.puct && again.params.playout_share == bug.playout_share);
    cJSON_free(text);
    cJSON_Delete(json);
}

static void players_are_settled_before_they_search(void **unused) {
    (void)unused;
    const Player player = player_default();
    Error error = {.text = ""};
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    Search *search = player_new_search(&player, NULL, game, 1, &error);
    assert_named(search != NULL, &error, "not settled");
    const Player network = settled("{}", "stigmergy");
    assert_named(player_new_search(&network, NULL, game, 1, &error) != NULL, &error, "expected networks");
    game_free(game);
}

static void settled_descriptions_read_back(void **unused) {
    (void)unused;
    static const char *const games[] = {"stigmergy", "own"};
    for (int i = 0; i < 2; i++) {
        const Player player = settled("{\"draw\": 3}", games[i]);
        Player read = player_default();
        Error error;
        cJSON *json = player_to_json(&player);
        assert_true(player_from_json(json, "test", &read, &error) && player_settle(&read, games[1 - i], 5, &error));
        cJSON *again = player_to_json(&read);
        assert_true(cJSON_Compare(json, again, true)); /* what is settled does not depend on another game */
        cJSON_Delete(json);
        cJSON_Delete(again);
    }
}

/* A search of the empty hexhex-3 board, and its game. */
static Search *search_of_start(const Player *player, Game **game) {
    Error error;
    GameState start;
    *game = game_new(&(GameOptions){.size = 3}, &error);
    Search *search = player_new_search(player, NULL, *game, 1, &error);
    (*game)->rules->start(*game, &start, 4);
    search_set_position(search, &start);
    search_run(search, &(SearchLimits){.simulations = 200});
    return search;
}

/* The most visited move, or one drawn by visits: then seeds decide, and the same seed decides the same. */
static void moves_are_drawn(void **unused) {
    (void)unused;
    Player player = settled("{\"network\": \"none\", \"draw\": 1}", "stigmergy");
    Game *game;
    Search *search = search_of_start(&player, &game);
    const Action best = search_best(search);
    int drawn = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        player.draw = 1;
        const Action action = player_choose(&player, search, seed);
        assert_int_equal(action, player_choose(&player, search, seed));
        drawn += action != best;
        player.draw = 0;
        assert_int_equal(player_choose(&player, search, seed), best);
    }
    assert_in_range(drawn, 10, 99);
    search_free(search);
    game_free(game);
}

/* The win rate of a searched action. */
static double win_rate_of(const Search *search, Action action) {
    SearchMove moves[GAME_LEGAL_MAX];
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    for (int i = 0; i < count; i++)
        if (moves[i].action == action)
            return moves[i].win_rate;
    fail_msg("action %d was not searched", (int)action);
    return 0;
}

/* What a drawn move loses is bounded, where the description says so. */
static void draws_lose_no_more_than_their_bound(void **unused) {
    (void)unused;
    const double bounds[] = {0, 0.02, 0.1, 1};
    double largest[4] = {0};
    Player player = settled("{\"network\": \"none\", \"draw\": 1, \"search\": {\"all_images\": 1}}", "stigmergy");
    Game *game;
    Search *search = search_of_start(&player, &game);
    const double best = win_rate_of(search, search_best(search));
    for (int i = 0; i < 4; i++) {
        player.draw_loss = bounds[i];
        for (uint64_t seed = 0; seed < 100; seed++) {
            const double loss = best - win_rate_of(search, player_choose(&player, search, seed));
            assert_true(loss <= bounds[i]);
            largest[i] = loss > largest[i] ? loss : largest[i];
        }
    }
    assert_true(largest[3] > 0.1); /* without a bound worse moves are drawn */
    search_free(search);
    game_free(game);
}

/* ---- What is wrong with descriptions ---- */

static void bad_descriptions_are_refused(void **unused) {
    (void)unused;
    expect_refused(describe(", \"search\": {\"playouts\": 8}"), "playouts");
    expect_refused(describe(", \"search\": {\"selection\": \"rave\"}"), "selection");
    expect_refused("{\"network\": 3}", "network");
    expect_refused("{\"network\": \"\"}", "'network' is empty");
    expect_refused("{\"network_hash\": \"0123456789abcdef\"}", "'network_hash' is wrong: it needs 'network'");
}

static void bad_files_are_refused(void **unused) {
    (void)unused;
    size_t size;
    uint8_t *bytes = new_bytes("stigmergy", 1, &size);
    write_bytes(bytes, size - 100);
    expect_refused(describe(""), network_path);
    bytes[size / 2] ^= 1;
    write_bytes(bytes, size);
    expect_refused(describe(""), network_path);
    bytes[8] = NETWORK_VERSION + 1;
    random_network_sign(bytes, size);
    write_bytes(bytes, size);
    expect_refused(describe(""), "version");
    write_bytes(bytes, 0);
    expect_refused(describe(""), network_path);
    unlink(network_path);
    expect_refused(describe(""), network_path);
    free(bytes);
}

/* ---- Searches ---- */

static void expect_no_search(const Player *player, PlayerNetworks *networks, const char *word) {
    Error error = {.text = ""};
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    Search *search = player_new_search(player, networks, game, 1, &error);
    assert_named(search != NULL, &error, word);
    game_free(game);
}

static void a_search_never_goes_without_its_network(void **unused) {
    (void)unused;
    Error error;
    PlayerNetworks *networks = player_networks_new(&error);
    const Player player = network_player();
    write_network("stigmergy", 2);
    expect_no_search(&player, networks, player.network_hash);
    unlink(network_path);
    expect_no_search(&player, networks, network_path);
    write_network("bug", 3);
    const Player other = network_player();
    expect_no_search(&other, networks, "bug");
    player_networks_free(networks);
}

static void sizes_share_a_network(void **unused) {
    (void)unused;
    Error error;
    PlayerNetworks *networks = player_networks_new(&error);
    const Player player = network_player();
    const NetworkEvaluator *first = player_networks_get(networks, player.network, player.network_hash, &error);
    unlink(network_path); /* it is not read again */
    for (int size = 2; size <= 4; size++) {
        Game *game = game_new(&(GameOptions){.size = size}, &error);
        Search *search = player_new_search(&player, networks, game, 1, &error);
        assert_non_null(search);
        const SearchLimits limits = player_limits(&player, NULL);
        assert_true(search_run(search, &limits).simulations > 0);
        search_free(search);
        game_free(game);
    }
    assert_ptr_equal(first, player_networks_get(networks, player.network, player.network_hash, &error));
    player_networks_free(networks);
}

/* ---- Runs ---- */

static MatchConfig tiny_match(void) {
    MatchConfig config = match_config_default(3);
    Error error;
    config.run.games = 20;
    config.openings.simulations = 30;
    config.openings.komi = 4;
    if (!match_config_add_player(&config, describe(""), "test", &error) ||
        !match_config_add_player(
            &config, "{\"name\": \"playouts\", \"network\": \"none\", \"simulations\": 20, \"memory_mb\": 1}", "test",
            &error))
        fail_msg("%s", error.text);
    return config;
}

static void matches_are_reproducible_and_go_on(void **unused) {
    (void)unused;
    const MatchConfig config = tiny_match();
    expect_same_records(&match_kind, &config.run, records_path, 20, 8, 8);
}

static void a_changed_network_is_another_run(void **unused) {
    (void)unused;
    DocumentContext context = {0};
    Error error;
    MatchConfig config = tiny_match();
    Run *run = open_run(&match_kind, &config.run, records_path);
    assert_true(run_write(run, &context, result_path, &error));
    run_free(run);
    assert_true(resumes(&match_kind, &config.run, result_path, &context, &error));
    write_network("stigmergy", 2);
    config = tiny_match();
    assert_named(resumes(&match_kind, &config.run, result_path, &context, &error), &error, "players");
}

/* ---- Sessions ---- */

/* A line on hexhex-3 up to where White may pass for the first time. */
static const char *const line[] = {"c3", "d4", "d2", "b2", "b4", "b3", "c4", "c2",
                                   "d3", "e3", "c1", "a1", "d1", "a2", "e1"};
enum { LINE = sizeof line / sizeof *line };

/* What a session analyses after the line and these commands. */
static char *analysis_after(const char *commands) {
    GtpOptions options = default_options();
    options.player = network_player();
    Conversation talk;
    open_conversation(&talk, &options);
    for (int i = 0; i < LINE; i++) {
        char command[32];
        snprintf(command, sizeof command, "play %c %s\n", "bw"[i % 2], line[i]);
        assert_int_equal(say(&talk, command)[0], '=');
    }
    assert_null(strchr(say(&talk, commands), '?'));
    char *answer = strdup(say(&talk, "stigmergy-analyze\n"));
    assert_non_null(strstr(answer, "winrate"));
    assert_int_equal(say(&talk, "genmove b\n")[0], '=');
    close_conversation(&talk);
    return answer;
}

static void gtp_plays_and_keeps_the_history(void **unused) {
    (void)unused;
    char *passed = analysis_after("play w pass\n");
    char *undone = analysis_after("play w pass\nplay b c5\nundo\n");
    char *again = analysis_after("play w a3\nundo\nplay w pass\nplay b c5\nplay w a3\nundo\nundo\n");
    assert_string_equal(undone, passed);
    assert_string_equal(again, passed);
    free(passed);
    free(undone);
    free(again);
}

static void gtp_refuses_another_game(void **unused) {
    (void)unused;
    GtpOptions options = default_options();
    options.player = network_player();
    Conversation talk;
    open_conversation(&talk, &options);
    assert_non_null(strstr(say(&talk, "game bug\n"), "stigmergy"));
    assert_int_equal(say(&talk, "genmove b\n")[0], '=');
    close_conversation(&talk);
}

/* The answer of an analysis engine to a query, to be freed. */
static char *analyze(const char *query) {
    const QueryDefaults defaults = {
        .game = {.name = "stigmergy", .size = 3}, .komi = 4, .player = network_player(), .seed = 1};
    char *text = NULL;
    size_t length = 0;
    Error error;
    FILE *out = open_memstream(&text, &length);
    Analysis *analysis = analysis_new(&(AnalysisOptions){.workers = 1, .threads = 1}, &error);
    AnalyzeSession *session = analyze_session_new(analysis, &defaults, ANALYZE_WAITING_BYTES, out, &error);
    assert_true(analyze_session_feed(session, query, strlen(query)) && analyze_session_end(session));
    analysis_free(analysis);
    analyze_session_free(session);
    fclose(out);
    return text;
}

/* The chance to win after the line and a pass, with the history of the line or without. */
static double direct_chance(bool with_history) {
    Error error;
    PlayerNetworks *networks = player_networks_new(&error);
    const Player player = network_player();
    GameTree *tree = game_tree_new(&(GameOptions){.name = "stigmergy", .size = 3}, 4, &error);
    int node = 0;
    for (int i = 0; i <= LINE; i++)
        node = game_tree_add(tree, node, i < LINE ? line[i] : "pass", &error);
    assert_int_equal(tree->nodes[node].history.passes, 1);
    Search *search = player_new_search(&player, networks, tree->game, 1, &error);
    search_set_position(search, &tree->nodes[node].state);
    if (with_history)
        search_set_history(search, &tree->nodes[node].history);
    const SearchLimits limits = player_limits(&player, NULL);
    const double chance = search_run(search, &limits).win_rate;
    search_free(search);
    player_networks_free(networks);
    game_tree_free(tree);
    return chance;
}

static void analysis_knows_the_history(void **unused) {
    (void)unused;
    char query[512] = "{\"id\": \"a\", \"moves\": [";
    for (int i = 0; i <= LINE; i++) {
        const size_t used = strlen(query);
        snprintf(query + used, sizeof query - used, "%s\"%s\"", i ? ", " : "", i < LINE ? line[i] : "pass");
    }
    strcat(query, "], \"includeControl\": true}\n");
    char *answer = analyze(query);
    const char *found = strstr(answer, "\"winrate\":");
    assert_non_null(found);
    const double chance = strtod(found + strlen("\"winrate\":"), NULL);
    assert_true(fabs(chance - direct_chance(true)) < 1e-5);
    assert_true(fabs(chance - direct_chance(false)) > 1e-5);
    free(answer);
}

/* What the network says of a start position, and the probabilities that follow. */
typedef struct StartView {
    Game *game;
    GameState state;
    Action legal[GAME_LEGAL_MAX];
    double prior[GAME_LEGAL_MAX];
    int count;
    double deviation;
} StartView;

/* The search sees a class of symmetric moves as one, and says of each its share. */
static void share_priors(StartView *view) {
    double shared[GAME_LEGAL_MAX];
    for (int i = 0; i < view->count; i++) {
        shared[i] = 0;
        for (int map = 0; map < HEXHEX_SYMMETRIES; map++)
            for (int k = 0; k < view->count; k++)
                if (view->legal[k] == view->game->rules->symmetry(view->game, map, view->legal[i]))
                    shared[i] += view->prior[k] / HEXHEX_SYMMETRIES;
    }
    memcpy(view->prior, shared, (size_t)view->count * sizeof *shared);
}

/* The start of hexhex-3 with komi 4; view->game is to be freed. */
static void view_start(StartView *view) {
    static Evaluation evaluation;
    static const GameHistory history;
    Error error;
    double sum = 0;
    PlayerNetworks *networks = player_networks_new(&error);
    const Player player = network_player();
    const Evaluator *evaluator = &player_networks_get(networks, player.network, player.network_hash, &error)->evaluator;
    view->game = game_new(&(GameOptions){.name = "stigmergy", .size = 3}, &error);
    view->game->rules->start(view->game, &view->state, 4);
    view->count = view->game->rules->legal(view->game, &view->state, view->legal);
    void *context = evaluator->new_context(evaluator, view->game, &error);
    evaluator->evaluate(context, &(Leaf){&view->state, 0, &history, view->legal, view->count}, 1, &evaluation);
    evaluator->free_context(context);
    player_networks_free(networks);
    view->deviation = (double)evaluation.deviation;
    for (int i = 0; i < view->count; i++)
        sum += view->prior[i] = exp2((double)evaluation.logits[i]);
    for (int i = 0; i < view->count; i++)
        view->prior[i] /= sum;
    share_priors(view);
}

static void assert_near(double number, double expected, double share) {
    assert_true(expected > 0 && fabs(number - expected) <= share * expected);
}

/* Priors, policy and the standard deviation are the network's; to about 1%, for the search's powers are rough. */
static void analysis_tells_what_the_network_says(void **unused) {
    (void)unused;
    Error error;
    StartView view;
    view_start(&view);
    char *text = analyze("{\"id\": \"a\", \"moves\": [], \"includePolicy\": true}\n");
    cJSON *answer = json_parse(text, strlen(text), "test", &error);
    const cJSON *policy = cJSON_GetObjectItem(answer, "policy"), *root = cJSON_GetObjectItem(answer, "rootInfo");
    const cJSON *best = cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "moveInfos"), 0);
    assert_near(cJSON_GetNumberValue(cJSON_GetObjectItem(root, "scoreStdev")), view.deviation, 1e-4);
    assert_int_equal(cJSON_GetArraySize(policy), view.count);
    for (int i = 0; i < view.count; i++) {
        char name[GAME_TEXT_MAX];
        view.game->rules->format(view.game, &view.state, view.legal[i], name);
        assert_near(cJSON_GetNumberValue(cJSON_GetObjectItem(policy, name)), view.prior[i], 0.02);
        if (!strcmp(name, cJSON_GetObjectItem(best, "move")->valuestring))
            assert_near(cJSON_GetNumberValue(cJSON_GetObjectItem(best, "prior")), view.prior[i], 0.02);
    }
    cJSON_Delete(answer);
    free(text);
    game_free(view.game);
}

static void gtp_tells_the_priors(void **unused) {
    (void)unused;
    StartView view;
    view_start(&view);
    GtpOptions options = default_options();
    options.player = network_player();
    Conversation talk;
    open_conversation(&talk, &options);
    say(&talk, "boardsize 3\nkomi 4\n");
    const char *answer = say(&talk, "stigmergy-analyze\n");
    int told = 0;
    for (int i = 0; i < view.count; i++) {
        char name[GAME_TEXT_MAX], key[GAME_TEXT_MAX + 32];
        view.game->rules->format(view.game, &view.state, view.legal[i], name);
        snprintf(key, sizeof key, "info move %s visits", name);
        const char *found = strstr(answer, key), *prior = found ? strstr(found, " prior ") : NULL;
        if (!prior)
            continue; /* not visited */
        told++;
        assert_near(strtod(prior + strlen(" prior "), NULL), view.prior[i], 0.02);
    }
    assert_true(told > 0);
    close_conversation(&talk);
    game_free(view.game);
}

static void analysis_refuses_another_game(void **unused) {
    (void)unused;
    char *answer = analyze("{\"id\": \"a\", \"game\": \"bug\", \"size\": 3, \"komi\": 0}\n");
    assert_non_null(strstr(answer, "cannot play bug"));
    free(answer);
}

static void lines_have_a_history(void **unused) {
    (void)unused;
    Error error;
    Analysis *analysis = analysis_new(&(AnalysisOptions){.workers = 1, .threads = 1}, &error);
    const char text[] = "{\"game\": \"bug\", \"size\": 3, \"moves\": [\"c3\"], \"partialTurn\": []}";
    cJSON *json = json_parse(text, strlen(text), "test", &error);
    JsonReader reader = json_open(json, "test");
    GameLine moves;
    assert_true(game_line_read(&moves, &reader, analysis, &(GameOptions){.name = "bug", .size = 3}, 0));
    assert_int_equal(moves.histories[0].known, 0);
    assert_int_equal(moves.histories[1].known, moves.end_history.known);
    assert_true(moves.end_history.known > 0);
    game_line_free(&moves);
    cJSON_Delete(json);
    analysis_free(analysis);
}

#define WITH_NETWORK(test) cmocka_unit_test_setup_teardown(test, set_up_network, drop_network)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_NETWORK(descriptions_name_the_network),
        WITH_NETWORK(installed_networks_have_a_bare_name),
        WITH_NETWORK(without_a_name_the_game_decides),
        cmocka_unit_test(efforts_depend_on_who_evaluates),
        cmocka_unit_test(efforts_depend_on_the_board),
        cmocka_unit_test(numbers_instead_need_a_number),
        cmocka_unit_test(keys_of_playouts_need_playouts),
        cmocka_unit_test(the_board_decides_too),
        cmocka_unit_test(keys_of_networks_need_a_network),
        cmocka_unit_test(networks_have_their_own_search),
        cmocka_unit_test(players_are_settled_before_they_search),
        cmocka_unit_test(settled_descriptions_read_back),
        cmocka_unit_test(moves_are_drawn),
        cmocka_unit_test(draws_lose_no_more_than_their_bound),
        WITH_NETWORK(bad_descriptions_are_refused),
        WITH_NETWORK(bad_files_are_refused),
        WITH_NETWORK(a_search_never_goes_without_its_network),
        WITH_NETWORK(sizes_share_a_network),
        WITH_NETWORK(matches_are_reproducible_and_go_on),
        WITH_NETWORK(a_changed_network_is_another_run),
        WITH_NETWORK(gtp_plays_and_keeps_the_history),
        WITH_NETWORK(gtp_refuses_another_game),
        WITH_NETWORK(analysis_knows_the_history),
        WITH_NETWORK(analysis_tells_what_the_network_says),
        WITH_NETWORK(gtp_tells_the_priors),
        WITH_NETWORK(analysis_refuses_another_game),
        cmocka_unit_test(lines_have_a_history),
    };
    return cmocka_run_group_tests(tests, set_up, drop_folder);
}
