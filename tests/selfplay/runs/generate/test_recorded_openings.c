/* Openings from recorded games: beginnings of whole turns, up to half of a game, of games on the same board; settings
 * that say which games they are; a run that several threads begin at once. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "selfplay/io/document.h"
#include "selfplay/runs/generate/opening.h"
#include "selfplay/runs/generate/run.h"
#include "tests/support/fixtures.h"
#include "tests/support/playout_player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { GAMES = 3 };

static char recorded_path[FIXTURE_PATH_MAX];
static GameRecord records[GAMES]; /* which are in that file */

/* Plays a game of random actions, with few passes, to its end. */
static void play_random(const Game *game, GameRecord *record, int number) {
    Error error;
    GameState state;
    Rng rng = rng_seed((uint64_t)number);
    record_clear(record);
    record->komi = game->has_points ? 2 * number : 0;
    snprintf(record->id, sizeof record->id, "r-%d", number);
    strcpy(record->run, "run");
    game->rules->start(game, &state, record->komi);
    while (!game->rules->over(&state)) {
        Action actions[GAME_LEGAL_MAX];
        const int count = game->rules->legal(game, &state, actions);
        const Action action = actions[rng_below(&rng, (uint32_t)count)];
        assert_true(record_add(record, action, &error));
        game->rules->apply(game, &state, action);
    }
    record->result = game->rules->result(game, &state);
    record->reason = game->has_points ? END_SCORE : END_NO_MOVE;
}

/* Writes GAMES such games. Each test ends with forget_games. */
static void write_games(const Game *game) {
    Error error;
    char text[65536] = "";
    in_folder(recorded_path, "old.records.jsonl");
    for (int i = 0; i < GAMES; i++) {
        play_random(game, &records[i], i);
        char *line = record_to_line(&records[i], game, &error);
        assert_true(line && strlen(text) + strlen(line) < sizeof text);
        strcat(text, line);
        free(line);
    }
    write_text(recorded_path, text);
}

static void forget_games(void) {
    unlink(recorded_path);
    for (int i = 0; i < GAMES; i++)
        record_free(&records[i]);
    memset(records, 0, sizeof records);
}

/* Turns of the first `actions` actions; *boundary: whether they are whole turns. */
static int turns_in(const Game *game, const GameRecord *record, int actions, bool *boundary) {
    GameState state;
    int turns = 0;
    *boundary = true;
    game->rules->start(game, &state, record->komi);
    for (int i = 0; i < actions; i++) {
        game->rules->apply(game, &state, record->actions[i]);
        *boundary = game->rules->over(&state) || game->rules->turn_start(&state);
        turns += *boundary;
    }
    return turns;
}

static SelfplayConfig config_of(const char *game, int size) {
    SelfplayConfig config = selfplay_config_default();
    Error error = {.text = ""};
    strcpy(config.run.game, game);
    selfplay_config_set_size(&config, size);
    use_playouts(&config.player);
    config.player.simulations = 8;
    config.player.memory_mb = 4;
    config.komi_spread = 0.01;
    config.wild_share = 0;
    config.recorded.share = 1;
    strcpy(config.recorded.from, recorded_path);
    if (!run_config_check(&config.run, &error))
        fail_msg("%s", error.text);
    return config;
}

static void check_openings(const char *name, int board) {
    enum { OPENINGS = 600 };
    Error error = {.text = ""};
    RecordedOpenings recorded;
    SelfplayBoards boards;
    Game *game = game_new(&(GameOptions){.name = name, .size = board}, &error);
    write_games(game);
    const SelfplayConfig config = config_of(name, board);
    int drawn[GAMES] = {0}, longest[GAMES] = {0};
    recorded_openings_open(&recorded);
    assert_true(selfplay_boards_open(&boards, &config, &error));
    assert_true(recorded_openings_load(&recorded, &config.recorded, boards.game, &error));
    const OpeningSource source = {.config = &config, .size = config.sizes, .game = game, .recorded = &recorded};
    for (int i = 0; i < OPENINGS; i++) {
        Opening opening;
        bool boundary;
        int of = 0;
        assert_true(selfplay_opening_draw(&source, i, (uint64_t)i, &opening, &error));
        while (of < GAMES && memcmp(records[of].actions, opening.actions, (size_t)opening.count * sizeof(Action)) != 0)
            of++;
        assert_in_range(of, 0, GAMES - 1);
        if (game->has_points) /* which tells games apart that begin alike */
            of = opening.komi / 2;
        const int turns = turns_in(game, &records[of], opening.count, &boundary);
        assert_true(boundary && turns >= 1);
        assert_int_equal(opening.komi, records[of].komi);
        drawn[of]++;
        longest[of] = turns > longest[of] ? turns : longest[of];
    }
    for (int i = 0; i < GAMES; i++) {
        bool boundary;
        assert_int_equal(longest[i], turns_in(game, &records[i], records[i].count, &boundary) / 2);
        assert_in_range(drawn[i], 150, 250);
    }
    recorded_openings_close(&recorded);
    selfplay_boards_close(&boards);
    forget_games();
    game_free(game);
}

static void openings_are_beginnings_of_games(void **unused) {
    (void)unused;
    check_openings("stigmergy", 4);
    check_openings("bug", 4);
    check_openings("sgolte", 4);
}

