/* The analysis engine and its protocol: what a query is answered, in what order, and what stops it. */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "engine/base/wall_time.h"
#include "tests/support/playout_player.h"
#include "tools/analyze/session.h"

#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* A session whose answers are kept. */
typedef struct Bench {
    Analysis *analysis;
    QueryDefaults defaults;
    AnalyzeSession *session;
    FILE *out;
    char *text;
    size_t length;
} Bench;

static Bench *open_bench_with(int workers, size_t waiting_bytes) {
    Bench *bench = calloc(1, sizeof *bench);
    bench->defaults = (QueryDefaults){.game = {.name = "stigmergy", .size = 3}, .player = playout_player(), .seed = 1};
    bench->defaults.player.simulations = 50;
    bench->defaults.player.memory_mb = 1;
    Error error;
    bench->analysis = analysis_new(&(AnalysisOptions){.workers = workers, .threads = 1}, &error);
    bench->out = open_memstream(&bench->text, &bench->length);
    bench->session = analyze_session_new(bench->analysis, &bench->defaults, waiting_bytes, bench->out, &error);
    assert_non_null(bench->session);
    return bench;
}

static Bench *open_bench(int workers) {
    return open_bench_with(workers, ANALYZE_WAITING_BYTES);
}

static void feed(Bench *bench, const char *text) {
    assert_true(analyze_session_feed(bench->session, text, strlen(text)));
}

/* Ends the session and returns its answers, an array to be deleted. */
static cJSON *close_bench(Bench *bench) {
    assert_true(analyze_session_end(bench->session));
    analysis_free(bench->analysis);
    analyze_session_free(bench->session);
    fclose(bench->out);
    cJSON *answers = cJSON_CreateArray();
    char *rest = NULL;
    for (char *line = strtok_r(bench->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        cJSON *answer = cJSON_Parse(line);
        if (!answer)
            fail_msg("no JSON: %s", line);
        cJSON_AddItemToArray(answers, answer);
    }
    free(bench->text);
    free(bench);
    return answers;
}

static cJSON *answers_to(int workers, const char *text) {
    Bench *bench = open_bench(workers);
    feed(bench, text);
    return close_bench(bench);
}

static const char *text_of(const cJSON *answer, const char *key) {
    const cJSON *item = json_get(answer, key);
    return cJSON_IsString(item) ? item->valuestring : cJSON_IsNull(item) ? "null" : "";
}

static double number_of(const cJSON *answer, const char *key) {
    const cJSON *item = json_get(answer, key);
    if (!cJSON_IsNumber(item))
        fail_msg("%s is no number", key);
    return item->valuedouble;
}

static bool truth_of(const cJSON *answer, const char *key) {
    return cJSON_IsTrue(json_get(answer, key));
}

static const cJSON *part(const cJSON *answer, const char *key) {
    const cJSON *item = json_get(answer, key);
    if (!item)
        fail_msg("%s is missing", key);
    return item;
}

/* The only answer to a line. */
static cJSON *single(const char *line) {
    cJSON *answers = answers_to(1, line);
    assert_int_equal(cJSON_GetArraySize(answers), 1);
    cJSON *answer = cJSON_DetachItemFromArray(answers, 0);
    cJSON_Delete(answers);
    return answer;
}

/* ---- Answers ---- */

static void test_answer(void **state) {
    (void)state;
    cJSON *answer = single("{\"id\": \"a\\u00e9\", \"komi\": 1, \"moves\": [\"c3\", [\"W\", \"take-button\"], \"C4\"], "
                           "\"maxSims\": 200, \"includeControl\": true, \"includePolicy\": true}\r\n");
    assert_string_equal(text_of(answer, "id"), "a\xc3\xa9");
    assert_int_equal((int)number_of(answer, "turnNumber"), 3);
    assert_false(truth_of(answer, "isDuringSearch"));
    const cJSON *root = part(answer, "rootInfo");
    assert_int_equal((int)number_of(root, "sims"), 200);
    assert_string_equal(text_of(root, "currentPlayer"), "W");
    assert_true(number_of(root, "winrate") > 0.5 && number_of(root, "winrate") <= 1); /* Black has two stones more */
    assert_true(number_of(root, "scoreLead") > 0 && number_of(root, "scoreStdev") > 0);
    assert_int_equal(cJSON_GetArraySize(part(answer, "control")), 19);
    const cJSON *moves = part(answer, "moveInfos"), *move;
    int order = 0;
    double sims = 0;
    cJSON_ArrayForEach(move, moves) {
        assert_int_equal((int)number_of(move, "order"), order++);
        assert_string_equal(text_of(move, "move"), part(move, "pv")->child->valuestring);
        assert_non_null(json_get(part(answer, "policy"), text_of(move, "action")));
        assert_true(number_of(move, "winrate") >= 0 && number_of(move, "winrate") <= 1);
        assert_true(number_of(move, "prior") > 0);
        sims += number_of(move, "sims");
    }
    assert_in_range((int)sims, 199 - 200 / 64, 199); /* one was spent on the root, others came back to moves below */
    const cJSON *chance;
    double sum = 0;
    cJSON_ArrayForEach(chance, part(answer, "policy")) sum += chance->valuedouble;
    assert_true(sum > 0.999 && sum < 1.001);
    cJSON_Delete(answer);
}

/* ---- What KataGo's clients send ---- */

/* The query of KaTrain, with the names of KataGo: three warnings on lines of their own, then the answer. */
static void test_katago_names(void **state) {
    (void)state;
    cJSON *answers = answers_to(
        1, "{\"id\": \"k\", \"rules\": \"japanese\", \"priority\": 1, \"analyzeTurns\": [1], \"maxVisits\": 40, "
           "\"komi\": 3.0, \"boardXSize\": 4, \"boardYSize\": 4, \"includeOwnership\": true, "
           "\"includeMovesOwnership\": true, \"includePolicy\": true, \"includePVVisits\": false, "
           "\"initialStones\": [], \"initialPlayer\": \"B\", \"moves\": [[\"B\", \"C3\"]], \"overrideSettings\": "
           "{\"reportAnalysisWinratesAs\": \"BLACK\", \"maxTime\": 1000.0, \"wideRootNoise\": 0.04, "
           "\"analysisPVLen\": 1}}\n");
    const char *const fields[] = {"overrideSettings.wideRootNoise", "rules", "includeMovesOwnership"};
    assert_int_equal(cJSON_GetArraySize(answers), 4);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(text_of(cJSON_GetArrayItem(answers, i), "field"), fields[i]);
        assert_string_equal(text_of(cJSON_GetArrayItem(answers, i), "id"), "k");
        assert_non_null(strstr(text_of(cJSON_GetArrayItem(answers, i), "warning"), "ignored"));
    }
    const cJSON *answer = cJSON_GetArrayItem(answers, 3), *move, *owner;
    assert_int_equal((int)number_of(part(answer, "rootInfo"), "visits"), 40);
    assert_int_equal(cJSON_GetArraySize(part(answer, "ownership")), 37);
    assert_null(json_get(answer, "control"));
    cJSON_ArrayForEach(owner, part(answer, "ownership")) assert_true(fabs(owner->valuedouble) <= 1);
    cJSON_ArrayForEach(move, part(answer, "moveInfos")) {
        assert_true(number_of(move, "visits") == number_of(move, "sims"));
        assert_true(cJSON_GetArraySize(part(move, "pv")) <= 2);
    }
    cJSON_Delete(answers);
}

/* Warnings do not grow with what a client sends. */
static void test_many_warnings(void **state) {
    (void)state;
    char line[8192] = "{\"id\": \"w\", \"size\": 2, \"maxSims\": 1, \"overrideSettings\": {\"a\": 1";
    for (int i = 0; i < 500; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), ", \"a%d\": 1", i);
    snprintf(line + strlen(line), sizeof line - strlen(line), "}}\n");
    cJSON *answers = answers_to(1, line);
    assert_int_equal(cJSON_GetArraySize(answers), 33);
    assert_non_null(strstr(text_of(cJSON_GetArrayItem(answers, 31), "warning"), "as are others"));
    assert_null(json_get(cJSON_GetArrayItem(answers, 32), "warning"));
    cJSON_Delete(answers);
}

