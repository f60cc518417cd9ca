/* Positions of known value: those that are installed are true, by brute force on the reference rules and by values that
 * were proved apart from them; damaged files are named; the same are made on any number of threads; and a player that
 * knows the truth is judged perfect. */
#include "selfplay/io/data_folder.h"
#include "selfplay/io/exact_value.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/truth/judge.h"
#include "selfplay/truth/make.h"
#include "tests/support/brute_force.h"
#include "tests/support/fixtures.h"
#include "tests/support/playout_player.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- Installed positions ---- */

static void read_installed(int size, TruthSet *set) {
    char name[64], path[FILE_PATH_MAX];
    Error error;
    snprintf(name, sizeof name, "stigmergy-%d.jsonl.zst", size);
    if (!data_find("truth", name, path, &error) || !truth_set_read(path, set, &error))
        fail_msg("%s", error.text);
    assert_int_equal(set->game->board.size, size);
}

/* The position by the reference rules, at a komi. */
static Reference by_reference(const TruthSet *set, const TruthPosition *position, int komi) {
    const Game *game = set->game;
    Reference reference;
    GameState state;
    char text[GAME_TEXT_MAX];
    reference_start(&reference, game->board.size, komi);
    game->rules->start(game, &state, komi);
    for (int i = 0; i < position->count; i++) {
        game->rules->format(game, &state, position->actions[i], text);
        game->rules->apply(game, &state, position->actions[i]);
        assert_true(reference_apply(&reference, text));
    }
    return reference;
}

/* Half points, komi left out; of a finished game its margin. */
static int brute_value(BruteForce *brute, const Reference *reference) {
    int value;
    assert_true(brute_force_value(brute, reference, SIZE_MAX / 2, &value));
    return value;
}

static void expect_true_position(BruteForce *brute, const TruthSet *set, const TruthPosition *position) {
    const Reference reference = by_reference(set, position, position->komi);
    ReferenceTurn turns[REFERENCE_TURNS];
    GameState state;
    truth_replay(set->game, position, position->komi, &state, NULL);
    assert_int_equal(brute_value(brute, &reference), position->half_points);
    const int count = reference_legal(&reference, turns);
    assert_int_equal(count, position->legal);
    for (int i = 0; i < count; i++) {
        Reference after = reference;
        Action turn[GAME_TURN_MAX];
        Error error;
        assert_true(reference_apply(&after, turns[i].text));
        assert_int_equal(set->game->rules->parse(set->game, &state, turns[i].text, turn, &error), 1);
        const bool black_wins = brute_value(brute, &after) > 2 * position->komi;
        assert_int_equal(truth_wins(position, turn[0]), black_wins == (position->mover == BLACK));
    }
}

/* Every value and every winning move on hexhex-2, tried out. */
static void hexhex_2_is_true(void **unused) {
    (void)unused;
    TruthSet set;
    BruteForce *brute = brute_force_new();
    int button = 0, empty_board = 0;
    read_installed(2, &set);
    assert_true(set.count > 500);
    for (int i = 0; i < set.count; i++) {
        expect_true_position(brute, &set, &set.list[i]);
        button += komi_has_button(set.list[i].komi);
        empty_board += set.list[i].count == 0;
    }
    assert_true(button > 200 && button < set.count - 100 && empty_board == 2);
    brute_force_free(brute);
    truth_set_free(&set);
}

/* The empty board and the first moves of hexhex-3, against the values of `stigmergy solve`; at the end of the file,
 * positions of a few empty cells, by brute force. */
