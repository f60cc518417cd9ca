/* Matches: openings that repeat and are playable; the same records and document however many games are played side by
 * side and whatever interrupts them; settings and records that do not belong together are refused. */
#include "engine/games/registry.h"
#include "selfplay/io/json.h"
#include "selfplay/runs/match/run.h"
#include "tests/support/fixtures.h"
#include "tests/support/run_play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- Openings ---- */

static void openings_repeat_and_are_playable(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 4}, &error);
    Search *referee = opening_referee(game, &error), *other = opening_referee(game, &error);
    OpeningSettings settings = opening_default_settings();
    settings.simulations = 50;
    settings.turns = 4;
    settings.limit = 0.55;
    settings.komi = 3;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Opening opening, again;
        assert_true(opening_draw(game, referee, &settings, seed, &opening, &error));
        assert_true(opening_draw(game, other, &settings, seed, &again, &error));
        assert_int_equal(opening.count, 4);
        assert_int_equal(opening.komi, 3);
        assert_memory_equal(opening.actions, again.actions, 4 * sizeof(Action));
        assert_true(opening.black == again.black && opening.black >= 0.45 && opening.black <= 0.55);
        GameState state;
        game->rules->start(game, &state, 3);
        for (int i = 0; i < opening.count; i++) {
            assert_true(game_is_legal(game, &state, opening.actions[i]));
            game->rules->apply(game, &state, opening.actions[i]);
        }
        assert_false(game->rules->over(&state));
    }
    search_free(referee);
    search_free(other);
    game_free(game);
}

static void usual_openings_are_those_of_the_manual(void **unused) {
    (void)unused;
    const OpeningSettings settings = opening_default_settings();
    assert_true(settings.turns == 2 && settings.simulations == 400 && settings.komi == 0);
    assert_true(settings.limit == 0.85 && settings.even == 0.42 && !settings.all && !settings.auto_komi);
}

/* No game is over after its opening, however short it is. Turns with the button are legal at odd komi alone. */
static void openings_leave_a_game(void **unused) {
    (void)unused;
    enum { SEEDS = 100 };
    Error error;
    Game *game = game_new(&(GameOptions){.size = 2}, &error);
    Search *referee = opening_referee(game, &error);
    const OpeningSettings settings = {.turns = 7, .limit = 1, .simulations = 1, .komi = 1};
    GameState start;
    game->rules->start(game, &start, 1);
    const int button = game_find_action(game, &start, "take-button");
    int with_button = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Opening opening;
        bool takes = false;
        assert_true(opening_draw(game, referee, &settings, seed, &opening, &error));
        GameState state = start;
        for (int i = 0; i < opening.count; i++) {
            takes |= opening.actions[i] == button;
            game->rules->apply(game, &state, opening.actions[i]);
        }
        assert_false(game->rules->over(&state));
        assert_true(opening_legal_at(game, &opening, 3));
        assert_int_equal(opening_legal_at(game, &opening, 2), !takes);
        with_button += takes;
    }
    assert_in_range(with_button, 1, SEEDS - 1);
    search_free(referee);
    game_free(game);
}

static OpeningSettings auto_komi_within(double limit) {
    OpeningSettings settings = opening_default_settings();
    settings.simulations = 100;
    settings.limit = limit;
    settings.auto_komi = true;
    return settings;
}

/* Without a limit, and at another even komi, a seed's first random turns are the same: so neighbours can be compared.
 */
static void auto_komi_is_the_most_even_one(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 4}, &error);
    Search *referee = opening_referee(game, &error);
    const OpeningSettings settings = auto_komi_within(1);
    int compared = 0, odd = 0;
    double sum = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Opening even, neighbour;
        assert_true(opening_draw(game, referee, &settings, seed, &even, &error));
        assert_true(fabs(even.black - settings.even) < 0.3);
        sum += even.black;
        odd += komi_has_button(even.komi);
        if (komi_has_button(even.komi))
            continue;
        for (int step = -4; step <= 4; step += 8) {
            OpeningSettings fixed = settings;
            fixed.auto_komi = false;
            fixed.komi = even.komi + step;
            assert_true(opening_draw(game, referee, &fixed, seed, &neighbour, &error));
            assert_memory_equal(even.actions, neighbour.actions, sizeof(Action) * (size_t)even.count);
            assert_true(fabs(neighbour.black - settings.even) > fabs(even.black - settings.even));
            compared++;
        }
    }
    assert_true(compared > 0 && odd > 0);
    assert_true(fabs(sum / 20 - settings.even) < 0.04);
    search_free(referee);
    game_free(game);
}

/* With little room around even, too. */
static void auto_komi_is_within_the_limit(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 4}, &error);
    Search *referee = opening_referee(game, &error);
    const OpeningSettings settings = auto_komi_within(0.54);
    for (uint64_t seed = 0; seed < 10; seed++) {
        Opening opening;
        assert_true(opening_draw(game, referee, &settings, seed, &opening, &error));
        assert_true(fabs(opening.black - settings.even) <= 0.04);
    }
    search_free(referee);
    game_free(game);
}

/* With a komi of its own for each opening, too; there the error speaks of the even game. */
static void auto_limit_is_too_strict(void **unused) {
    (void)unused;
    Error error = {.text = ""};
    Opening opening;
    OpeningSettings settings = auto_komi_within(0.5);
    settings.turns = 1;
    settings.simulations = 10;
    Game *game = game_new(&(GameOptions){.size = 2}, &error);
    Search *referee = opening_referee(game, &error);
    assert_false(opening_draw(game, referee, &settings, 1, &opening, &error));
    const char *distance = strstr(error.text, "is at least ");
    assert_non_null(distance);
    assert_non_null(strstr(error.text, "away from the 0.42 of an even game"));
    settings.limit = 0.5 + strtod(distance + strlen("is at least "), NULL) + 0.006;
    assert_true(opening_draw(game, referee, &settings, 1, &opening, &error));
    assert_true(fabs(opening.black - settings.even) <= settings.limit - 0.5);
    search_free(referee);
    game_free(game);
}