/* Without a game of its size, or where the share leaves it out, a game has a random opening. */
static void other_games_begin_as_usual(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    write_games(game);
    SelfplayConfig config = config_of("stigmergy", 3), without = config;
    RecordedOpenings recorded;
    SelfplayBoards boards;
    int from_games = 0;
    config.recorded.share = 0.25;
    without.recorded.from[0] = '\0';
    for (int i = 0; i < 2; i++)
        config.opening_turns[i] = without.opening_turns[i] = 0;
    config.sizes[0].auto_komi = without.sizes[0].auto_komi = false;
    recorded_openings_open(&recorded);
    assert_true(selfplay_boards_open(&boards, &config, &error));
    assert_true(recorded_openings_load(&recorded, &config.recorded, boards.game, &error));
    const OpeningSource source = {.config = &config, .size = config.sizes, .game = game, .recorded = &recorded};
    for (int i = 0; i < 400; i++) {
        Opening opening;
        assert_true(selfplay_opening_draw(&source, i, (uint64_t)i, &opening, &error));
        from_games += opening.count > 0;
    }
    assert_in_range(from_games, 75, 125);
    Game *other = game_new(&(GameOptions){.size = 4}, &error);
    Opening opening;
    Rng rng = rng_seed(1);
    assert_false(recorded_openings_draw(&recorded, other, &rng, &opening));
    game_free(other);
    recorded_openings_close(&recorded);
    selfplay_boards_close(&boards);
    recorded_openings_open(&recorded); /* nothing is read for settings that name no games */
    assert_true(recorded_openings_load(&recorded, &without.recorded, boards.game, &error) && !recorded.loaded);
    recorded_openings_close(&recorded);
    forget_games();
    game_free(game);
}

/* ---- Settings ---- */

static void settings_say_which_games(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    write_games(game);
    char *text = read_text(recorded_path);
    char first[RECORD_RUN_MAX], second[RECORD_RUN_MAX];
    const SelfplayConfig config = config_of("stigmergy", 3);
    SelfplayConfig again = selfplay_config_default();
    assert_int_equal(strlen(config.recorded.hash), RECORDED_HASH_SIZE - 1);
    cJSON *settings = run_config_to_json(&config.run);
    unlink(recorded_path); /* who has the hash needs no games to read a set */
    assert_true(run_config_read(settings, "test", &again.run, &error) && run_config_check(&again.run, &error));
    assert_true(run_config_hash(&config.run, first, &error) && run_config_hash(&again.run, second, &error));
    assert_string_equal(first, second);
    cJSON_Delete(settings);

    strchr(text, '\n')[1] = '\0'; /* another file: the first game alone */
    write_text(recorded_path, text);
    Run *run = run_new(&selfplay_kind, &config.run, SHARD_WHOLE, &error);
    selfplay_state(run)->discard = true;
    assert_int_equal(run_play(run, &(RunSession){.threads = 1}, &error), RUN_FAILED);
    assert_says(&error, "has changed: its games have the hash");
    run_free(run);
    const SelfplayConfig other = config_of("stigmergy", 3);
    assert_string_not_equal(other.recorded.hash, config.recorded.hash);
    assert_true(run_config_hash(&other.run, second, &error));
    assert_string_not_equal(first, second);
    free(text);
    forget_games();
    game_free(game);
}

static void wrong_games_are_named(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    static const struct {
        const char *game, *text, *word;
        int size;
    } cases[] = {{"stigmergy", NULL, "has no game on a board of these settings", 4},
                 {"bug", NULL, "is of stigmergy on hexhex-3, expected bug on hexhex-3", 3},
                 {"stigmergy", "", "has no game on a board of these settings", 3},
                 {"stigmergy", "{}\n", "'size' is wrong or missing", 3},
                 {"stigmergy", "{\"size\": 3}\n", "'id' is missing", 3},
                 {"stigmergy", "one\n", "is not valid JSON", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_games(game);
        SelfplayConfig config = config_of("stigmergy", 3);
        config.recorded.hash[0] = '\0';
        if (cases[i].text)
            write_text(recorded_path, cases[i].text);
        strcpy(config.run.game, cases[i].game);
        selfplay_config_set_size(&config, cases[i].size);
        config.sizes[0].auto_komi = false;
        error.text[0] = '\0';
        assert_named(run_config_check(&config.run, &error), &error, cases[i].word);
    }
    unlink(recorded_path);
    SelfplayConfig config = selfplay_config_default();
    strcpy(config.recorded.from, recorded_path);
    assert_named(run_config_check(&config.run, &error), &error, "no such file or folder of records");
    config = selfplay_config_default();
    cJSON *json = cJSON_Parse("{\"openings\": {\"share\": 0.3}}");
    assert_named(run_config_read(json, "test", &config.run, &error), &error,
                 "'share' of 'openings' means nothing without 'from'");
    cJSON_Delete(json);
    forget_games();
    game_free(game);
}

/* Threads that begin at once load the games once. */
static void threads_share_the_games(void **unused) {
    (void)unused;
    Error error = {.text = ""};
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    write_games(game);
    SelfplayConfig config = config_of("stigmergy", 3);
    config.run.games = 12;
    Run *run = run_new(&selfplay_kind, &config.run, SHARD_WHOLE, &error);
    assert_non_null(run);
    selfplay_state(run)->discard = true;
    assert_int_equal(run_play(run, &(RunSession){.threads = 3}, &error), RUN_DONE);
    assert_int_equal(run_played(run), 12);
    assert_int_equal(selfplay_state(run)->recorded.of_size[3].count, GAMES);
    run_free(run);
    forget_games();
    game_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openings_are_beginnings_of_games), cmocka_unit_test(other_games_begin_as_usual),
        cmocka_unit_test(settings_say_which_games),         cmocka_unit_test(wrong_games_are_named),
        cmocka_unit_test(threads_share_the_games),
    };
    return cmocka_run_group_tests_name("recorded openings", tests, make_folder, drop_folder);
}