static void hexhex_3_is_true(void **unused) {
    (void)unused;
    TruthSet set;
    BruteForce *brute = brute_force_new();
    int checked = 0, ends = 0;
    read_installed(3, &set);
    for (int i = 0; i < set.count; i++) {
        const TruthPosition *position = &set.list[i];
        char first[GAME_TEXT_MAX] = "";
        GameState state;
        Side winner;
        set.game->rules->start(set.game, &state, position->komi);
        if (position->count > 0)
            set.game->rules->format(set.game, &state, position->actions[0], first);
        if (position->count <= 1)
            for (int komi = position->komi - 4; komi <= position->komi + 4; komi += 2) {
                cJSON *document;
                Error error;
                assert_true(exact_document("stigmergy", 3, komi, &document, &error));
                assert_true(exact_winner(document, position->count ? first : NULL, komi, &winner));
                assert_int_equal(winner == BLACK, position->half_points > 2 * komi);
                cJSON_Delete(document);
                checked++;
            }
        if (position->empty <= 4 && ends < 20) {
            expect_true_position(brute, &set, position);
            ends++;
        }
    }
    assert_int_equal(checked, 5 * (1 + 4 + 1 + 5)); /* with the button a first turn may take it */
    assert_int_equal(ends, 20);
    brute_force_free(brute);
    truth_set_free(&set);
}

/* On hexhex-4 and -5 the ends of games, against alpha-beta search, which is another proof than theirs: with this little
 * memory the solver has no carriers. */
static void ends_agree_with_alpha_beta(void **unused) {
    (void)unused;
    for (int size = 4; size <= 5; size++) {
        TruthSet set;
        Error error;
        int checked = 0;
        read_installed(size, &set);
        Solver *solver = solver_new(set.game, &(SolverOptions){.memory = 4u << 20, .threads = 1}, &error);
        assert_true(solver && !solver_has_carriers(solver));
        for (int i = 0; i < set.count && checked < 15; i++) {
            const TruthPosition *position = &set.list[i];
            TruthPosition again = {.actions = position->actions, .count = position->count, .komi = position->komi};
            if (position->empty > 6)
                continue;
            assert_int_equal(truth_solve(set.game, solver, &(SolverLimits){.nodes = 0}, 0, &again), TRUTH_SOLVED);
            assert_true(again.half_points == position->half_points && again.komi == position->komi);
            assert_memory_equal(again.wins, position->wins, sizeof again.wins);
            checked++;
        }
        assert_int_equal(checked, 15);
        solver_free(solver);
        truth_set_free(&set);
    }
}

static void there_are_enough(void **unused) {
    (void)unused;
    for (int size = 3; size <= 5; size++) {
        TruthSet set;
        int choices = 0, black = 0, button = 0, open = 0;
        read_installed(size, &set);
        for (int i = 0; i < set.count; i++) {
            choices += set.list[i].winning < set.list[i].legal;
            black += set.list[i].mover == BLACK;
            button += komi_has_button(set.list[i].komi);
            open += set.list[i].empty > set.game->board.cells / 3;
        }
        assert_in_range(set.count, 1000, 1100);
        assert_true(choices >= 1000 && open > 100);
        assert_in_range(black, set.count / 3, set.count * 2 / 3);
        assert_in_range(button, set.count / 3, set.count * 2 / 3);
        truth_set_free(&set);
    }
}

/* ---- Damaged files ---- */

#define HEAD "{\"schema\": {\"name\": \"stigmergy-truth-positions\", \"version\": 1}, \"size\": 2, \"positions\": %d}\n"

static void expect_damaged(const char *text, const char *word) {
    TruthSet set;
    Error error = {.text = ""};
    const bool good = truth_set_parse(text, strlen(text), "test.jsonl", &set, &error);
    if (good || !strstr(error.text, word) || strncmp(error.text, "test.jsonl", 10))
        fail_msg("%s: '%s' is not in: %s", text, word, error.text);
    assert_true(set.count == 0 && !set.game);
}

static void expect_damaged_position(const char *line, const char *word) {
    char text[1024];
    snprintf(text, sizeof text, HEAD "%s\n", 1, line);
    expect_damaged(text, word);
}