/* The error says how good the best of the openings is, and a limit above that allows it. */
static void the_most_even_opening_is_named(void **unused) {
    (void)unused;
    Error error = {.text = ""};
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    Search *referee = opening_referee(game, &error);
    OpeningSettings settings = {.turns = 2, .limit = 0.6, .simulations = 50, .komi = 14};
    Opening opening;
    int percent = 0;
    assert_false(opening_draw(game, referee, &settings, 1, &opening, &error));
    assert_int_equal(sscanf(strstr(error.text, "at least "), "at least %d%%", &percent), 1);
    assert_in_range(percent, 61, 99);
    settings.limit = 0.01 * percent + 0.006;
    assert_true(opening_draw(game, referee, &settings, 1, &opening, &error));
    settings.limit = 0.01 * percent - 0.006;
    assert_false(opening_draw(game, referee, &settings, 1, &opening, &error));
    search_free(referee);
    game_free(game);
}

static void unplayable_openings_are_an_error(void **unused) {
    (void)unused;
    Error error = {.text = ""};
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    Search *referee = opening_referee(game, &error);
    OpeningSettings settings = opening_default_settings();
    settings.simulations = 4;
    settings.komi = 19;
    Opening opening;
    assert_false(opening_draw(game, referee, &settings, 1, &opening, &error));
    assert_non_null(strstr(error.text, "choose another komi"));
    settings.limit = 1;
    assert_true(opening_draw(game, referee, &settings, 1, &opening, &error));
    search_free(referee);
    game_free(game);
}