/* The first report has a time of its own: a late one leaves out those before it, and a lone one has none after it. */
static void test_first_report(void **state) {
    (void)state;
    static const char *const limits[] = {
        "\"maxTime\": 0.2, \"reportDuringSearchEvery\": 0.01, \"firstReportDuringSearchAfter\": 1000",
        "\"maxTime\": 1, \"firstReportDuringSearchAfter\": 0.01",
        "\"maxTime\": 1, \"reportDuringSearchEvery\": 0.01, \"firstReportDuringSearchAfter\": 0.001"};
    for (int i = 0; i < 3; i++) {
        char line[200];
        snprintf(line, sizeof line, "{\"id\": \"a\", \"size\": 6, %s}\n", limits[i]);
        cJSON *answers = answers_to(1, line);
        const int during = cJSON_GetArraySize(answers) - 1;
        assert_true(i < 2 ? during == i : during > 1);
        cJSON_Delete(answers);
    }
}

/* The network of the player, by name and hash; none if playouts evaluate. */
static void test_models(void **state) {
    (void)state;
    for (int networks = 0; networks < 2; networks++) {
        Bench *bench = open_bench(1);
        if (networks)
            bench->defaults.player = player_default();
        feed(bench, "{\"id\": \"m\", \"action\": \"query_models\"}\n");
        cJSON *answers = close_bench(bench);
        const cJSON *models = part(answers->child, "models");
        assert_string_equal(text_of(answers->child, "id"), "m");
        assert_int_equal(cJSON_GetArraySize(models), networks);
        if (networks) {
            assert_string_equal(text_of(models->child, "name"), network_of_game("stigmergy", 3)->name);
            assert_int_equal(strlen(text_of(models->child, "hash")), NETWORK_DIGITS);
        }
        cJSON_Delete(answers);
    }
}

/* The moves at the root are those that are left, at every turn that is asked for. */
static void test_allowed_moves(void **state) {
    (void)state;
    cJSON *answers = answers_to(
        1, "{\"id\": \"a\", \"komi\": 1, \"allowMoves\": [{\"player\": \"B\", \"moves\": [\"a1\", \"TAKE-BUTTON\"], "
           "\"untilDepth\": 1}, {\"player\": \"W\", \"moves\": [\"a2\"]}], \"moves\": [\"c3\"], \"analyzeTurns\": "
           "[0, 1]}\n"
           "{\"id\": \"b\", \"avoidMoves\": [{\"player\": \"B\", \"moves\": [\"c3\"], \"untilDepth\": 1}, "
           "{\"player\": \"W\", \"moves\": [\"c3\", \"pass\"], \"untilDepth\": 30}]}\n"
           "{\"id\": \"c\", \"game\": \"sgolte\", \"allowMoves\": [{\"player\": \"B\", \"moves\": [\"b2\"], "
           "\"untilDepth\": 1}]}\n");
    const cJSON *answer, *move, *turn;
    assert_int_equal(cJSON_GetArraySize(answers), 4);
    cJSON_ArrayForEach(answer, answers) {
        const char id = text_of(answer, "id")[0];
        cJSON_ArrayForEach(move, part(answer, "moveInfos")) {
            const char *action = text_of(move, "action");
            if (id == 'a')
                assert_true(number_of(answer, "turnNumber") == 1
                                ? !strcmp(action, "a2")
                                : !strcmp(action, "a1") || !strcmp(action, "take-button"));
            assert_true(id != 'c' || !strcmp(action, "b2"));
            cJSON_ArrayForEach(turn, part(move, "pv")) assert_true(id != 'b' || strcmp(turn->valuestring, "c3"));
        }
        assert_true(cJSON_GetArraySize(part(answer, "moveInfos")) >= 1);
    }
    cJSON_Delete(answers);
}

/* A tree that was built without some moves is not that of the position. */
static void test_allowed_moves_and_kept_tree(void **state) {
    (void)state;
    static const char *const keys[] = {"", ", \"allowMoves\": [{\"player\": \"B\", \"moves\": [\"a1\", \"a2\"]}]"};
    static const struct {
        int restricted, sims, reported;
    } steps[] = {{0, 300, 300}, {1, 30, 30}, {1, 50, 50}, {0, 40, 40}};
    Bench *bench = open_bench(1);
    for (int i = 0; i < 4; i++) {
        char line[240];
        snprintf(line, sizeof line, "{\"id\": \"%d\", \"size\": 4, \"keepTree\": true, \"maxSims\": %d%s}\n", i,
                 steps[i].sims, keys[steps[i].restricted]);
        feed(bench, line);
        analysis_wait(bench->analysis);
    }
    cJSON *answers = close_bench(bench);
    for (int i = 0; i < 4; i++) {
        const cJSON *answer = cJSON_GetArrayItem(answers, i);
        assert_int_equal((int)number_of(part(answer, "rootInfo"), "sims"), steps[i].reported);
        assert_true((cJSON_GetArraySize(part(answer, "moveInfos")) <= 2) == (steps[i].restricted == 1));
    }
    cJSON_Delete(answers);
}

/* Black's stones are worth the same whoever is to move. */
static void test_perspective(void **state) {
    (void)state;
    cJSON *answers = answers_to(1, "{\"id\": \"a\", \"moves\": [], \"initialPlayer\": \"W\", \"initialStones\": "
                                   "[[\"B\", \"c3\"], [\"B\", \"c4\"], [\"B\", \"d3\"]]}\n"
                                   "{\"id\": \"b\", \"moves\": [], \"initialPlayer\": \"B\", \"initialStones\": "
                                   "[[\"B\", \"c3\"], [\"B\", \"c4\"], [\"B\", \"d3\"]]}\n");
    assert_int_equal(cJSON_GetArraySize(answers), 2);
    for (int i = 0; i < 2; i++) {
        const cJSON *root = part(cJSON_GetArrayItem(answers, i), "rootInfo");
        assert_true(number_of(root, "winrate") > 0.8 && number_of(root, "scoreLead") > 3);
    }
    cJSON_Delete(answers);
}

/* After a swap the player who began has the white stones: chances, owners and allowed moves are those of the stones, as
 * if nobody had swapped. The black stone on a1 is never captured. */
static void test_after_a_swap(void **state) {
    (void)state;
    cJSON *answers =
        answers_to(1, "{\"id\": \"a\", \"game\": \"sgolte\", \"size\": 2, \"moves\": [\"a1\", \"swap\"], "
                      "\"allowMoves\": [{\"player\": \"W\", \"moves\": [\"a1\"]}]}\n"
                      "{\"id\": \"b\", \"game\": \"sgolte\", \"size\": 2, \"moves\": [\"a1\"], \"pie\": \"off\", "
                      "\"maxSims\": 20000, \"includeControl\": true}\n"
                      "{\"id\": \"c\", \"game\": \"sgolte\", \"size\": 2, \"moves\": [\"a1\", \"swap\"], "
                      "\"maxSims\": 20000, \"includeControl\": true}\n");
    assert_int_equal(cJSON_GetArraySize(answers), 3);
    assert_string_equal(text_of(cJSON_GetArrayItem(answers, 0), "field"), "allowMoves"); /* there is none */
    double chances[2];
    for (int i = 0; i < 2; i++) {
        const cJSON *answer = cJSON_GetArrayItem(answers, 1 + i), *root = part(answer, "rootInfo");
        assert_string_equal(text_of(root, "currentPlayer"), "W");
        assert_true(truth_of(root, "proven"));
        chances[i] = number_of(root, "winrate");
        assert_true(cJSON_GetArrayItem(part(answer, "control"), 5)->valuedouble > 0.9);
    }
    assert_true(chances[0] == chances[1]);
    cJSON_Delete(answers);
}

/* A position that Black is proved to win while the search's evaluations say that White leads, by more than a point: who
 * wins for certain is told to lead by half a point at least, after the winning move, too. */