static void damaged_files_are_named(void **unused) {
    (void)unused;
    static const struct {
        const char *line, *word;
    } lines[] = {
        {"", "line 2"},
        {"{\"moves\": \"\", \"komi\": 6, \"value\": 7, \"wins\": \"b2\"}", "'source'"},
        {"{\"moves\": \"\", \"komi\": 6, \"value\": 7, \"wins\": \"b2\", \"source\": \"book\"}", "'source'"},
        {"{\"moves\": \"z9\", \"komi\": 6, \"value\": 7, \"wins\": \"b2\", \"source\": \"game\"}", "line 2: 'z9'"},
        {"{\"moves\": \"b2 b2\", \"komi\": 6, \"value\": 7, \"wins\": \"b1\", \"source\": \"game\"}", "line 2: "},
        {"{\"moves\": \"\", \"komi\": 6, \"value\": 7, \"wins\": \"\", \"source\": \"game\"}", "'wins' is empty"},
        {"{\"moves\": \"\", \"komi\": 6, \"value\": 7, \"wins\": \"b2 B2\", \"source\": \"game\"}", "there twice"},
        {"{\"moves\": \"\", \"komi\": 6, \"value\": 7, \"wins\": \"pass\", \"source\": \"game\"}", "no legal move"},
        {"{\"moves\": \"\", \"komi\": 4, \"value\": 7, \"wins\": \"b2\", \"source\": \"game\"}",
         "'komi': 4, expected 6"},
        {"{\"moves\": \"\", \"komi\": 6, \"value\": 6, \"wins\": \"b2\", \"source\": \"game\"}", "'value': 6"},
        {"{\"moves\": \"\", \"komi\": 5, \"value\": 7, \"wins\": \"b2\", \"source\": \"game\"}", "'value': 7"},
        {"{\"moves\": \"\", \"komi\": 6, \"value\": 7.25, \"wins\": \"b2\", \"source\": \"game\"}", "'value': 7.25"},
        {"{\"moves\": \"\", \"komi\": 8, \"value\": 7, \"wins\": \"b2\", \"source\": \"game\"}", "'komi'"},
        {"{\"moves\": 3, \"komi\": 6, \"value\": 7, \"wins\": \"b2\", \"source\": \"game\"}", "'moves'"},
        {"{\"moves\": \"\", \"komi\": 6, \"value\": 7, \"wins\": \"b2\", \"source\": \"game\", \"x\": 1}", "'x'"},
    };
    static const char good[] = "{\"moves\": \"\", \"komi\": 6, \"value\": 7, \"wins\": \"b2\", \"source\": \"turns\"}";
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect_damaged_position(lines[i].line, lines[i].word);
    char text[1024];
    expect_damaged("", "is empty, expected positions made by");
    expect_damaged("{}\n", "schema name");
    expect_damaged("{\n  \"schema\": {\"name\": \"stigmergy-truth\"}\n}\n", "is no file of positions of known value");
    expect_damaged("{\n  \"schema\": \n", "line 1: is not valid JSON");
    expect_damaged("{\"schema\": {\"name\": \"stigmergy-truth-positions\", \"version\": 2}}\n", "version 2");
    expect_damaged(
        "{\"schema\": {\"name\": \"stigmergy-truth-positions\", \"version\": 1}, \"size\": 2, \"positions\": "
        "1, \"game\": \"bug\"}\n",
        "bug has no points");
    snprintf(text, sizeof text, HEAD "%s\n", 2, good);
    expect_damaged(text, "holds 1 positions, expected 2");
    snprintf(text, sizeof text, HEAD "%s", 1, good);
    expect_damaged(text, "torn");
    TruthSet set;
    Error error;
    snprintf(text, sizeof text, HEAD "%s\n", 1, good);
    assert_true(truth_set_parse(text, strlen(text), "test.jsonl", &set, &error));
    assert_true(set.count == 1 && set.list[0].winning == 1 && set.list[0].legal == 7 && set.list[0].empty == 7);
    truth_set_free(&set);
}