/* The error names what helps: fewer turns where they end all games, komi only in games that have it. */
static void what_helps_is_named(void **unused) {
    (void)unused;
    static const struct {
        const char *game;
        OpeningSettings settings;
        const char *error;
    } cases[] = {
        {"stigmergy", {.turns = 20, .limit = 1}, "openings: every game ends within 20 turns, expected fewer turns"},
        {"stigmergy",
         {.turns = 20, .limit = 0.85, .auto_komi = true},
         "openings: every game ends within 20 turns, expected fewer turns"},
        {"sgolte", {.turns = 20, .limit = 1}, "openings: every game ends within 20 turns, expected fewer turns"},
        {"bug",
         {.turns = 2, .limit = 0.85},
         "openings: none of 200 is playable: one side would win at least 100% of each; choose a limit above 0.85"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Error error = {.text = ""};
        Opening opening;
        OpeningSettings settings = cases[i].settings;
        settings.simulations = 400;
        Game *game = game_new(&(GameOptions){.name = cases[i].game, .size = 2}, &error);
        Search *referee = opening_referee(game, &error);
        assert_false(opening_draw(game, referee, &settings, 1, &opening, &error));
        assert_string_equal(error.text, cases[i].error);
        search_free(referee);
        game_free(game);
    }
}

/* ---- All ways to begin ---- */

static void expect_classes(int size, int komi, const int counts[3]) {
    Error error;
    Game *game = game_new(&(GameOptions){.size = size}, &error);
    OpeningSettings settings = opening_default_settings();
    settings.all = true;
    settings.komi = komi;
    for (settings.turns = 0; settings.turns <= 2; settings.turns++) {
        Beginnings all;
        assert_true(opening_list(game, &settings, &all, &error));
        assert_int_equal(all.count, counts[settings.turns]);
        for (int i = 0; i < all.count; i++)
            assert_int_equal(all.list[i].count, settings.turns);
        beginnings_free(&all);
    }
    game_free(game);
}

/* By Burnside's lemma: (37 * 36 + 3 * 7 * 6 + 3 * 3 * 2) / 12 first two placements on hexhex-4. At odd komi either turn
 * may take the button too: then 1 + 6 first turns, and 123 + 6 + 6 first two. */
static void classes_are_complete(void **unused) {
    (void)unused;
    expect_classes(3, 0, (const int[]){1, 4, 35});
    expect_classes(4, 4, (const int[]){1, 6, 123});
    expect_classes(4, 5, (const int[]){1, 7, 135});
}

/* Each round has every opening once; another round has another order, but each opening keeps its komi. */
static void rounds_have_every_opening_once(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    Search *referee = opening_referee(game, &error);
    OpeningSettings settings = {.turns = 1, .all = true, .auto_komi = true, .even = 0.42, .simulations = 20};
    Beginnings all;
    assert_true(opening_list(game, &settings, &all, &error));
    int seen[4] = {0}, komi[4], moved = 0;
    for (int number = 0; number < 40; number++) {
        Opening opening, again;
        opening_take(game, referee, &settings, &all, 7, number, &opening);
        opening_take(game, referee, &settings, &all, 7, number % 4, &again);
        moved += opening.actions[0] != again.actions[0];
        int index = 0;
        while (opening.actions[0] != all.list[index].actions[0])
            index++;
        assert_int_equal(seen[index]++, number / 4);
        assert_true(number < 4 || opening.komi == komi[index]);
        komi[index] = opening.komi;
    }
    assert_true(moved > 5);
    beginnings_free(&all);
    search_free(referee);
    game_free(game);
}

/* Over many rounds each opening comes up at each place of a round, at the komi that is given. */
static void orders_are_shuffled(void **unused) {
    (void)unused;
    enum { OPENINGS = 4, ROUNDS = 60 };
    Error error;
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    const OpeningSettings settings = {.turns = 1, .all = true, .komi = 6};
    Beginnings all;
    int places[OPENINGS][OPENINGS] = {{0}};
    assert_true(opening_list(game, &settings, &all, &error));
    assert_int_equal(all.count, OPENINGS);
    for (int number = 0; number < OPENINGS * ROUNDS; number++) {
        Opening opening;
        opening_take(game, NULL, &settings, &all, 7, number, &opening);
        assert_int_equal(opening.komi, 6);
        int index = 0;
        while (opening.actions[0] != all.list[index].actions[0])
            index++;
        places[index][number % OPENINGS]++;
    }
    for (int i = 0; i < OPENINGS * OPENINGS; i++) /* 15 are expected, with a standard deviation of 3.4 */
        assert_in_range(places[i / OPENINGS][i % OPENINGS], 4, 26);
    beginnings_free(&all);
    game_free(game);
}

/* ---- Settings ---- */

static const char *const strong =
    "{\"name\": \"strong\", \"network\": \"none\", \"simulations\": 40, \"memory_mb\": 1}";
static const char *const weak = "{\"name\": \"weak\", \"network\": \"none\", \"simulations\": 4, \"memory_mb\": 1}";

static MatchConfig small_config(void) {
    MatchConfig config = match_config_default(3);
    Error error;
    assert_true(match_config_add_player(&config, strong, "test", &error));
    assert_true(match_config_add_player(&config, weak, "test", &error));
    config.run.games = 40;
    config.openings.auto_komi = true;
    config.openings.simulations = 20;
    assert_true(run_config_check(&config.run, &error));
    return config;
}

static void add_players(MatchConfig *config, const char *const *texts, int count) {
    Error error;
    for (int i = 0; i < count; i++)
        if (!match_config_add_player(config, texts[i], "test", &error))
            fail_msg("%s", error.text);
}

static void players_are_described(void **unused) {
    (void)unused;
    MatchConfig config = match_config_default(3);
    Error error;
    add_players(&config,
                (const char *const[]){"default", weak, weak, weak, "gtp:engine --level 3", "baseline-rave",
                                      "{\"gtp\": \"engine\", \"name\": \"weak\", \"move_time\": 0.5}",
                                      "gtp:a\tb\xc2\x9b|\x7f\u00e9", "{\"gtp\": \"e\\u001b[2J\"}"},
                9);
    assert_true(run_config_check(&config.run, &error));
    static const char *const names[] = {"default", "weak", "weak#2", "weak#3", "gtp:engine --level 3", "baseline-rave"};
    for (int i = 0; i < 6; i++)
        assert_string_equal(config.players[i].player.name, names[i]);
    assert_string_equal(config.players[6].player.name, "weak#4");
    assert_string_equal(config.players[7].player.name, "gtp:a?b??|?\u00e9"); /* a name can be printed */
    assert_string_equal(config.players[7].command, "a\tb\xc2\x9b|\x7f\u00e9");
    assert_string_equal(config.players[8].player.name, "gtp:e?[2J");
    assert_string_equal(config.players[4].command, "engine --level 3");
    assert_true(match_config_timed(&config));
    assert_int_equal(config.run.games, MATCH_GAMES_DEFAULT);
    config.effort = (MatchEffort){.built_in.simulations = 77, .memory_mb = 3};
    assert_true(run_config_check(&config.run, &error));
    assert_int_equal(config.players[0].player.memory_mb, 3);
    assert_true(config.players[0].player.simulations == 77 && config.players[4].player.simulations == 0);
    assert_true(config.players[6].player.move_seconds == 0.5); /* an engine keeps its time */
    config.effort = (MatchEffort){.built_in.move_seconds = 0.25, .engine_seconds = 0.25};
    assert_true(run_config_check(&config.run, &error));
    assert_true(config.players[1].player.simulations == 0 && config.players[1].player.move_seconds == 0.25);
    assert_true(config.players[4].player.move_seconds == 0.25);
}

/* The name of an engine is as much of its command as fits, in whole characters: documents are UTF-8. */
static void long_names_are_cut(void **unused) {
    (void)unused;
    static const char *const commands[] = {"gtp:engine ", "gtp:engine x"};
    for (int i = 0; i < 2; i++) {
        MatchConfig config = match_config_default(3);
        Error error;
        char command[200], expected[PLAYER_NAME_MAX];
        size_t length = strlen(strcpy(command, commands[i]));
        for (int n = 0; n < 40; n++, length += 2)
            strcpy(command + length, "\u00e9");
        add_players(&config, (const char *const[]){command, command}, 2);
        assert_true(run_config_check(&config.run, &error));
        const size_t whole = PLAYER_NAME_MAX - 1 - (PLAYER_NAME_MAX - 1 - strlen(commands[i])) % 2;
        snprintf(expected, sizeof expected, "%.*s", (int)whole, command);
        assert_string_equal(config.players[0].player.name, expected);
        const char *name = config.players[1].player.name;
        const size_t cut = (size_t)(strchr(name, '#') - name);
        assert_string_equal(name + cut, "#2");
        assert_memory_equal(name, command, cut);
        assert_int_equal((cut - strlen(commands[i])) % 2, 0);
    }
}

/* The yardstick says everything itself, so that no default changes it: every parameter that there is. */
static void baseline_is_complete(void **unused) {
    (void)unused;
    MatchConfig config = match_config_default(3);
    add_players(&config, (const char *const[]){"baseline-rave"}, 1);
    const SearchParams *params = &config.players[0].player.params;
    assert_true(params->playout_policy == PLAYOUT_LIGHT && params->playouts == 1 && params->expand_visits == 1);
    assert_true(params->rave_equivalence == 500 && params->exploration == 0 && params->fpu == 1);
    assert_int_equal(config.players[0].player.search_threads, 1);
    char path[FILE_PATH_MAX];
    Error error;
    cJSON *file = json_load_config("players", "baseline-rave", path, &error);
    cJSON *whole = player_to_json(&config.players[0].player);
    const cJSON *written = json_get(file, "search");
    for (const cJSON *item = json_get(whole, "search")->child; item; item = item->next)
        if (!cJSON_HasObjectItem(written, item->string))
            fail_msg("baseline-rave.json leaves '%s' to the defaults", item->string);
    cJSON_Delete(file);
    cJSON_Delete(whole);
}

static void expect_bad_settings(const char *text, const char *word) {
    Error error = {.text = ""};
    MatchConfig config = match_config_default(5);
    cJSON *json = json_parse(text, strlen(text), "test.json", &error);
    const bool good =
        json && run_config_read(json, "test.json", &config.run, &error) && run_config_check(&config.run, &error);
    cJSON_Delete(json);
    if (good || !strstr(error.text, word))
        fail_msg("%s: '%s' is not in: %s", text, word, error.text);
}

static void bad_settings_are_named(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *word;
    } cases[] = {
        {"{\"players\": []}", "players: 0, expected two or more"},
        {"{\"players\": [\"default\"]}", "players: 1"},
        {"{\"players\": [\"default\", \"nobody\"]}", "nobody"},
        {"{\"players\": [\"default\", 3]}", "expected a JSON object"},
        {"{\"players\": [\"default\", {\"rave\": 3}]}", "unknown key 'rave'"},
        {"{\"players\": [\"default\", {\"name\": \" \"}]}", "'name' is wrong"},
        {"{\"players\": [\"default\", {\"name\": \"\\u001b[31m\"}]}", "'name' is wrong"},
        {"{\"players\": [\"default\", \"gtp: \"]}", "no command"},
        {"{\"players\": [\"default\", {\"gtp\": \"x\", \"name\": \"a\\u009bb\"}]}", "'name' is wrong"},
        {"{\"players\": [\"default\", {\"gtp\": \"x\", \"name\": \"\"}]}", "'name' is wrong"},
        {"{\"players\": [\"default\", {\"gtp\": \"x\", \"simulations\": 3}]}", "unknown key 'simulations'"},
        {"{\"players\": [\"default\", {\"gtp\": 3}]}", "'gtp'"},
        {"{\"players\": \"default\"}", "'players'"},
        {"{\"players\": [\"default\", \"default\"], \"komi\": \"even\"}", "'komi'"},
        {"{\"players\": [\"default\", \"default\"], \"komi\": 1.5}", "'komi'"},
        {"{\"players\": [\"default\", \"default\"], \"komi\": 62}",
         "komi: 62 on hexhex-5, expected a whole number from -61"},
        {"{\"players\": [\"default\", \"default\"], \"komi\": \"auto\", \"game\": \"bug\"}",
         "komi: auto, expected 0, for bug"},
        {"{\"players\": [\"default\", \"default\"], \"komi\": 1, \"game\": \"chess\"}", "chess"},
        {"{\"players\": [\"default\", \"default\"], \"games\": 0}", "'games'"},
        {"{\"players\": [\"default\", \"default\"], \"pie\": \"yes\"}", "'pie'"},
        {"{\"players\": [\"default\", \"default\"], \"capture\": \"line\"}", "capture"},
        {"{\"players\": [\"default\", \"default\"], \"games\": 7}", "even number"},
        {"{\"players\": [\"default\", \"default\"], \"sprt\": [5, 0]}", "ELO0 below ELO1"},
        {"{\"players\": [\"default\", \"default\"], \"sprt\": [0, 1e9]}", "ELO0 below ELO1"},
        {"{\"players\": [\"default\", \"default\"], \"sprt\": [5]}", "'sprt'"},
        {"{\"players\": [\"default\", \"default\", \"default\"], \"sprt\": [0, 5]}", "expected two"},
        {"{\"players\": [\"default\", \"default\"], \"openings\": {\"limit\": 0.4}}", "'limit'"},
        {"{\"players\": [\"default\", \"default\"], \"openings\": {\"turns\": 21}}", "'turns'"},
        {"{\"players\": [\"default\", \"default\"], \"openings\": {\"turns\": 3, \"all\": true}}",
         "openings: all of 3 turns"},
        {"{\"players\": [\"default\", \"default\"], \"openings\": {\"all\": 1}}", "'all'"},
        {"{\"players\": [\"default\", \"default\"], \"opening\": {}}", "unknown key 'opening'"},
        {"{\"players\": [\"default\", \"default\"], \"size\": 1}", "'size'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_bad_settings(cases[i].text, cases[i].word);
    MatchConfig config = match_config_default(3);
    Error error;
    for (int i = 0; i < MATCH_PLAYERS_MAX; i++)
        assert_true(match_config_add_player(&config, weak, "test", &error));
    assert_false(match_config_add_player(&config, weak, "test", &error));
    assert_non_null(strstr(error.text, "too many"));
}

/* The hash of a run with these variants: the keys of a JSON object, with a comma at the end. */
static void hash_variants(const char *game, const char *variants, char hash[20]) {
    char text[160];
    Error error;
    MatchConfig config = match_config_default(3);
    snprintf(text, sizeof text, "{\"game\": \"%s\", %s \"players\": [\"default\", \"default\"]}", game, variants);
    cJSON *json = json_parse(text, strlen(text), "test", &error);
    assert_true(run_config_read(json, "test", &config.run, &error) && run_config_check(&config.run, &error));
    assert_true(run_config_hash(&config.run, hash, &error));
    cJSON_Delete(json);
}

/* To name a variant that is usual anyway makes no other run. */
static void usual_variants_may_be_named(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *variants;
        bool usual;
    } cases[] = {
        {"stigmergy", "\"pie\": \"off\",", true},    {"bug", "\"pie\": \"off\",", true},
        {"bug", "\"pie\": \"on\",", false},          {"sgolte", "\"capture\": \"free\", \"pie\": \"on\",", true},
        {"sgolte", "\"capture\": \"line\",", false}, {"sgolte", "\"pie\": \"off\",", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char plain[20], named[20];
        hash_variants(cases[i].game, "", plain);
        hash_variants(cases[i].game, cases[i].variants, named);
        assert_int_equal(!strcmp(plain, named), cases[i].usual);
    }
}

/* ---- Runs ---- */

static Run *open_match(const MatchConfig *config) {
    return open_run(&match_kind, &config->run, records_path);
}

/* Plays a session; the run is left open. */
static Run *play_on(const MatchConfig *config, int threads) {
    Error error;
    Run *run = open_match(config);
    assert_int_equal(play_open_run(run, threads, 0, NULL), RUN_DONE);
    assert_true(run_sort_records(run, &error));
    return run;
}

static void play(const MatchConfig *config, int *played) {
    assert_int_equal(play_run(&match_kind, &config->run, records_path, 2, 0, played), RUN_DONE);
}

/* The document of a run, without what depends on the machine and the moment. */
static char *document_of(const Run *run) {
    Error error;
    const DocumentContext context = {.started = "then"};
    cJSON *json = run->kind->document(run, &context, &error);
    assert_non_null(json);
    cJSON_DeleteItemFromObject(json, "timing");
    char *text = cJSON_Print(json);
    cJSON_Delete(json);
    return text;
}

static int count_lines(const char *text) {
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Plays with one thread and with three, and expects the same records and documents. Returns the number of games. */
static int expect_same(const MatchConfig *config) {
    char *records[2], *documents[2];
    for (int i = 0; i < 2; i++) {
        drop_files(NULL);
        Run *run = play_on(config, i == 0 ? 1 : 3);
        records[i] = read_text(records_path);
        documents[i] = document_of(run);
        run_free(run);
    }
    assert_string_equal(records[0], records[1]);
    assert_string_equal(documents[0], documents[1]);
    const int games = count_lines(records[0]);
    for (int i = 0; i < 2; i++) {
        free(records[i]);
        free(documents[i]);
    }
    return games;
}

static void threads_change_nothing(void **unused) {
    (void)unused;
    const MatchConfig config = small_config();
    assert_int_equal(expect_same(&config), 40);
}

static void threads_do_not_change_the_verdict(void **unused) {
    (void)unused;
    MatchConfig config = small_config();
    Error error;
    config.run.games = 0;
    config.sprt = true;
    config.elo1 = 60;
    assert_true(run_config_check(&config.run, &error));
    const int games = expect_same(&config);
    assert_in_range(games, 4, 300);
    Run *run = open_match(&config);
    assert_int_equal(match_state(run)->sprt.verdict, SPRT_H1);
    assert_int_equal(run_counted(run), games);
    run_free(run);
    int played;
    play(&config, &played); /* again: nothing is left to play */
    assert_int_equal(played, 0);
    config.sprt = false; /* and then more games */
    config.run.games = games + 10;
    play(&config, &played);
    assert_int_equal(played, 10);
}

/* A test that is added to a finished match has its verdict in the midst of the games: the others stay in the file. */
static void a_test_drops_no_game_of_before(void **unused) {
    (void)unused;
    MatchConfig config = small_config();
    int played;
    play(&config, &played);
    char *before = read_text(records_path);
    config.sprt = true;
    config.elo1 = 60;
    Run *run = play_on(&config, 2);
    assert_int_not_equal(match_state(run)->sprt.verdict, SPRT_RUNNING);
    assert_in_range(run_counted(run), 2, 38);
    run_free(run);
    char *after = read_text(records_path);
    assert_string_equal(before, after);
    free(before);
    free(after);
    config.sprt = false;
    play(&config, &played);
    assert_int_equal(played, 0);
}

/* Goes on with these records and the document that is there. */
static void expect_sorted(const MatchConfig *config, const char *records, const char *expected) {
    DocumentContext context = document_context();
    Error error = {.text = ""};
    write_text(records_path, records);
    Run *run = make_run(&match_kind, &config->run, (ShardSpec){0, 0});
    if (!run_claim(run, result_path, records_path, &context, &error) || !run_open(run, &error))
        fail_msg("%s", error.text);
    assert_int_equal(play_open_run(run, 2, 0, NULL), RUN_DONE);
    assert_true(run_sort_records(run, &error) && run_write(run, &context, result_path, &error));
    run_free(run);
    char *found = read_text(records_path);
    assert_string_equal(expected, found);
    free(found);
}

/* What threads have played beyond the verdict is dropped, too, if the session ended before it did that. But not what
 * there was before the test, however often it goes on. */
static void a_test_that_goes_on_drops_its_own_surplus(void **unused) {
    (void)unused;
    MatchConfig config = small_config();
    play(&config, NULL);
    char *more = read_text(records_path);
    drop_files(NULL);
    config.sprt = true;
    config.elo1 = 60;
    Run *run = play_on(&config, 2);
    const DocumentContext context = document_context();
    Error error;
    assert_true(run_write(run, &context, result_path, &error));
    run_free(run);
    char *undisturbed = read_text(records_path);
    assert_in_range(count_lines(undisturbed), 2, 38);
    expect_sorted(&config, more, undisturbed);
    MatchConfig other = config;
    other.elo1 = 65;
    expect_sorted(&other, more, more);
    for (int i = 0; i < 2; i++)
        expect_sorted(&config, more, more);
    free(more);
    free(undisturbed);
}

static void nothing_changes_the_games(void **unused) {
    (void)unused;
    const MatchConfig config = small_config();
    expect_same_records(&match_kind, &config.run, records_path, 40, 14, 14);
}

static void pairs_share_their_opening(void **unused) {
    (void)unused;
    const MatchConfig config = small_config();
    int different = 0;
    Run *run = play_on(&config, 2);
    for (int number = 0; number < 40; number += 2) {
        const RunGame *a = run_game(run, (GameId){0, number}), *b = run_game(run, (GameId){0, number + 1});
        assert_true(a->opening == b->opening && a->komi == b->komi);
        different += number > 0 && a->opening != run_game(run, (GameId){0, 0})->opening;
    }
    assert_true(different > 15);
    const MatchTally first = match_tally(run, 0), second = match_tally(run, 1);
    assert_true(first.games[BLACK] == 20 && first.games[WHITE] == 20);
    assert_int_equal(first.wins[BLACK] + second.wins[WHITE], 20);
    assert_int_equal(first.won_by[END_SCORE], first.wins[BLACK] + first.wins[WHITE]);
    assert_int_equal(second.lost_by[END_SCORE], first.won_by[END_SCORE]);
    assert_true(first.simulations / first.moves <= 40 && second.simulations / second.moves <= 4);
    const PairCounts counts = match_pairing_counts(run, 0);
    assert_true(counts.count[0] + counts.count[1] + counts.count[2] == 20);
    assert_true(counts.count[1] + 2 * counts.count[2] == first.wins[BLACK] + first.wins[WHITE]);
    run_free(run);
}

/* All first turns: as many games as that takes, every opening with both colours, and the document says so. */
static void all_openings_are_played_in_pairs(void **unused) {
    (void)unused;
    MatchConfig config = small_config();
    Error error;
    config.run.games = 0;
    config.openings.all = true;
    config.openings.turns = 2;
    assert_true(run_config_check(&config.run, &error));
    assert_int_equal(config.run.games, 70);
    config.run.games = 0;
    config.openings.turns = 1;
    assert_true(run_config_check(&config.run, &error));
    assert_int_equal(expect_same(&config), 8);
    Run *run = open_match(&config);
    for (int number = 0; number < 8; number += 2) {
        const RunGame *a = run_game(run, (GameId){0, number}), *b = run_game(run, (GameId){0, number + 1});
        assert_true(a->opening == b->opening && a->komi == b->komi);
        for (int other = 0; other < number; other++)
            assert_true(run_game(run, (GameId){0, other})->opening != a->opening);
    }
    const MatchTally tally = match_tally(run, 0);
    assert_true(tally.games[BLACK] == 4 && tally.games[WHITE] == 4);
    char *document = document_of(run);
    assert_non_null(strstr(document, "\"all\":\ttrue"));
    free(document);
    run_free(run);
}

/* From few positions a player with a network draws its moves, but not where its description says that it does not. */
static void repeating_players_draw(void **unused) {
    (void)unused;
    Error error;
    for (int turns = 0; turns <= 2; turns++) {
        MatchConfig config = match_config_default(3);
        add_players(&config, (const char *const[]){"default", "{\"draw\": 0}", weak}, 3);
        config.openings.all = true;
        config.openings.turns = turns;
        assert_true(run_config_check(&config.run, &error));
        assert_int_equal(config.players[0].player.draw > 0, turns < 2);
        assert_true(config.players[1].player.draw == 0 && config.players[2].player.draw <= 0);
        assert_int_equal(config.run.games, turns == 0 ? MATCH_GAMES_DEFAULT : turns == 1 ? 8 : 70);
    }
}

static double number(const cJSON *json, const char *key) {
    const cJSON *item = json_get(json, key);
    if (!cJSON_IsNumber(item))
        fail_msg("no '%s'", key);
    return item->valuedouble;
}

/* Documents have four decimals. */
static bool is_about(double told, double expected) {
    return fabs(told - expected) < 1e-4;
}

static void check_estimate(const cJSON *json, EloEstimate expected) {
    const cJSON *ci95 = json_get(json, "ci95");
    assert_true(is_about(number(json, "estimate"), expected.estimate));
    assert_true(is_about(cJSON_GetArrayItem(ci95, 0)->valuedouble, expected.ci95.low));
    assert_true(is_about(cJSON_GetArrayItem(ci95, 1)->valuedouble, expected.ci95.high));
}

/* What the document says of the pairs of two players. */
static void check_pairs(const cJSON *json, const Run *run, int pairing) {
    static const char *const keys[] = {"0", "0.5", "1"};
    const PairCounts counts = match_pairing_counts(run, pairing);
    PairCounts effective;
    Error error;
    assert_true(match_effective_counts(run, pairing, &effective, &error));
    for (int i = 0; i < 3; i++)
        assert_true(number(json_get(json, "pair_scores"), keys[i]) == counts.count[i]);
    assert_true(is_about(number(json, "score"), elo_score(counts)));
    assert_true(is_about(number(json, "effective_pairs"), pairs_total(effective)));
    check_estimate(json_get(json, "elo"), elo_of_pairs(effective));
    check_estimate(json_get(json, "normalized_elo"), elo_normalized(effective));
}

static void several_players_are_rated(void **unused) {
    (void)unused;
    MatchConfig config = small_config();
    Error error;
    assert_true(match_config_add_player(
        &config, "{\"name\": \"third\", \"network\": \"none\", \"simulations\": 12, \"memory_mb\": 1}", "test",
        &error));
    config.run.games = 20;
    assert_int_equal(expect_same(&config), 60);
    Run *run = open_match(&config);
    EloEstimate ratings[MATCH_PLAYERS_MAX];
    assert_true(match_run_ratings(run, ratings, &error));
    assert_true(ratings[0].estimate > ratings[1].estimate);
    cJSON *json = run_document(run);
    static const char *const names[] = {"strong", "weak", "third"};
    static const int pairs[][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int i = 0; i < 3; i++) {
        const cJSON *rating = cJSON_GetArrayItem(json_get(json, "ratings"), i);
        const cJSON *pairing = cJSON_GetArrayItem(json_get(json, "pairings"), i);
        assert_string_equal(json_get(rating, "player")->valuestring, names[i]);
        check_estimate(rating, ratings[i]);
        assert_string_equal(json_get(pairing, "a")->valuestring, names[pairs[i][0]]);
        assert_string_equal(json_get(pairing, "b")->valuestring, names[pairs[i][1]]);
        check_pairs(pairing, run, i);
    }
    cJSON_Delete(json);
    run_free(run);
}

/* A game without points, whose turns can have several actions. */
static void other_games_are_played(void **unused) {
    (void)unused;
    MatchConfig config = small_config();
    Error error;
    strcpy(config.run.game, "bug");
    config.openings.auto_komi = false;
    config.run.games = 20;
    assert_true(run_config_check(&config.run, &error));
    assert_int_equal(expect_same(&config), 20);
    Run *run = open_match(&config);
    const MatchTally tally = match_tally(run, 0);
    assert_int_equal(tally.won_by[END_NO_MOVE] + tally.lost_by[END_NO_MOVE], 20);
    run_free(run);
    config.openings.komi = 1;
    assert_false(run_config_check(&config.run, &error));
    assert_non_null(strstr(error.text, "komi"));
}

/* ---- What does not belong together ---- */

static void expect_refused(const MatchConfig *config, const char *word) {
    expect_run_refused(&match_kind, &config->run, records_path, word);
}

static void foreign_records_are_refused(void **unused) {
    (void)unused;
    const MatchConfig config = small_config();
    play(&config, NULL);
    MatchConfig other = config;
    other.run.seed = 2;
    expect_refused(&other, "another run");
    other = config;
    other.players[0].player.simulations = 41;
    expect_refused(&other, "another run");
    other = config;
    other.openings.turns = 3;
    expect_refused(&other, "another run");
    char *text = read_text(records_path);
    drop_checksums(text);
    memcpy(strstr(text, "1v2-1\"") + 4, "3", 1); /* a game that belongs to another pair */
    write_text(records_path, text);
    expect_refused(&config, "another opening");
    memcpy(strstr(text, "1v2-3\"") + 4, "2", 1); /* the other colour */
    write_text(records_path, text);
    expect_refused(&config, "Black is 'weak'");
    free(text);
    write_text(records_path, "{\"id\": \"x\"}\n"); /* no number */
    expect_refused(&config, "not a game of this run");
    write_text(records_path, "{}\n");
    expect_refused(&config, "line 1");
}

/* Who has won a forfeited game does not follow from its moves. Only the checksum guards it. */
static void changed_winners_of_forfeits_are_found(void **unused) {
    (void)unused;
    const MatchConfig config = small_config();
    Error error;
    play(&config, NULL);
    char *text = read_text(records_path);
    GameRecord record = {0};
    Run *run = open_match(&config);
    assert_true(record_from_line(text, strcspn(text, "\n"), "test", run->game, &record, &error));
    record.count--;
    record.reason = END_TIME;
    record.result = (GameResult){.winner = BLACK};
    char *line = record_to_line(&record, run->game, &error);
    run_free(run);
    for (int change = 0; change < 3; change++) {
        if (change == 1)
            memcpy(strstr(line, "\"winner\":\"B"), "\"winner\":\"W", strlen("\"winner\":\"W"));
        if (change == 2)
            drop_checksums(line);
        write_text(records_path, line);
        if (change == 1) {
            expect_refused(&config, "was changed");
            continue;
        }
        run = open_match(&config);
        assert_int_equal(run_game(run, (GameId){0, 0})->winner, change ? WHITE : BLACK);
        run_free(run);
    }
    record_free(&record);
    free(line);
    free(text);
}

/* A number that no run can have is refused, not looked up. */
static void far_records_are_refused(void **unused) {
    (void)unused;
    MatchConfig config = small_config();
    Error error;
    add_players(&config, (const char *const[]){weak}, 1);
    config.run.games = 2;
    assert_true(run_config_check(&config.run, &error));
    play(&config, NULL);
    char *text = read_text(records_path);
    drop_checksums(text);
    const char *id = strstr(text, "1v2-1\"");
    char *far = malloc(strlen(text) + 16);
    sprintf(far, "%.*s1v2-900000001%s", (int)(id - text), text, id + 5);
    write_text(records_path, far);
    expect_refused(&config, "most games before it are not");
    free(far);
    free(text);
}

static bool resume(const MatchConfig *config, DocumentContext *context, double *moves, Error *error) {
    Run *run = make_run(&match_kind, &config->run, (ShardSpec){0, 0});
    const bool good = run_resume(run, result_path, context, error);
    *moves = match_state(run)->timing[0].moves;
    run_free(run);
    return good;
}

static void other_documents_are_refused(void **unused) {
    (void)unused;
    const MatchConfig config = small_config();
    DocumentContext context = document_context(), read = {.seconds = 0};
    double moves;
    Error error;
    assert_true(resume(&config, &read, &moves, &error)); /* none there */
    assert_true(moves == 0);
    Run *run = play_on(&config, 2);
    context.seconds = 12.5;
    assert_true(run_write(run, &context, result_path, &error));
    assert_true(resume(&config, &read, &moves, &error));
    assert_true(read.seconds == 12.5 && moves == match_state(run)->timing[0].moves && moves > 0);
    run_free(run);
    MatchConfig other = config;
    other.openings.auto_komi = false;
    assert_false(resume(&other, &read, &moves, &error));
    assert_non_null(strstr(error.text, "'komi'"));
    static const char komi_document[] = "{\"schema\": {\"name\": \"stigmergy-komi\", \"version\": 1}}";
    write_text(result_path, komi_document);
    assert_false(resume(&config, &read, &moves, &error));
    assert_non_null(strstr(error.text, "not a result of a match"));
}

static void document_is_complete(void **unused) {
    (void)unused;
    MatchConfig config = small_config();
    config.sprt = true;
    config.elo1 = 5;
    config.run.games = 20;
    Run *run = play_on(&config, 2);
    cJSON *json = run_document(run);
    static const char *const keys[] = {
        "schema",     "program",    "game",        "size",           "komi",    "players", "seed",
        "run",        "settings",   "started",     "seconds",        "machine", "games",   "pairs",
        "elo",        "score",      "sprt",        "normalized_elo", "results", "timing",  "openings",
        "mean_turns", "black_wins", "pair_scores", "duplicate_share"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!json_get(json, keys[i]))
            fail_msg("no '%s'", keys[i]);
    const cJSON *sprt = json_get(json, "sprt");
    static const char *const test_keys[] = {"elo0", "elo1", "llr", "bounds", "verdict", "more_games"};
    for (size_t i = 0; i < sizeof test_keys / sizeof test_keys[0]; i++)
        assert_non_null(json_get(sprt, test_keys[i]));
    assert_true(is_about(number(sprt, "llr"), match_state(run)->sprt.llr));
    assert_string_equal(json_get(sprt, "verdict")->valuestring, "running");
    assert_int_equal(cJSON_GetArraySize(json_get(json, "results")), 2);
    cJSON_Delete(json);
    run_free(run);
}

/* The sums over all games, and what the pairs say: with four openings for eight pairs, pairs repeat, which the strength
 * takes into account. */
static void document_says_what_was_played(void **unused) {
    (void)unused;
    enum { GAMES = 16 };
    MatchConfig config = match_config_default(3);
    Error error;
    add_players(&config,
                (const char *const[]){"{\"name\": \"strong\", \"draw\": 0, \"simulations\": 40, \"memory_mb\": 1}",
                                      "{\"name\": \"weak\", \"draw\": 0, \"simulations\": 1, \"memory_mb\": 1}"},
                2);
    config.openings.all = true;
    config.openings.turns = 1;
    config.openings.auto_komi = true;
    config.openings.simulations = 20;
    config.run.games = GAMES;
    assert_true(run_config_check(&config.run, &error));
    Run *run = play_on(&config, 2);
    cJSON *json = run_document(run);
    int black_wins = 0, turns = 0, komi = 0, strong_wins[2] = {0}; /* as Black and as White */
    for (int i = 0; i < GAMES; i++) {
        const RunGame *game = run_game(run, (GameId){0, i});
        black_wins += game->winner == BLACK;
        strong_wins[i % 2] += game->winner == (i % 2 == 0 ? BLACK : WHITE);
        turns += game->turns;
        komi += game->komi;
    }
    assert_true(number(json, "games") == GAMES && number(json, "pairs") == GAMES / 2.0);
    assert_true(number(json, "black_wins") == black_wins);
    const cJSON *results = cJSON_GetArrayItem(json_get(json, "results"), 0);
    assert_true(number(json_get(results, "black"), "wins") == strong_wins[0]);
    assert_true(number(json_get(results, "white"), "wins") == strong_wins[1]);
    assert_true(number(json_get(results, "won_by"), "score") == strong_wins[0] + strong_wins[1]);
    assert_true(is_about(number(json, "mean_turns"), (double)turns / GAMES));
    assert_true(is_about(number(json, "mean_komi"), (double)komi / GAMES));
    check_pairs(json, run, 0);
    assert_true(number(json, "effective_pairs") < GAMES / 2.0);
    assert_true(number(json_get(json, "pair_scores"), "0") != number(json_get(json, "pair_scores"), "1"));
    assert_true(number(json_get(json, "elo"), "estimate") != number(json_get(json, "normalized_elo"), "estimate"));
    cJSON_Delete(json);
    run_free(run);
}

static const char *const without_chance = "{\"draw\": 0, \"simulations\": 10, \"memory_mb\": 1}";

/* The document of a match on hexhex-2 that plays both first moves in turn; to be deleted. */
static cJSON *tiny_document(const char *first, const char *second, int games) {
    MatchConfig config = match_config_default(2);
    Error error;
    add_players(&config, (const char *const[]){first, second}, 2);
    config.openings.all = true;
    config.openings.turns = 1;
    config.run.games = games;
    assert_true(run_config_check(&config.run, &error));
    Run *run = play_on(&config, 2);
    cJSON *json = run_document(run);
    run_free(run);
    return json;
}

/* Equal players without chance play both games of a pair alike, but one of them wins as Black and the other as White.
 */
static void other_colours_make_another_game(void **unused) {
    (void)unused;
    cJSON *json = tiny_document(without_chance, without_chance, 4);
    assert_true(number(json_get(json, "pair_scores"), "0.5") == 2);
    assert_true(number(json, "duplicate_share") == 0 && number(json, "effective_pairs") == 2);
    cJSON_Delete(json);
}

/* Where one of the players plays by chance, pairs that are equal are equal by chance. */
static void one_player_with_chance_is_enough(void **unused) {
    (void)unused;
    cJSON *json = tiny_document(without_chance, weak, 80);
    assert_true(number(json, "duplicate_share") > 0.5 && number(json, "effective_pairs") == 40);
    cJSON_Delete(json);
}

/* The times of sessions and of shards are added, and the longest move is that of all of them. */
static void times_add_up(void **unused) {
    (void)unused;
    static const char sessions[2][160] = {
        "[{\"moves\": 2, \"seconds\": 1.5, \"longest\": 1, \"overruns\": 1}, {\"moves\": 3, \"longest\": 2}]",
        "[{\"moves\": 4, \"seconds\": 2.5, \"longest\": 2, \"overruns\": 0}, {\"moves\": 5, \"longest\": 1}]"};
    const MatchConfig config = small_config();
    Run *run = make_run(&match_kind, &config.run, (ShardSpec){0, 0});
    for (int i = 0; i < 2; i++) {
        cJSON *timing = cJSON_Parse(sessions[i]);
        run->kind->add_timing(run, timing);
        cJSON_Delete(timing);
    }
    const MatchTiming *timing = match_state(run)->timing;
    assert_true(timing[0].moves == 6 && timing[0].seconds == 4 && timing[0].overruns == 1);
    assert_true(timing[1].moves == 8 && timing[0].longest == 2 && timing[1].longest == 2);
    run_free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openings_repeat_and_are_playable),
        cmocka_unit_test(usual_openings_are_those_of_the_manual),
        cmocka_unit_test(openings_leave_a_game),
        cmocka_unit_test(auto_komi_is_the_most_even_one),
        cmocka_unit_test(auto_komi_is_within_the_limit),
        cmocka_unit_test(auto_limit_is_too_strict),
        cmocka_unit_test(unplayable_openings_are_an_error),
        cmocka_unit_test(the_most_even_opening_is_named),
        cmocka_unit_test(what_helps_is_named),
        cmocka_unit_test(classes_are_complete),
        cmocka_unit_test(rounds_have_every_opening_once),
        cmocka_unit_test(orders_are_shuffled),
        cmocka_unit_test(players_are_described),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(baseline_is_complete),
        cmocka_unit_test(bad_settings_are_named),
        cmocka_unit_test(usual_variants_may_be_named),
        cmocka_unit_test_teardown(threads_change_nothing, drop_files),
        cmocka_unit_test_teardown(threads_do_not_change_the_verdict, drop_files),
        cmocka_unit_test_teardown(a_test_drops_no_game_of_before, drop_files),
        cmocka_unit_test_teardown(a_test_that_goes_on_drops_its_own_surplus, drop_files),
        cmocka_unit_test_teardown(nothing_changes_the_games, drop_files),
        cmocka_unit_test_teardown(pairs_share_their_opening, drop_files),
        cmocka_unit_test_teardown(all_openings_are_played_in_pairs, drop_files),
        cmocka_unit_test(repeating_players_draw),
        cmocka_unit_test_teardown(several_players_are_rated, drop_files),
        cmocka_unit_test_teardown(other_games_are_played, drop_files),
        cmocka_unit_test_teardown(foreign_records_are_refused, drop_files),
        cmocka_unit_test_teardown(changed_winners_of_forfeits_are_found, drop_files),
        cmocka_unit_test_teardown(far_records_are_refused, drop_files),
        cmocka_unit_test_teardown(other_documents_are_refused, drop_files),
        cmocka_unit_test_teardown(document_is_complete, drop_files),
        cmocka_unit_test_teardown(document_says_what_was_played, drop_files),
        cmocka_unit_test_teardown(other_colours_make_another_game, drop_files),
        cmocka_unit_test_teardown(one_player_with_chance_is_enough, drop_files),
        cmocka_unit_test(times_add_up),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