static void test_lead_of_proven(void **state) {
    (void)state;
    cJSON *answer =
        single("{\"id\": \"a\", \"size\": 3, \"komi\": 6, \"maxSims\": 2000, \"moves\": [\"b4\", \"a3\", \"e2\", "
               "\"a1\", \"a2\", \"b1\", \"e1\", \"c1\", \"d4\", \"c2\", \"d1\"]}");
    const cJSON *root = part(answer, "rootInfo"), *move = part(answer, "moveInfos")->child;
    assert_true(truth_of(root, "proven") && truth_of(move, "proven"));
    assert_true(number_of(root, "winrate") == 1 && number_of(move, "winrate") == 1);
    assert_true(number_of(root, "scoreLead") >= 0.5 && number_of(move, "scoreLead") >= 0.5);
    cJSON_Delete(answer);
}

/* All moves that the search has looked at are listed. Of moves that are images of each other some may have no visit,
 * and yet other moves with visits come after them. */
static void test_all_moves(void **state) {
    (void)state;
    cJSON *answer = single("{\"id\": \"a\", \"size\": 3, \"komi\": 4, \"maxSims\": 100}");
    const cJSON *move;
    int sims = 0, order = 0;
    cJSON_ArrayForEach(move, part(answer, "moveInfos")) {
        sims += (int)number_of(move, "sims");
        assert_true(number_of(move, "sims") > 0);
        assert_int_equal((int)number_of(move, "order"), order++);
    }
    assert_int_equal(sims, 99); /* and one of the position itself */
    cJSON_Delete(answer);
}

/* A clock ends a search, whatever other limits allow; without them it alone counts. */
static void test_clock(void **state) {
    (void)state;
    cJSON *answers = answers_to(
        1, "{\"id\": \"a\", \"size\": 9, \"maxSims\": 1000000000, \"clock\": {\"timeLeft\": 0.3}}\n"
           "{\"id\": \"b\", \"size\": 9, \"maxSims\": 2, \"clock\": {\"timeLeft\": 1000, \"movesLeft\": 1}}\n"
           "{\"id\": \"c\", \"size\": 9, \"clock\": {\"timeLeft\": 0, \"periodTime\": 0.1, \"periodMoves\": 1}}\n"
           "{\"id\": \"d\", \"size\": 9, \"clock\": {\"timeLeft\": 0.2, \"increment\": 1e6}}\n");
    assert_int_equal(cJSON_GetArraySize(answers), 4);
    for (int i = 0; i < 4; i++) {
        const cJSON *answer = cJSON_GetArrayItem(answers, i);
        const double sims = number_of(part(answer, "rootInfo"), "sims");
        assert_true(sims > 0 && sims < 1e9);
        assert_true(strcmp(text_of(answer, "id"), "b") || sims == 2);
    }
    cJSON_Delete(answers);
}

/* Limits that the command line asked for hold beside a clock; those that the player merely has do not. */
static void test_clock_and_limits_asked_for(void **state) {
    (void)state;
    for (int asked = 0; asked < 2; asked++) {
        Bench *bench = open_bench(1);
        bench->defaults.effort_given = asked;
        feed(bench, "{\"id\": \"a\", \"size\": 3, \"clock\": {\"timeLeft\": 1000, \"movesLeft\": 1000}}\n");
        cJSON *answers = close_bench(bench);
        const double sims = number_of(part(cJSON_GetArrayItem(answers, 0), "rootInfo"), "sims");
        assert_true(asked ? sims == 50 : sims > 50);
        cJSON_Delete(answers);
    }
}

/* Of two moves one is far better. So after about half of the move's share of 4 seconds the other one cannot overtake
 * it, and the search leaves the rest to later moves: without reports, with some, and where there are but a few
 * simulations between two reports. */
static void test_settled_clock(void **state) {
    (void)state;
    static const char *const reports[] = {"", ", \"reportDuringSearchEvery\": 0.3",
                                          ", \"reportDuringSearchEvery\": 0.001"};
    for (int i = 0; i < 3; i++) {
        char line[300];
        snprintf(
            line, sizeof line,
            "{\"id\": \"a\", \"size\": 4, \"komi\": 4, \"moves\": [\"d4\"], \"allowMoves\": [{\"player\": \"W\", "
            "\"moves\": [\"e3\", \"a1\"], \"untilDepth\": 1}], \"clock\": {\"timeLeft\": 41, \"movesLeft\": 10}%s}",
            reports[i]);
        const double begin = wall_seconds();
        cJSON *answers = answers_to(1, line);
        assert_true(wall_seconds() - begin < 3.4);
        assert_true(i == 0 ? cJSON_GetArraySize(answers) == 1 : cJSON_GetArraySize(answers) > 2);
        cJSON_Delete(answers);
    }
}

/* A position that is lost by the solver is searched for its time, as without reports: the opponent may not see the win.
 */
static void test_lost_and_timed(void **state) {
    (void)state;
    Bench *bench = open_bench(1);
    bench->defaults.player.memory_mb = 64; /* room for a solver */
    feed(bench, "{\"id\": \"a\", \"size\": 3, \"komi\": -11, \"maxTime\": 0.5, \"reportDuringSearchEvery\": 0.02, "
                "\"moves\": [\"c3\", \"b2\", \"d4\", \"c2\", \"b3\", \"a1\", \"e3\"]}\n");
    cJSON *answers = close_bench(bench);
    const int count = cJSON_GetArraySize(answers);
    assert_true(count > 3);
    assert_true(cJSON_IsTrue(part(part(cJSON_GetArrayItem(answers, count - 1), "rootInfo"), "proven")));
    cJSON_Delete(answers);
}