/* ---- Making them ---- */

static TruthMake small_make(void) {
    TruthMake make = {.turns = 2, .random = 5, .games = 5, .most_empty = 5, .nodes = 1000000, .seed = 3};
    Error error;
    make.player_count = 1;
    make.players[0] = playout_player();
    make.players[0].simulations = 4;
    make.players[0].memory_mb = 1;
    assert_true(player_settle(&make.players[0], "stigmergy", 0, &error));
    return make;
}

/* The text of a set that is made and written. */
static char *make_text(int threads, int most_empty, TruthLeftOut *left_out) {
    TruthMake make = small_make();
    make.most_empty = most_empty;
    TruthSet set;
    Error error;
    char path[FIXTURE_PATH_MAX];
    make.threads = threads;
    in_folder(path, "made.jsonl");
    assert_true(truth_set_init(&set, &(GameOptions){.size = 2}, &error));
    if (!truth_make(&make, &set, left_out, &error) ||
        !truth_set_write(&set, make.seed, truth_make_to_json(&make), truth_left_out_to_json(left_out), path, &error))
        fail_msg("%s", error.text);
    truth_set_free(&set);
    char *text = read_text(path);
    remove(path);
    return text;
}

static void the_same_are_made_on_any_number_of_threads(void **unused) {
    (void)unused;
    TruthLeftOut left_out;
    TruthSet set;
    Error error;
    char *one = make_text(1, 5, &left_out), *three = make_text(3, 5, &left_out);
    assert_string_equal(one, three);
    assert_true(left_out.undecided == 0 && left_out.repeated > 0);
    assert_true(truth_set_parse(one, strlen(one), "made", &set, &error));
    BruteForce *brute = brute_force_new();
    int from[TRUTH_SOURCES] = {0}, all_win = 0;
    for (int i = 0; i < set.count; i++) {
        expect_true_position(brute, &set, &set.list[i]);
        from[set.list[i].source]++;
        assert_true(set.list[i].source != TRUTH_GAME || set.list[i].empty <= 5);
        assert_true(set.list[i].source == TRUTH_TURNS || set.list[i].winning < set.list[i].legal);
        all_win += set.list[i].winning == set.list[i].legal;
    }
    assert_true(from[TRUTH_TURNS] > 10 && all_win > 0 && from[TRUTH_RANDOM] == 5 && from[TRUTH_GAME] == 5);
    brute_force_free(brute);
    truth_set_free(&set);
    free(one);
    free(three);
}

/* A number of empty cells that no board has is as good as all cells of this one. */
static void any_number_of_empty_cells_comes_up(void **unused) {
    (void)unused;
    TruthLeftOut left_out;
    char *all = make_text(1, 7, &left_out), *more = make_text(1, HEXHEX_MAX_CELLS, &left_out);
    assert_string_equal(strchr(all, '\n'), strchr(more, '\n')); /* all but the settings */
    free(all);
    free(more);
}

/* ---- Judging ---- */

static TruthJudge small_judge(bool solver) {
    TruthJudge judge = {.player = playout_player(),
                        .efforts = {{.simulations = 1}, {.simulations = 60}},
                        .effort_count = 2,
                        .positions = 40,
                        .solver = solver,
                        .seed = 1,
                        .threads = 1};
    Error error;
    judge.player.memory_mb = 4;
    assert_true(player_settle(&judge.player, "stigmergy", 0, &error));
    return judge;
}

/* On hexhex-2 the solver finds every winner at once. */
static void who_knows_the_truth_is_perfect(void **unused) {
    (void)unused;
    TruthJudge judge = small_judge(true);
    TruthJudgement judgements[TRUTH_EFFORTS_MAX];
    TruthSet set;
    Error error;
    judge.efforts[0].simulations = 5000;
    judge.effort_count = 1;
    read_installed(2, &set);
    assert_true(truth_judge(&judge, &set, judgements, &error));
    const TruthJudgement *judgement = &judgements[0];
    assert_int_equal(judgement->all.positions, 40);
    assert_true(judgement->all.choices > 20 && judgement->all.kept == judgement->all.choices);
    assert_true(judgement->all.brier == 0 && judgement->all.questions > 40);
    assert_int_equal(judgement->rates[0].won, 0);
    assert_int_equal(judgement->rates[TRUTH_RATES - 1].won, 40);
    assert_int_equal(judgement->rates[0].questions + 40, judgement->all.questions);
    truth_judgements_free(judgements);
    for (int i = 0; i < set.count; i++) /* where the truth is the other way round, it is always wrong */
        for (int word = 0; word < GAME_ACTION_WORDS; word++)
            set.list[i].wins[word] = ~set.list[i].wins[word];
    assert_true(truth_judge(&judge, &set, judgements, &error));
    assert_int_equal(judgements[0].all.kept, 0);
    truth_judgements_free(judgements);
    truth_set_free(&set);
}

/* The solver would know the answers: a player is judged without it, unless that is asked for. */
static void the_solver_is_switched_off(void **unused) {
    (void)unused;
    double brier[2];
    TruthSet set;
    read_installed(2, &set);
    for (int solver = 0; solver <= 1; solver++) {
        TruthJudge judge = small_judge(solver);
        TruthJudgement judgements[TRUTH_EFFORTS_MAX];
        Error error;
        judge.efforts[1].simulations = 240;
        assert_true(truth_judge(&judge, &set, judgements, &error));
        brier[solver] = truth_brier(&judgements[1].all);
        truth_judgements_free(judgements);
    }
    assert_true(brier[0] > 0 && brier[1] == 0);
    truth_set_free(&set);
}

/* A position in which every move wins is judged, but leaves no choice. The komi of a position is no part of its value:
 * the search is less than a point off. */
static void choices_and_values_are_compared(void **unused) {
    (void)unused;
    TruthJudge judge = small_judge(false);
    TruthJudgement judgements[TRUTH_EFFORTS_MAX];
    TruthSet set;
    Error error;
    int choices = 0;
    judge.positions = 0; /* all */
    read_installed(2, &set);
    for (int i = 0; i < set.count; i++)
        choices += set.list[i].winning < set.list[i].legal;
    assert_true(choices < set.count);
    assert_true(truth_judge(&judge, &set, judgements, &error));
    assert_true(judgements[1].all.positions == set.count && judgements[1].all.choices == choices);
    assert_true(truth_margin_error(&judgements[1].all) < 1);
    truth_judgements_free(judgements);
    truth_set_free(&set);
}

/* The parts add up, and say the same on any number of threads. */
static void sums_are_right(void **unused) {
    (void)unused;
    TruthJudge judge = small_judge(false);
    TruthJudgement judgements[TRUTH_EFFORTS_MAX], again[TRUTH_EFFORTS_MAX];
    TruthSet set;
    Error error;
    read_installed(2, &set);
    assert_true(truth_judge(&judge, &set, judgements, &error));
    judge.threads = 3;
    assert_true(truth_judge(&judge, &set, again, &error));
    for (int i = 0; i < judge.effort_count; i++) {
        const TruthScore *all = &judgements[i].all, *other = &again[i].all;
        TruthScore sum = {0};
        int questions = 0, won = 0;
        for (int bin = 0; bin < TRUTH_BINS; bin++) {
            sum.positions += judgements[i].bins[bin].positions;
            sum.choices += judgements[i].bins[bin].choices;
            sum.kept += judgements[i].bins[bin].kept;
            sum.brier += judgements[i].bins[bin].brier;
        }
        for (int tenth = 0; tenth < TRUTH_RATES; tenth++) {
            const TruthRate *rate = &judgements[i].rates[tenth];
            questions += rate->questions;
            won += rate->won;
            assert_true(rate->rate >= rate->questions * tenth / 10.0 - 1e-9 &&
                        rate->rate <= rate->questions * (tenth + 1) / 10.0 + 1e-9);
        }
        assert_true(sum.positions == all->positions && sum.choices == all->choices && sum.kept == all->kept);
        assert_true(fabs(sum.brier - all->brier) < 1e-9);
        assert_true(questions == all->questions && won == all->positions);
        assert_true(all->kept == other->kept && all->brier == other->brier && all->margin_error == other->margin_error);
    }
    assert_true(judgements[0].all.kept < judgements[0].all.choices);
    assert_true(judgements[0].all.brier > judgements[1].all.brier);
    const TruthPosition *missed = &set.list[judgements[0].missed[0]];
    assert_true(missed->winning < missed->legal);
    truth_judgements_free(judgements);
    truth_judgements_free(again);
    truth_set_free(&set);
}