/* What the command line says of the variant and the komi of one game is no default for another one. */
static void test_other_games(void **state) {
    (void)state;
    static const struct {
        GameOptions game;
        int komi;
        const char *query;
    } cases[] = {
        {{.name = "sgolte", .size = 5, .capture = GAME_CAPTURE_LINE}, 0, "\"game\": \"bug\", \"size\": 3"},
        {{.name = "bug", .size = 3, .pie = GAME_PIE_ON}, 0, "\"game\": \"stigmergy\""},
        {{.name = "stigmergy", .size = 3}, 3, "\"game\": \"bug\""},
        {{.name = "bug", .size = 3, .pie = GAME_PIE_ON}, 0, "\"game\": \"bug\", \"moves\": [\"c3\", \"swap\"]"},
        {{.name = "stigmergy", .size = 3}, 3, "\"moves\": [\"take-button\"]"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[200];
        Bench *bench = open_bench(1);
        bench->defaults.game = cases[i].game;
        bench->defaults.komi = cases[i].komi;
        snprintf(line, sizeof line, "{\"id\": \"a\", %s}\n", cases[i].query);
        feed(bench, line);
        cJSON *answers = close_bench(bench);
        assert_int_equal(cJSON_GetArraySize(answers), 1);
        assert_string_equal(text_of(cJSON_GetArrayItem(answers, 0), "error"), "");
        part(cJSON_GetArrayItem(answers, 0), "rootInfo");
        cJSON_Delete(answers);
    }
}

static void test_turns(void **state) {
    (void)state;
    cJSON *answers = answers_to(1, "{\"id\": \"a\", \"moves\": [\"c3\", \"a1\"], \"analyzeTurns\": [2, 0, 1]}");
    assert_int_equal(cJSON_GetArraySize(answers), 3);
    static const int expected[] = {2, 0, 1};
    for (int i = 0; i < 3; i++)
        assert_int_equal((int)number_of(cJSON_GetArrayItem(answers, i), "turnNumber"), expected[i]);
    cJSON_Delete(answers);
}

/* The only simulation goes to the root, so no move has one: the first has the values of the position. */
static void test_one_simulation(void **state) {
    (void)state;
    cJSON *answer = single("{\"id\": \"a\", \"moves\": [\"c3\"], \"maxSims\": 1}");
    const cJSON *root = part(answer, "rootInfo"), *move = part(answer, "moveInfos")->child;
    assert_int_equal(cJSON_GetArraySize(part(answer, "moveInfos")), 1);
    assert_int_equal((int)number_of(move, "sims"), 0);
    assert_true(number_of(root, "scoreLead") != 0);
    assert_float_equal(number_of(move, "winrate"), number_of(root, "winrate"), 1e-6);
    assert_float_equal(number_of(move, "scoreLead"), number_of(root, "scoreLead"), 1e-6);
    cJSON_Delete(answer);
}

static void test_finished_game(void **state) {
    (void)state;
    /* The stones of one colour control everything: both pass. */
    cJSON *answer =
        single("{\"id\": \"a\", \"size\": 2, \"initialStones\": [[\"B\",\"a1\"],[\"B\",\"a2\"],[\"B\",\"b2\"],[\"B\","
               "\"c1\"],[\"B\",\"c2\"]], \"moves\": [\"pass\", \"pass\"], \"includeControl\": true}");
    const cJSON *root = part(answer, "rootInfo");
    assert_true(truth_of(root, "proven"));
    assert_int_equal((int)number_of(root, "winrate"), 1);
    assert_int_equal((int)number_of(root, "scoreLead"), 7);
    assert_int_equal((int)number_of(root, "sims"), 0);
    assert_int_equal(cJSON_GetArraySize(part(answer, "moveInfos")), 0);
    const cJSON *cell;
    cJSON_ArrayForEach(cell, part(answer, "control")) assert_int_equal((int)cell->valuedouble, 1);
    cJSON_Delete(answer);
}

/* Turns of several actions: whole ones in moves and pv, and a search within a turn. */
static void test_long_turns(void **state) {
    (void)state;
    cJSON *answers = answers_to(1, "{\"id\": \"a\", \"game\": \"bug\", \"size\": 3, \"moves\": [\"c3\", \"a1,b1\"]}\n"
                                   "{\"id\": \"b\", \"game\": \"bug\", \"size\": 3, \"moves\": [\"c3\", \"a1\"]}\n"
                                   "{\"id\": \"c\", \"game\": \"bug\", \"size\": 3, \"komi\": 1}\n"
                                   "{\"id\": \"d\", \"game\": \"bug\", \"partialTurn\": [\"c3\", \"c4\"]}\n"
                                   "{\"id\": \"e\", \"game\": \"bug\", \"partialTurn\": [\"zz\"]}\n");
    assert_int_equal(cJSON_GetArraySize(answers), 5);
    const cJSON *answer;
    int searched = 0;
    cJSON_ArrayForEach(answer, answers) {
        const char *id = text_of(answer, "id");
        if (*id == 'b') {
            assert_string_equal(text_of(part(answer, "rootInfo"), "scoreLead"), "null");
            searched++;
        } else {
            assert_string_equal(text_of(answer, "field"), *id == 'a' ? "moves" : *id == 'c' ? "komi" : "partialTurn");
        }
    }
    assert_int_equal(searched, 1);
    cJSON_Delete(answers);
}

/* ---- What is wrong is named ---- */

static void test_errors(void **state) {
    (void)state;
    static const char *const wrong[][3] = {
        /* the line; field; a part of the error */
        {"nonsense", "null", "JSON"},
        {"[]", "null", "object"},
        {"{\"moves\": []}", "id", "missing"},
        {"{\"id\": 5}", "id", "string"},
        {"{\"id\": \"a\", \"game\": \"chess\"}", "game", "chess"},
        {"{\"id\": \"a\", \"size\": 11}", "size", "2 to 10"},
        {"{\"id\": \"a\", \"game\": \"bug\", \"size\": 8}", "size", "2 to 7"},
        {"{\"id\": \"a\", \"komi\": 0.5}", "komi", "whole"},
        {"{\"id\": \"a\", \"komi\": 20}", "komi", "-19 to 19"},
        {"{\"id\": \"a\", \"komi\": 1e9, \"size\": 5}", "komi", "-61 to 61"},
        {"{\"id\": \"a\", \"boardXSize\": 19, \"boardYSize\": 19}", "boardXSize", "to 10"},
        {"{\"id\": \"a\", \"boardXSize\": 3, \"boardYSize\": 4}", "boardYSize", "cells a side"},
        {"{\"id\": \"a\", \"boardXSize\": 3, \"size\": 4}", "boardXSize", "cells a side"},
        {"{\"id\": \"a\", \"maxSims\": 3, \"maxVisits\": 4}", "maxVisits", "one of the two"},
        {"{\"id\": \"a\", \"overrideSettings\": {\"maxTime\": 0}}", "overrideSettings", "maxTime"},
        {"{\"id\": \"a\", \"overrideSettings\": {\"reportAnalysisWinratesAs\": \"WHITE\"}}", "overrideSettings",
         "Black's"},
        {"{\"id\": \"a\", \"whiteHandicapBonus\": \"N\", \"initialStones\": [[\"B\", \"c3\"]]}", "whiteHandicapBonus",
         "expected \"0\""},
        {"{\"id\": \"a\", \"avoidMoves\": [{\"player\": \"B\", \"moves\": [\"z9\"]}]}", "avoidMoves", "'z9'"},
        {"{\"id\": \"a\", \"avoidMoves\": [{\"player\": \"X\", \"moves\": []}]}", "avoidMoves", "B or W"},
        {"{\"id\": \"a\", \"avoidMoves\": [{\"moves\": []}]}", "avoidMoves", "player"},
        {"{\"id\": \"a\", \"allowMoves\": [{\"player\": \"B\", \"moves\": []}]}", "allowMoves", "turn 0"},
        {"{\"id\": \"a\", \"allowMoves\": [{\"player\": \"B\", \"moves\": [\"a1\"], \"untilDepth\": 0}]}", "allowMoves",
         "untilDepth"},
        {"{\"id\": \"a\", \"allowMoves\": [{\"player\": \"W\", \"moves\": [\"a1\"]}, {\"player\": \"W\", "
         "\"moves\": [\"a1\"]}]}",
         "allowMoves", "one entry"},
        {"{\"id\": \"a\", \"moves\": \"c3\"}", "moves", "array"},
        {"{\"id\": \"a\", \"moves\": [\"c3\", \"c3\"]}", "moves", "move 2: c3"},
        {"{\"id\": \"a\", \"moves\": [[\"W\", \"c3\"]]}", "moves", "not the turn of White"},
        {"{\"id\": \"a\", \"moves\": [3]}", "moves", "expected a turn"},
        {"{\"id\": \"a\", \"initialPlayer\": \"X\"}", "initialPlayer", "B or W"},
        {"{\"id\": \"a\", \"initialStones\": [[\"B\", \"z1\"]]}", "initialStones", "z1"},
        {"{\"id\": \"a\", \"initialStones\": [[\"B\", \"c3\"], [\"W\", \"c3\"]]}", "initialStones", "two stones"},
        {"{\"id\": \"a\", \"maxSims\": 0}", "maxSims", "1 to"},
        {"{\"id\": \"a\", \"maxTime\": -1}", "maxTime", "from"},
        {"{\"id\": \"a\", \"clock\": {}}", "clock", "'timeLeft' is missing"},
        {"{\"id\": \"a\", \"clock\": {\"timeLeft\": 1, \"period\": 1}}", "clock", "period"},
        {"{\"id\": \"a\", \"clock\": {\"timeLeft\": 1, \"movesLeft\": -1}}", "clock", "movesLeft"},
        {"{\"id\": \"a\", \"clock\": {\"timeLeft\": 1, \"increment\": -1}}", "clock", "increment"},
        {"{\"id\": \"a\", \"moves\": [\"c3\"], \"analyzeTurns\": [2]}", "analyzeTurns", "0 to 1"},
        {"{\"id\": \"a\", \"analyzeTurns\": []}", "analyzeTurns", "expected"},
        {"{\"id\": \"a\", \"analyzeTurns\": [0, 0]}", "analyzeTurns", "once"},
        {"{\"id\": \"a\", \"includeControl\": 1}", "includeControl", "true or false"},
        {"{\"id\": \"a\", \"priority\": 0.5}", "priority", "whole"},
        {"{\"id\": \"a\", \"maxTime\": 0}", "maxTime", "from 0.001 to 1000000"},
        {"{\"id\": \"a\", \"priorities\": [1, 2]}", "priorities", "array of at most 1"},
        {"{\"id\": \"a\", \"priorities\": []}", "priorities", "each of the 1 turns"},
        {"{\"id\": \"a\", \"priorities\": [1], \"priority\": 1}", "priorities", "one of the two"},
        {"{\"id\": \"a\", \"game\": \"bug\", \"komi\": 7}", "komi", "7, expected 0, for bug has no points"},
        {"{\"id\": \"a\", \"size\": 3, \"komi\": 20}", "komi", "20, expected a whole number from -19 to 19"},
        {"{\"id\": \"a\", \"size\": 3, \"komi\": \"x\"}", "komi", "is wrong: expected a whole number from -19 to 19"},
        {"{\"id\": \"a\", \"maxvisits\": 7}", "maxvisits", "did you mean 'maxVisits'?"},
        {"{\"id\": \"a\", \"capture\": \"line\"}", "capture", "capture"},
        {"{\"id\": \"a\", \"pie\": \"maybe\"}", "pie", "off"},
        {"{\"id\": \"a\", \"level\": 1}", "level", "unknown"},
        {"{\"id\": \"a\", \"colour\": 1}", "colour", "unknown"},
        {"{\"id\": \"a\", \"action\": \"jump\"}", "action", "jump"},
        {"{\"id\": \"a\", \"action\": 5}", "action", "expected query_version, query_models, terminate"},
        {"{\"id\": \"a\", \"action\": \"terminate\"}", "terminateId", "missing"},
        {"{\"action\": \"query_version\"}", "id", "missing"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cJSON *answer = single(wrong[i][0]);
        if (strcmp(text_of(answer, "field"), wrong[i][1]) || !strstr(text_of(answer, "error"), wrong[i][2]))
            fail_msg("%s: %s (%s)", wrong[i][0], text_of(answer, "error"), text_of(answer, "field"));
        cJSON_Delete(answer);
    }
}

static void test_lines(void **state) {
    (void)state;
    Bench *bench = open_bench(1);
    enum { LONG = 5 << 20 };
    char *line = malloc(LONG);
    memset(line, 'x', LONG);
    assert_true(analyze_session_feed(bench->session, line, LONG)); /* one line that is too long */
    feed(bench, "\n\n  \r\n");
    feed(bench, "{\"id\": \"\xff\"}\n");
    static const char with_zero[] = "{\"id\": \"a\0\"}\n{\"id\": \"a\\u0000\"}\n\0\0\n";
    assert_true(analyze_session_feed(bench->session, with_zero, sizeof with_zero - 1));
    for (const char *c = "{\"id\": \"b\"}"; *c; c++) /* a byte at a time, no newline at the end */
        assert_true(analyze_session_feed(bench->session, c, 1));
    free(line);
    cJSON *answers = close_bench(bench);
    assert_int_equal(cJSON_GetArraySize(answers), 6);
    static const char *const reasons[] = {"longer", "not UTF-8", "NUL", "NUL", "NUL"};
    for (int i = 0; i < 5; i++) {
        assert_non_null(strstr(text_of(cJSON_GetArrayItem(answers, i), "error"), reasons[i]));
        assert_true(cJSON_IsNull(json_get(cJSON_GetArrayItem(answers, i), "field")));
    }
    assert_null(json_get(cJSON_GetArrayItem(answers, 1), "id"));
    assert_string_equal(text_of(cJSON_GetArrayItem(answers, 5), "id"), "b");
    cJSON_Delete(answers);
}

/* An id that is wrong, or stands there twice, names no query. */
static void test_wrong_ids(void **state) {
    (void)state;
    char line[700] = "{\"id\": \"";
    memset(line + 8, 'x', 600);
    memcpy(line + 608, "\"}\n", 4);
    const char *const wrong[] = {line, "{\"id\": \"a\", \"id\": \"a\"}\n"};
    for (int i = 0; i < 2; i++) {
        cJSON *answer = single(wrong[i]);
        assert_string_equal(text_of(answer, "field"), "id");
        assert_null(json_get(answer, "id"));
        cJSON_Delete(answer);
    }
}

/* ---- Many at a time ---- */

/* The same queries get the same answers, whatever the number of workers. */
static void test_batch(void **state) {
    (void)state;
    enum { QUERIES = 300 };
    cJSON *found[2];
    for (int run = 0; run < 2; run++) {
        Bench *bench = open_bench(run ? 4 : 1);
        for (int i = 0; i < QUERIES; i++) {
            char line[160];
            snprintf(line, sizeof line, "{\"id\": \"%03d\", \"size\": %d, \"moves\": [\"a%d\"], \"maxSims\": 20}\n", i,
                     3 + i % 2, 1 + i % 3);
            feed(bench, line);
        }
        found[run] = close_bench(bench);
        assert_int_equal(cJSON_GetArraySize(found[run]), QUERIES);
    }
    int compared = 0;
    const cJSON *a, *b;
    cJSON_ArrayForEach(a, found[0]) cJSON_ArrayForEach(b, found[1]) {
        if (strcmp(text_of(a, "id"), text_of(b, "id")))
            continue;
        assert_true(cJSON_Compare(a, b, true));
        compared++;
    }
    assert_int_equal(compared, QUERIES);
    cJSON_Delete(found[0]);
    cJSON_Delete(found[1]);
}

/* While one long search holds the only worker, the rest waits: the highest priority goes first, among equal ones the
 * first that came. */
static void test_priority(void **state) {
    (void)state;
    Bench *bench = open_bench(1);
    feed(bench, "{\"id\": \"long\", \"size\": 9, \"maxTime\": 1000, \"reportDuringSearchEvery\": 0.001, "
                "\"priority\": 5}\n");
    for (int i = 0; i < 8; i++) {
        char line[120];
        snprintf(line, sizeof line, "{\"id\": \"%d\", \"priority\": %d}\n", i, i % 4 - 1);
        feed(bench, line);
    }
    feed(bench, "{\"id\": \"t\", \"action\": \"terminate\", \"terminateId\": \"long\"}\n");
    cJSON *answers = close_bench(bench);
    char order[16] = "";
    const cJSON *answer;
    cJSON_ArrayForEach(answer, answers) if (!truth_of(answer, "isDuringSearch") && text_of(answer, "id")[0] <= '9')
        strcat(order, text_of(answer, "id"));
    assert_string_equal(order, "37261504");
    cJSON_Delete(answers);
}

/* Each turn may have a priority of its own. */
static void test_priorities(void **state) {
    (void)state;
    Bench *bench = open_bench(1);
    feed(bench, "{\"id\": \"long\", \"size\": 9, \"maxTime\": 1000, \"priority\": 9}\n"
                "{\"id\": \"a\", \"moves\": [\"a1\", \"b1\", \"c1\"], \"analyzeTurns\": [3, 0, 1], \"priorities\": "
                "[-2, 7, 3]}\n"
                "{\"id\": \"b\", \"moves\": [\"a1\", \"b1\"], \"priority\": 5}\n"
                "{\"id\": \"t\", \"action\": \"terminate\", \"terminateId\": \"long\"}\n");
    cJSON *answers = close_bench(bench);
    char order[16] = "";
    const cJSON *answer;
    cJSON_ArrayForEach(answer, answers) if (strlen(text_of(answer, "id")) == 1 && *text_of(answer, "id") != 't') {
        const size_t used = strlen(order);
        snprintf(order + used, sizeof order - used, "%d", (int)number_of(answer, "turnNumber"));
    }
    assert_string_equal(order, "0213");
    cJSON_Delete(answers);
}

/* The first example of KataGo's manual, on a board of ours: stones are set up, and the first move says whose turn it
 * is. Limits that are none, and colours in words, are understood. */
static void test_katago_example(void **state) {
    (void)state;
    cJSON *answers = answers_to(
        1,
        "{\"id\": \"foo\", \"initialStones\": [[\"B\", \"d4\"], [\"B\", \"C4\"]], \"moves\": [[\"W\", \"e5\"], [\"B\", "
        "\"d6\"]], \"komi\": 7, \"boardXSize\": 5, \"boardYSize\": 5, \"analyzeTurns\": [0, 1, 2]}\n"
        "{\"id\": \"bar\", \"moves\": [[\"black\", \"c3\"]], \"initialPlayer\": \"black\", \"maxVisits\": "
        "1000000000000, \"overrideSettings\": {\"maxTime\": 1e20, \"maxPlayouts\": 10}}\n"
        "{\"id\": \"baz\", \"overrideSettings\": {\"maxVisits\": 20, \"maxPlayouts\": 10}}\n"
        "{\"id\": \"own\", \"maxVisits\": 10, \"overrideSettings\": {\"maxVisits\": 20, \"maxTime\": 10}}\n");
    static const char movers[] = "WBWWBB";
    assert_int_equal(cJSON_GetArraySize(answers), 6);
    for (int i = 0; i < 6; i++) {
        const cJSON *root = part(cJSON_GetArrayItem(answers, i), "rootInfo");
        assert_int_equal(text_of(root, "currentPlayer")[0], movers[i]);
        if (i >= 3)
            assert_int_equal((int)number_of(root, "visits"), 10);
    }
    cJSON_Delete(answers);
}

static void test_terminate(void **state) {
    (void)state;
    Bench *bench = open_bench(1);
    feed(bench, "{\"id\": \"a\", \"size\": 9, \"maxTime\": 1000, \"moves\": [\"a1\"], \"analyzeTurns\": [1, 0]}\n"
                "{\"id\": \"b\", \"size\": 9, \"maxTime\": 1000}\n"
                "{\"id\": \"t\", \"action\": \"terminate\", \"terminateId\": \"a\", \"turnNumbers\": [0]}\n"
                "{\"id\": \"u\", \"action\": \"terminate\", \"terminateId\": \"nobody\"}\n"
                "{\"id\": \"z\", \"action\": \"terminate\", \"terminateId\": \"\"}\n"
                "{\"id\": \"v\", \"action\": \"terminate_all\"}\n"
                "{\"id\": \"w\", \"action\": \"clear_cache\"}\n"
                "{\"id\": \"c\"}\n"
                "{\"id\": \"x\", \"action\": \"terminate\", \"terminateId\": \"c\", \"turnNumbers\": []}\n"
                "{\"id\": \"y\", \"action\": \"terminate_all\", \"turnNumbers\": []}\n"); /* ends nothing */
    cJSON *answers = close_bench(bench);
    assert_int_equal(cJSON_GetArraySize(answers), 11);
    int empty = 0;
    const cJSON *answer;
    cJSON_ArrayForEach(answer, answers) {
        if (truth_of(answer, "noResults"))
            empty++;
        if (!strcmp(text_of(answer, "id"), "c"))
            assert_int_equal((int)number_of(part(answer, "rootInfo"), "sims"), 50);
        if (!strcmp(text_of(answer, "id"), "t"))
            assert_int_equal(cJSON_GetArraySize(part(answer, "turnNumbers")), 1);
        if (!strcmp(text_of(answer, "id"), "z"))
            assert_non_null(part(answer, "terminateId"));
    }
    assert_true(empty >= 2); /* all but the one that may have been running */
    cJSON_Delete(answers);
}

/* Who sends too fast has to wait: the next query is taken when the last one is answered. */
static void test_backpressure(void **state) {
    (void)state;
    enum { QUERIES = 10 };
    Bench *bench = open_bench_with(1, 1); /* byte: one query at a time */
    for (int i = 0; i < QUERIES; i++) {
        char line[80];
        snprintf(line, sizeof line, "{\"id\": \"%d\", \"analyzeTurns\": [0], \"maxSims\": 2000}\n", i);
        feed(bench, line);
        assert_in_range(analysis_pending(bench->analysis), 0, 2); /* the last one counts until it is freed */
    }
    cJSON *answers = close_bench(bench);
    assert_int_equal(cJSON_GetArraySize(answers), QUERIES);
    cJSON_Delete(answers);
}

static AnalysisQuery *read_query(Bench *bench, const char *text) {
    char key[QUERY_KEY_MAX];
    Error error;
    cJSON *json = cJSON_Parse(text);
    AnalysisQuery *query = query_read(json, bench->analysis, &bench->defaults, key, &error);
    cJSON_Delete(json);
    assert_non_null(query);
    return query;
}

static size_t bytes_of(Bench *bench, const char *text) {
    AnalysisQuery *query = read_query(bench, text);
    const size_t bytes = query_bytes(query);
    query_free(query);
    return bytes;
}

/* Waits until exactly this number of positions are searched or wait for it. */
static void see_pending(const Bench *bench, int wanted) {
    const double end = wall_seconds() + 40;
    for (int count; (count = analysis_pending(bench->analysis)) != wanted;) {
        if (wall_seconds() > end)
            fail_msg("%d positions wait, expected %d", count, wanted);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

/* What a session is fed with: the other end of a pipe. */
typedef struct Feeder {
    Bench *bench;
    int pipe;
} Feeder;

static void *feed_from_pipe(void *user) {
    const Feeder *feeder = user;
    char bytes[1000];
    for (ssize_t count; (count = read(feeder->pipe, bytes, sizeof bytes)) > 0;)
        analyze_session_feed(feeder->bench->session, bytes, (size_t)count);
    return NULL;
}

/* Writes lines until the pipe takes nothing for a second, or until there are `most`. Returns their number. */
static int write_lines(int pipe, const char *line, int most) {
    const size_t length = strlen(line);
    int count = 0;
    while (count < most && poll(&(struct pollfd){.fd = pipe, .events = POLLOUT}, 1, 1000) == 1 &&
           write(pipe, line, length) == (ssize_t)length)
        count++;
    return count;
}

static const char endless_line[] = "{\"id\": \"e\", \"size\": 9, \"maxTime\": 1000}\n";
static const char short_line[] = "{\"id\": \"s\", \"size\": 9, \"maxSims\": 1}\n";
static const char long_line[] =
    "{\"id\": \"l\", \"size\": 9, \"maxSims\": 1, \"moves\": [\"a1\", \"b1\", \"c1\", \"d1\", \"e1\", \"f1\", "
    "\"g1\", \"h1\", \"i1\"], \"analyzeTurns\": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}\n";

/* Of short queries as many are taken as fit, and none of a long one that does not; the rest stays in the pipe, until
 * who writes has to wait. When the search without end is over, all are answered. */
static void test_bound_in_bytes(void **state) {
    (void)state;
    enum { FIT = 5, MOST = 20000 /* far more than a pipe holds */ };
    Bench *sizes = open_bench(1);
    const size_t each = bytes_of(sizes, short_line);
    assert_int_equal(bytes_of(sizes, endless_line), each);
    assert_in_range(bytes_of(sizes, long_line), (FIT - 1) * each + 1, 10 * each);
    cJSON_Delete(close_bench(sizes));
    for (int longer = 0; longer < 2; longer++) {
        Bench *bench = open_bench_with(1, FIT * each);
        int ends[2], written = 0;
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
        assert_true(fcntl(ends[1], F_SETPIPE_SZ, 16384) > 0); /* few lines, so that they are soon answered */
        Feeder feeder = {.bench = bench, .pipe = ends[0]};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, feed_from_pipe, &feeder), 0);
        assert_int_equal(write_lines(ends[1], endless_line, 1), 1);
        see_pending(bench, 1);
        assert_int_equal(write_lines(ends[1], longer ? long_line : short_line, 1), 1);
        written = write_lines(ends[1], short_line, MOST);
        assert_in_range(written, FIT, MOST - 1);
        see_pending(bench, longer ? 1 : FIT);
        analysis_stop(bench->analysis, NULL, NULL);
        close(ends[1]);
        pthread_join(thread, NULL);
        close(ends[0]);
        cJSON *answers = close_bench(bench);
        assert_int_equal(cJSON_GetArraySize(answers), 1 + (longer ? 10 : 1) + written);
        cJSON_Delete(answers);
    }
}

/* Bytes that the program has allocated. */
static size_t allocated(void) {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Whether the allocator says so; those of sanitizers do not. */
static bool is_counted(void) {
    const size_t before = allocated();
    char *volatile block = malloc(5000);
    const bool counted = allocated() > before;
    free(block);
    return counted;
}

static void count_answer(void *user, QueryOutput kind, const char *answer, size_t length) {
    (void)kind, (void)answer, (void)length;
    atomic_fetch_add((_Atomic int *)user, 1);
}

/* Lets a search without end hold the worker, whose memory does not change from then on. */
static void hold_worker(Bench *bench, _Atomic int *answers) {
    query_start(
        read_query(bench, "{\"id\": \"e\", \"size\": 9, \"maxTime\": 1000, \"firstReportDuringSearchAfter\": 0.001}"),
        bench->analysis, NULL, count_answer, answers);
    while (atomic_load(answers) == 0)
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

/* A query that waits is over as soon as it is terminated, while another search has the only worker. */
static void test_terminate_waiting(void **state) {
    (void)state;
    Bench *bench = open_bench(1);
    _Atomic int answers = 0;
    hold_worker(bench, &answers);
    feed(bench, "{\"id\": \"a\", \"moves\": [\"a1\"], \"analyzeTurns\": [0, 1], \"maxSims\": 50}\n"
                "{\"id\": \"b\", \"maxSims\": 50}\n"
                "{\"id\": \"t\", \"action\": \"terminate\", \"terminateId\": \"a\"}\n");
    assert_int_equal(analysis_pending(bench->analysis), 2);
    assert_int_equal(query_stop_id(bench->analysis, NULL, "e", NULL, 0), 1);
    cJSON *lines = close_bench(bench);
    assert_int_equal(cJSON_GetArraySize(lines), 4);
    const cJSON *line;
    cJSON_ArrayForEach(line, lines) assert_true(truth_of(line, "noResults") == !strcmp(text_of(line, "id"), "a"));
    cJSON_Delete(lines);
}

/* The bytes that a query counts for are those that it takes, give or take a fifth. */
static void test_query_bytes(void **state) {
    (void)state;
    enum { QUERIES = 500 };
    static const char *const lines[] = {short_line, long_line};
    if (!is_counted())
        skip();
    for (int i = 0; i < 2; i++) {
        Bench *bench = open_bench(1);
        _Atomic int answers = 0;
        hold_worker(bench, &answers);
        const size_t counted = QUERIES * bytes_of(bench, lines[i]);
        const size_t before = allocated();
        for (int k = 0; k < QUERIES; k++)
            feed(bench, lines[i]);
        const size_t taken = allocated() - before;
        if (taken > counted + counted / 5 || counted > taken + taken / 5)
            fail_msg("%d queries count for %zu bytes and take %zu", QUERIES, counted, taken);
        analysis_stop(bench->analysis, NULL, NULL);
        cJSON_Delete(close_bench(bench));
    }
}

/* A client that is gone: searches without end are given up. */
static void test_closed_output(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    Bench *bench = open_bench(2);
    AnalyzeSession *session = analyze_session_new(bench->analysis, &bench->defaults, ANALYZE_WAITING_BYTES, full, NULL);
    static const char lines[] = "{\"id\": \"a\", \"size\": 9, \"maxTime\": 1000}\n{\"id\": \"b\"}\n";
    analyze_session_feed(session, lines, strlen(lines));
    assert_false(analyze_session_end(session));
    analyze_session_free(session);
    fclose(full);
    cJSON_Delete(close_bench(bench));
}

/* ---- The engine itself ---- */

/* What was reported to one user, whose tasks report from several threads. */
typedef struct Seen {
    _Atomic int running, finished, untouched;
    _Atomic uint64_t simulations;
    _Atomic double win_rate;
    _Atomic Action best;
    _Atomic bool error;
} Seen;

static void count_report(const AnalysisTask *task, const AnalysisReport *report) {
    Seen *seen = task->user;
    if (report->error)
        seen->error = true;
    seen->simulations = report->summary.simulations;
    seen->win_rate = report->summary.win_rate;
    if (report->search)
        seen->best = search_best(report->search);
    seen->running += report->stage == ANALYSIS_RUNNING;
    seen->finished += report->stage == ANALYSIS_FINISHED;
    seen->untouched += report->stage == ANALYSIS_UNTOUCHED;
}

static AnalysisTask new_task(Analysis *analysis, const Player *player, Seen *seen) {
    Error error;
    AnalysisTask task = {.game = analysis_game(analysis, &(GameOptions){.size = 4}, &error),
                         .player = player,
                         .simulations = 100,
                         .seed = 7,
                         .report = count_report,
                         .user = seen};
    task.game->rules->start(task.game, &task.state, 0);
    return task;
}

static void test_engine(void **state) {
    (void)state;
    Error error;
    assert_null(analysis_new(&(AnalysisOptions){.workers = 0, .threads = 1}, &error));
    Analysis *analysis = analysis_new(&(AnalysisOptions){.workers = 2, .threads = 2}, &error);
    assert_null(analysis_game(analysis, &(GameOptions){.size = 1}, &error));
    Player player = playout_player();
    player.memory_mb = 1;
    Seen seen = {0}, refused = {0}, endless = {0};
    AnalysisTask task = new_task(analysis, &player, &seen);
    assert_ptr_equal(task.game, analysis_game(analysis, &(GameOptions){.name = "stigmergy", .size = 4}, &error));
    assert_true(analysis_add(analysis, &task, &error));
    Player impossible = player;
    impossible.params.playouts = -1;
    AnalysisTask wrong = new_task(analysis, &impossible, &refused);
    assert_true(analysis_add(analysis, &wrong, &error));
    AnalysisTask full = new_task(analysis, &player, &endless); /* ends when its megabyte is full */
    full.simulations = 0;
    full.report_interval = 0.01;
    assert_true(analysis_add(analysis, &full, &error));
    analysis_wait(analysis);
    assert_int_equal(analysis_pending(analysis), 0);
    assert_true(seen.finished == 1 && seen.simulations == 100);
    assert_true(refused.untouched == 1 && refused.error);
    assert_int_equal(endless.finished, 1);
    analysis_clear(analysis);
    assert_true(analysis_add(analysis, &task, &error));
    analysis_free(analysis); /* stops what still runs */
    assert_int_equal(seen.finished + seen.untouched, 2);
}

/* Who asked for no reports gets one answer, also where the solver takes a part of the simulations and fails. */
static void test_one_report(void **state) {
    (void)state;
    Error error;
    Analysis *analysis = analysis_new(&(AnalysisOptions){.workers = 1, .threads = 1}, &error);
    Player player = playout_player();
    player.memory_mb = 16;
    player.params.solver_share = 0.5;
    player.params.solver_open = player.params.solver_carriers_open = HEXHEX_MAX_CELLS;
    Seen seen = {0};
    AnalysisTask task = new_task(analysis, &player, &seen);
    task.simulations = 1000;
    assert_true(analysis_add(analysis, &task, &error));
    analysis_wait(analysis);
    assert_true(seen.running == 0 && seen.finished == 1 && seen.simulations < 1000);
    analysis_free(analysis);
}

/* A tree is kept for who asks for it, for the same position and for the next; who does not gets what he would get from
 * a new engine. */
static void test_kept_tree(void **state) {
    (void)state;
    Error error;
    Analysis *analysis = analysis_new(&(AnalysisOptions){.workers = 2, .threads = 1}, &error);
    Player player = playout_player();
    player.memory_mb = 16;
    player.params.solver_share = 0;
    Seen seen = {0};
    AnalysisTask task = new_task(analysis, &player, &seen);
    task.simulations = 2000;
    static const struct {
        bool keep, moved;
        uint64_t least, most; /* simulations reported */
    } steps[] = {
        {false, false, 2000, 2000}, {true, false, 3000, 3000}, {true, true, 101, 3000},
        {true, true, 101, 3000},    {false, true, 100, 100},   {true, false, 100, 100},
    };
    Action move = 0;
    for (int i = 0; i < 6; i++) {
        task.game->rules->start(task.game, &task.state, 0);
        move = steps[i].moved ? move : seen.best;
        if (steps[i].moved)
            task.game->rules->apply(task.game, &task.state, move);
        task.simulations = i == 0 ? 2000 : i == 1 ? 3000 : steps[i].keep && steps[i].moved ? 1 : 100;
        task.keep_tree = steps[i].keep;
        assert_true(analysis_add(analysis, &task, &error));
        analysis_wait(analysis);
        assert_in_range(seen.simulations, steps[i].least, steps[i].most);
    }
    assert_int_equal(seen.finished, 6);
    analysis_free(analysis);
}

/* Two searches that want the same tree at the same time: one has it, the other begins anew. */
static void test_contended_tree(void **state) {
    (void)state;
    Error error;
    Analysis *analysis = analysis_new(&(AnalysisOptions){.workers = 2, .threads = 1}, &error);
    Player player = playout_player();
    player.memory_mb = 16;
    player.params.solver_share = 0;
    Seen seen[4] = {{0}};
    for (int i = 0; i < 4; i++) {
        AnalysisTask task = new_task(analysis, &player, &seen[i]);
        task.keep_tree = true;
        task.simulations = i % 2 ? 100 : 3000;
        assert_true(analysis_add(analysis, &task, &error));
    }
    analysis_clear(analysis); /* while some are busy */
    analysis_wait(analysis);
    for (int i = 0; i < 4; i++)
        assert_true(seen[i].finished == 1 && seen[i].simulations >= 100);
    analysis_free(analysis);
}

/* Waits until the task has reported `wanted` times, or is finished. */
static void see_reports(const Seen *seen, int wanted) {
    while (atomic_load(&seen->running) < wanted && atomic_load(&seen->finished) == 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Searches without end share the time of one, and a move goes before them: it is found as fast as if it were alone, and
 * it is the same move. */
static void test_taking_turns(void **state) {
    (void)state;
    enum { ENDLESS = 4 };
    Error error;
    for (int threads = 1; threads <= 2; threads++) {
        Analysis *analysis =
            analysis_new(&(AnalysisOptions){.workers = ENDLESS + 2, .at_once = 1, .threads = threads}, &error);
        Player player = playout_player();
        player.memory_mb = 16;
        Seen alone = {0}, beside = {0}, move = {0}, endless[ENDLESS] = {{0}};
        AnalysisTask task = new_task(analysis, &player, &alone);
        assert_true(analysis_add(analysis, &task, &error));
        analysis_wait(analysis);
        for (int i = 0; i < ENDLESS; i++) {
            AnalysisTask look = new_task(analysis, &player, &endless[i]);
            look.simulations = 0;
            look.seconds = 1000;
            look.report_interval = 0.001;
            assert_true(analysis_add(analysis, &look, &error));
        }
        task.user = &beside; /* one more of their rank */
        assert_true(analysis_add(analysis, &task, &error));
        for (int i = 0; i < ENDLESS; i++)
            see_reports(&endless[i], 3);
        see_reports(&beside, 1);
        task.user = &move;
        task.priority = 1;
        assert_true(analysis_add(analysis, &task, &error));
        see_reports(&move, 1);
        for (int i = 0; i < ENDLESS; i++)
            assert_int_equal(atomic_load(&endless[i].finished), 0);
        assert_true(beside.simulations == alone.simulations && move.simulations == alone.simulations);
        if (threads == 1)
            assert_true(beside.best == alone.best && beside.win_rate == alone.win_rate &&
                        move.win_rate == alone.win_rate);
        analysis_stop(analysis, NULL, NULL);
        analysis_wait(analysis);
        analysis_free(analysis);
    }
}

/* A query about many positions leaves workers to others: where one search goes on at a time, it has begun one. */
static void test_room_for_others(void **state) {
    (void)state;
    Error error;
    Analysis *analysis = analysis_new(&(AnalysisOptions){.workers = 2, .at_once = 1, .threads = 1}, &error);
    Player player = playout_player();
    player.memory_mb = 16;
    Seen many = {0}, other = {0};
    AnalysisTask task = new_task(analysis, &player, &many);
    task.simulations = 0;
    task.seconds = 1000;
    for (int i = 0; i < 5; i++)
        assert_true(analysis_add(analysis, &task, &error));
    AnalysisTask short_one = new_task(analysis, &player, &other);
    assert_true(analysis_add(analysis, &short_one, &error));
    see_reports(&other, 1);
    assert_int_equal(atomic_load(&many.finished), 0);
    analysis_stop(analysis, NULL, NULL);
    analysis_wait(analysis);
    assert_int_equal(many.finished + many.untouched, 5);
    analysis_free(analysis);
}

/* Who looks at the next position has done with the last one. */
static void test_looking_on(void **state) {
    (void)state;
    cJSON *answers = answers_to(1, "{\"id\": \"a\", \"size\": 9, \"maxTime\": 1000, \"keepTree\": true}\n"
                                   "{\"id\": \"b\", \"keepTree\": true, \"maxSims\": 50}\n"
                                   "{\"id\": \"a\", \"keepTree\": true, \"maxSims\": 50}\n");
    assert_int_equal(cJSON_GetArraySize(answers), 3);
    cJSON_Delete(answers);
}

/* Stopping queries leaves alone what others have queued: whose user is no query. */
static void test_others(void **state) {
    (void)state;
    Error error;
    Analysis *analysis = analysis_new(&(AnalysisOptions){.workers = 1, .threads = 1}, &error);
    Player player = playout_player();
    player.memory_mb = 1;
    union {
        Seen seen;
        char bytes[1 << 16]; /* as long as a query, and as one with the id "" */
    } user = {.bytes = ""};
    AnalysisTask task = new_task(analysis, &player, &user.seen);
    task.simulations = 0;
    task.seconds = 1000;
    assert_true(analysis_add(analysis, &task, &error));
    assert_int_equal(query_stop_id(analysis, NULL, "", NULL, 0), 0);
    query_stop(analysis, NULL);
    assert_int_equal(analysis_stop(analysis, NULL, NULL), 1);
    analysis_free(analysis);
    assert_int_equal(user.seen.finished + user.seen.untouched, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answer),
        cmocka_unit_test(test_perspective),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_clock_and_limits_asked_for),
        cmocka_unit_test(test_settled_clock),
        cmocka_unit_test(test_lost_and_timed),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_one_simulation),
        cmocka_unit_test(test_finished_game),
        cmocka_unit_test(test_long_turns),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_wrong_ids),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_batch),
        cmocka_unit_test(test_priority),
        cmocka_unit_test(test_priorities),
        cmocka_unit_test(test_katago_example),
        cmocka_unit_test(test_terminate),
        cmocka_unit_test(test_backpressure),
        cmocka_unit_test(test_bound_in_bytes),
        cmocka_unit_test(test_query_bytes),
        cmocka_unit_test(test_closed_output),
        cmocka_unit_test(test_engine),
        cmocka_unit_test(test_one_report),
        cmocka_unit_test(test_kept_tree),
        cmocka_unit_test(test_contended_tree),
        cmocka_unit_test(test_taking_turns),
        cmocka_unit_test(test_room_for_others),
        cmocka_unit_test(test_looking_on),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_katago_names),
        cmocka_unit_test(test_many_warnings),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_first_report),
        cmocka_unit_test(test_after_a_swap),
        cmocka_unit_test(test_lead_of_proven),
        cmocka_unit_test(test_all_moves),
        cmocka_unit_test(test_allowed_moves),
        cmocka_unit_test(test_allowed_moves_and_kept_tree),
        cmocka_unit_test(test_other_games),
        cmocka_unit_test(test_terminate_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