static void document_is_complete(void **unused) {
    (void)unused;
    TruthJudge judge = small_judge(false);
    TruthJudgement judgements[TRUTH_EFFORTS_MAX];
    TruthSet set;
    Error error;
    judge.positions = 5;
    judge.efforts[1].move_seconds = 1000; /* besides the simulations */
    read_installed(2, &set);
    assert_true(truth_judge(&judge, &set, judgements, &error));
    const DocumentContext context = document_context();
    cJSON *json = truth_document(&judge, &set, "known", judgements, &context);
    static const char *const keys[] = {"schema", "program", "game",    "size",    "player", "seed",
                                       "solver", "started", "seconds", "machine", "efforts"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!cJSON_HasObjectItem(json, keys[i]))
            fail_msg("no '%s'", keys[i]);
    const cJSON *positions = cJSON_GetObjectItem(json, "positions"), *efforts = cJSON_GetObjectItem(json, "efforts");
    assert_int_equal(cJSON_GetObjectItem(positions, "count")->valueint, 5);
    assert_string_equal(cJSON_GetObjectItem(positions, "hash")->valuestring, set.hash);
    assert_int_equal(cJSON_GetArraySize(efforts), 2);
    const cJSON *effort = cJSON_GetArrayItem(efforts, 1);
    assert_int_equal(cJSON_GetObjectItem(effort, "simulations")->valueint, 60);
    assert_int_equal(cJSON_GetObjectItem(effort, "move_time")->valueint, 1000);
    assert_false(cJSON_HasObjectItem(cJSON_GetArrayItem(efforts, 0), "move_time"));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(effort, "by_empty")), 4);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(effort, "reliability")), TRUTH_RATES);
    const cJSON *missed = cJSON_GetObjectItem(effort, "missed");
    assert_int_equal(cJSON_GetArraySize(missed), judgements[1].all.choices - judgements[1].all.kept);
    static const char *const fields[] = {"positions", "choices",   "kept",  "keeps_win",
                                         "ci95",      "questions", "brier", "margin_error"};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (!cJSON_HasObjectItem(cJSON_GetObjectItem(effort, "all"), fields[i]))
            fail_msg("no '%s'", fields[i]);
    cJSON_Delete(json);
    truth_judgements_free(judgements);
    truth_set_free(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hexhex_2_is_true),
        cmocka_unit_test(hexhex_3_is_true),
        cmocka_unit_test(ends_agree_with_alpha_beta),
        cmocka_unit_test(there_are_enough),
        cmocka_unit_test(damaged_files_are_named),
        cmocka_unit_test(the_same_are_made_on_any_number_of_threads),
        cmocka_unit_test(any_number_of_empty_cells_comes_up),
        cmocka_unit_test(who_knows_the_truth_is_perfect),
        cmocka_unit_test(the_solver_is_switched_off),
        cmocka_unit_test(choices_and_values_are_compared),
        cmocka_unit_test(sums_are_right),
        cmocka_unit_test(document_is_complete),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
