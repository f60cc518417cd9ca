/* The report: what documents look like as a page, and that whatever is wrong in one is named.
 *
 *     test_report RESULT.json     a real result of a fair-komi run */
#include "selfplay/io/file.h"
#include "selfplay/io/json.h"
#include "selfplay/io/text.h"
#include "tests/support/fixtures.h"
#include "tools/report/html.h"
#include "tools/report/page.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *komi_path;

#define PLAYER "\"player\": {\"name\": \"p\", \"simulations\": 100, \"move_time\": 0}, "

static const char match_text[] =
    "{\"schema\": {\"name\": \"stigmergy-match\", \"version\": 1}, \"game\": \"stigmergy\", \"size\": 3, \"run\": "
    "\"ab\", "
    "\"komi\": \"auto\", \"games\": 4, \"pairs\": 2, \"mean_komi\": 1.5, \"mean_turns\": 20.5, \"duplicate_share\": 0, "
    "\"pair_scores\": {\"0\": 0, \"0.5\": 1, \"1\": 1}, \"score\": 0.75, "
    "\"elo\": {\"estimate\": 190.8, \"ci95\": [-50, 2000]}, "
    "\"sprt\": {\"elo0\": 0, \"elo1\": 20, \"llr\": 0.4, \"bounds\": [-2.9, 2.9], \"verdict\": \"running\"}, "
    "\"results\": [{\"player\": \"<script>alert('a' & \\\"b\\\")</script>\", \"black\": {\"games\": 2, \"wins\": 2}, "
    "\"white\": {\"games\": 2, \"wins\": 1}, \"lost_by\": {\"time\": 1, \"resign\": 2}, \"sims_per_move\": 10}, "
    "{\"player\": \"b\", \"black\": {\"games\": 2, \"wins\": 1}, \"white\": {\"games\": 2, \"wins\": 0}, "
    "\"lost_by\": {\"time\": 0}, \"sims_per_move\": 12.5}]}";

static const char ratings_text[] =
    "{\"schema\": {\"name\": \"stigmergy-match\", \"version\": 1}, \"game\": \"bug\", \"size\": 4, \"run\": \"ab\", "
    "\"komi\": 0, \"games\": 4, \"pairs\": 2, \"mean_komi\": 0, \"mean_turns\": 20, \"duplicate_share\": 0.5, "
    "\"ratings\": [{\"player\": \"a\", \"estimate\": 10, \"ci95\": [-5, 25]}, "
    "{\"player\": \"b\", \"estimate\": -10, \"ci95\": [-25, 5]}], "
    "\"pairings\": [{\"a\": \"a\", \"b\": \"b\", \"pair_scores\": {\"0\": 0, \"0.5\": 1, \"1\": 1}, \"score\": 0.75, "
    "\"elo\": {\"estimate\": 20, \"ci95\": [-10, 50]}}], \"results\": []}";

static const char openings_text[] =
    "{\"schema\": {\"name\": \"stigmergy-openings\", \"version\": 1}, \"game\": \"stigmergy\", \"size\": 2, \"komi\": "
    "3, "
    "\"run\": \"ab\", " PLAYER "\"games\": 20, \"openings\": [{\"move\": \"c1\", \"moves\": [\"c1\", \"a2\"], "
    "\"games\": 10, \"win_rate\": 0.9, \"ci95\": [0.6, 0.98], \"fairest_probability\": 0.1}, "
    "{\"move\": \"b2\", \"moves\": [\"b2\"], \"games\": 10, \"win_rate\": 0.5, \"ci95\": [0.2, 0.8], "
    "\"fairest_probability\": 0.9, \"exact_winner\": \"B\"}, {\"move\": \"take-button\", \"moves\": [\"take-button\"], "
    "\"games\": 0, \"win_rate\": null, \"ci95\": [0, 1], \"fairest_probability\": 0}], "
    "\"fairest\": {\"move\": \"b2\", \"win_rate\": 0.5}}";

static const char book_text[] =
    "{\"schema\": {\"name\": \"stigmergy-book\", \"version\": 1}, \"game\": \"stigmergy\", \"size\": 2, \"run\": "
    "\"ab\", " PLAYER "\"games\": 40, \"books\": [{\"parity\": \"odd\", \"games\": 40, \"different_games\": 30, "
    "\"fair_komi\": 6.1, \"ci95\": [5.2, 6.9], \"bracket\": false, \"line\": \"b2 "
    "take-button\", \"positions\": 9, \"first_moves\": [{\"move\": \"b2\", \"moves\": [\"b2\"], \"games\": 10, "
    "\"fair_komi\": 6.1, \"ci95\": [5.2, 6.9], \"probability\": 0.9}, {\"move\": \"take-button\", \"moves\": "
    "[\"take-button\"], \"games\": 7, \"fair_komi\": -3, \"ci95\": [-7, 1], \"probability\": 0.06}, {\"move\": "
    "\"c1\", \"moves\": [\"c1\", \"a2\"], \"games\": 3, \"fair_komi\": -5, \"ci95\": [-7, 2], \"probability\": "
    "0.04}]}]}";

static const char solve_text[] =
    "{\"schema\": {\"name\": \"stigmergy-solve\", \"version\": 1}, \"game\": \"stigmergy\", \"size\": 2, \"button\": "
    "false, "
    "\"moves\": \"\", \"value\": 7, \"proved\": true, \"lower\": 7, \"upper\": 7, \"nodes\": 1234567, \"seconds\": "
    "0.5, "
    "\"best\": \"b2\", \"all_moves\": [{\"move\": \"b2\", \"proved\": true, \"lower\": 7, \"upper\": 7}, "
    "{\"move\": \"a1\", \"proved\": false, \"lower\": -7, \"upper\": 3}]}";

#define JUDGED(move)                                                                                                   \
    "\"judged\": {\"5\": {\"policy\": 2.1, \"win\": 0.3, \"score\": 1.9, \"owner\": 0.35, \"best_move\": " move "}}, "
#define GATE(elo, low, high)                                                                                           \
    "\"matches\": [{\"size\": 5, \"games\": 200, \"elo\": {\"estimate\": " elo ", \"ci95\": [" low ", " high "]}}]"

/* Four generations, of which the third did not take over; the first is from before losses were kept. */
static const char loop_text[] =
    "{\"schema\": {\"name\": \"stigmergy-loop\", \"version\": 1}, \"game\": \"sgolte\", \"seed\": \"7\", "
    "\"generations\": [{\"number\": 0, \"promoted\": true, \"network_hash\": \"aaaa\", \"seconds\": {}, \"matches\": "
    "[]}, "
    "{\"number\": 1, \"promoted\": true, \"network_hash\": \"bbbb\", \"games\": 4000, \"rows\": 421000, \"seconds\": "
    "{\"selfplay\": 360, \"training\": 600, \"gate\": 180}, " JUDGED("0.41") GATE(
        "100", "70",
        "140") "}, "
               "{\"number\": 2, \"promoted\": false, \"seconds\": {}, " JUDGED("0.42") GATE(
                   "-20", "-50",
                   "10") "}, "
                         "{\"number\": 3, \"promoted\": true, \"network_hash\": \"dddd\", \"seconds\": {}, " JUDGED(
                             "0.437") GATE("50", "10", "80") "}]}";

/* Ratings of the generations 1 and 3, under other names, and of a player that is none of them. */
static const char generations_text[] =
    "{\"schema\": {\"name\": \"stigmergy-match\", \"version\": 1}, \"game\": \"sgolte\", \"size\": 5, \"run\": \"ab\", "
    "\"komi\": 0, \"games\": 4, \"pairs\": 2, \"mean_komi\": 0, \"mean_turns\": 20, \"duplicate_share\": 0, "
    "\"settings\": {\"players\": [{\"name\": \"x\", \"network_hash\": \"bbbb\"}, {\"name\": \"y\", \"network_hash\": "
    "\"dddd\"}, {\"name\": \"z\"}]}, \"ratings\": [{\"player\": \"x\", \"estimate\": -40, \"ci95\": [-60, -20]}, "
    "{\"player\": \"z\", \"estimate\": 10, \"ci95\": [0, 20]}, {\"player\": \"y\", \"estimate\": 30, \"ci95\": [5, "
    "55]}], "
    "\"pairings\": [], \"results\": []}";

#define KOMI_CURVE(low, high)                                                                                          \
    "{\"estimate\": 5, \"ci95\": [" low ", " high "], \"games\": 90, \"distinct_games\": 2, \"separated\": true, "     \
    "\"ci95_is_bracket\": true, \"one_sided\": false}"
#define KOMI_CHECK "{\"firth\": 5, \"firth_defined\": true, \"isotonic\": 5, \"isotonic_defined\": true}"
#define KOMI_MODEL                                                                                                     \
    "{\"location\": 5, \"slope\": 9, \"lapse_low\": 0.001, \"lapse_high\": 0.125, \"fit\": {\"p\": 0.42, "             \
    "\"deviance\": 3, \"expected_deviance\": 4, \"komi_values\": 2}}"
#define KOMI_POINT(komi, wins, rate, low, high)                                                                        \
    "{\"komi\": " komi ", \"button\": false, \"games\": 45, \"distinct_games\": 1, \"duplicate_share\": 0.9778, "      \
    "\"effective_games\": 1, \"black_wins\": " wins ", \"win_rate\": " rate ", \"ci95\": [" low ", " high              \
    "], \"mean_margin\": 1, \"sd_margin\": 1, \"mean_plies\": 30}"

static const char steps_points[] = "[" KOMI_POINT("3", "45", "1", "0.2", "1") "," KOMI_POINT(
    "4", "45", "1", "0.2", "1") "," KOMI_POINT("5", "0", "0", "0", "0.8") "," KOMI_POINT("6", "0", "0", "0", "0.8") "]";
static const char steps_fair[] = "{\"even\": " KOMI_CURVE("4", "6") ", \"odd_with_button\": " KOMI_CURVE(
    "3",
    "5") ", \"combined\": {\"estimate\": 4.5, \"ci95\": [3.5, 5.5]}, \"black_wins_up_to\": 4, \"white_wins_from\": 5, "
         "\"gap\": {\"estimate\": 1, \"ci95\": [-1, 3]}, \"recommended\": 4, \"win_rate_at_recommended\": 0.99, "
         "\"ci95\": [0.9, 1], "
         "\"komi_probabilities\": [{\"komi\": 4, \"probability\": 0.6}, {\"komi\": 5, \"probability\": 0.4}], "
         "\"model\": {\"location\": 5, \"slope\": 9, \"lapse\": 0, \"even\": " KOMI_MODEL
         ", \"odd_with_button\": " KOMI_MODEL "}, \"checks\": {\"even\": " KOMI_CHECK
         ", \"odd_with_button\": " KOMI_CHECK "}}";

/* A player without chance, whose games are steps; to be freed. */
static char *make_steps_text(void) {
    static const char head[] =
        "{\"schema\": {\"name\": \"stigmergy-komi\", \"version\": 1}, \"game\": \"stigmergy\", \"size\": 3, "
        "\"run\": \"ab\", \"player\": {\"simulations\": 50, \"move_time\": 0}, \"games\": 180, "
        "\"duplicate_share\": 0.9778, \"by_chance\": false";
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "%s, \"points\": %s, \"fair_komi\": %s}", head, steps_points, steps_fair);
    fclose(out);
    return text;
}

static bool with_data; /* pages have their documents, to download */

/* The page of documents given as text, to be freed; NULL with an error where one is refused. */
static char *make_page(const char *const *texts, int count, Error *error) {
    ReportDocument documents[4] = {{.kind = 0}};
    char *page = NULL;
    size_t length;
    bool good = true;
    for (int i = 0; i < count && good; i++)
        good = report_document_read(&documents[i], "/nowhere/test.json", i, texts[i], strlen(texts[i]), error);
    if (good) {
        FILE *out = open_memstream(&page, &length);
        report_page_write(out, documents, count, with_data);
        fclose(out);
    }
    for (int i = 0; i < count; i++)
        report_document_free(&documents[i]);
    return page;
}

/* Neighbours on an axis have different labels. The axes of a page take turns: below, upright. */
static void assert_ticks_differ(const char *page) {
    static const char tick[] = "<text class=\"tick ";
    const char *last = NULL, *label;
    char last_way = 0;
    for (const char *at = page; (at = strstr(at, tick)); last = label) {
        const char way = *(at += sizeof tick - 1);
        label = strchr(at, '>') + 1;
        const size_t length = strcspn(label, "<") + 1;
        if (last && way == last_way && !strncmp(label, last, length))
            fail_msg("two ticks of an axis are labelled %.*s", (int)length - 1, label);
        last_way = way;
    }
}

static char *page_of(const char *text) {
    Error error;
    char *page = make_page(&text, 1, &error);
    if (!page)
        fail_msg("%s", error.text);
    assert_ticks_differ(page);
    return page;
}

/* The page of a document that has records beside it, to be freed. */
static char *page_beside_records(const char *text) {
    ReportDocument document;
    Error error;
    char *page = NULL;
    size_t length;
    if (!report_document_read(&document, result_path, 0, text, strlen(text), &error))
        fail_msg("%s", error.text);
    FILE *out = open_memstream(&page, &length);
    report_page_write(out, &document, 1, false);
    fclose(out);
    report_document_free(&document);
    return page;
}

static void assert_shows(const char *page, const char *part) {
    if (!strstr(page, part))
        fail_msg("the page does not have: %s", part);
}

static int count_of(const char *page, const char *part) {
    int count = 0;
    for (const char *at = page; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

static char *komi_text(void) {
    Error error;
    char *text = file_read(komi_path, NULL, &error);
    if (!text)
        fail_msg("%s", error.text);
    return text;
}

static void assert_refused(const char *text, const char *part) {
    Error error = {.text = ""};
    char *page = make_page(&text, 1, &error);
    if (page || !strstr(error.text, part) || !strstr(error.text, "/nowhere/test.json"))
        fail_msg("%.60s: %s, expected '%s'", text, page ? "accepted" : error.text, part);
    free(page);
}

/* ---- What is shown ---- */

static void test_komi(void **state) {
    (void)state;
    char *text = komi_text(), *page = page_of(text);
    assert_shows(page, "Black&#39;s chance over komi");
    assert_shows(page, "Posterior of the fair komi");
    assert_shows(page, "The ladder");
    assert_shows(page, " · estimated by stigmergy 0.");
    cJSON *json = cJSON_Parse(text);
    const cJSON *fair = cJSON_GetObjectItem(json, "fair_komi"), *even = cJSON_GetObjectItem(fair, "even");
    const cJSON *interval = cJSON_GetObjectItem(even, "ci95");
    char expected[96];
    snprintf(expected, sizeof expected, "<td>%.1f <small>[%.1f, %.1f]</small></td>",
             cJSON_GetObjectItem(even, "estimate")->valuedouble, cJSON_GetArrayItem(interval, 0)->valuedouble,
             cJSON_GetArrayItem(interval, 1)->valuedouble);
    assert_shows(page, expected);
    snprintf(expected, sizeof expected, "<b>%d", cJSON_GetObjectItem(fair, "recommended")->valueint);
    assert_shows(page, expected);
    cJSON_Delete(json);
    assert_null(strstr(page, "How long the games were")); /* there are no records */
    assert_null(strstr(page, "nan"));
    free(page);
    free(text);
}

/* Forced first moves: a map of them; and a ladder that has not converged. */
static void test_komi_first_moves(void **state) {
    (void)state;
    static const char moves[] =
        "[{\"move\": \"c3\", \"moves\": [\"c3\"], \"games\": 150, \"fair_komi\": 5.1, \"ci95\": [4.2, 5.8], "
        "\"probability\": 0.98}, {\"move\": \"e1\", \"moves\": [\"e1\", \"a3\"], \"games\": 30, \"fair_komi\": -3, "
        "\"ci95\": [-7, 1], \"probability\": 0.02}, "
        "{\"move\": \"b1\", \"moves\": [\"b1\"], \"games\": 5, \"fair_komi\": -2.5, \"ci95\": [-7, 1], "
        "\"probability\": 0}, {\"move\": \"c2\", \"moves\": [\"c2\"], \"games\": 5, \"fair_komi\": 3.5, "
        "\"ci95\": [2, 4], \"probability\": 0}]";
    static const char convergence[] =
        "{\"status\": \"not converged\", \"reasons\": [\"a\", \"b\"], \"second_family\": {\"source\": \"<x>.json\", "
        "\"player\": {\"network\": \"none\"}, \"agrees\": false, \"fair_komi\": {\"combined\": {\"estimate\": 3.5, "
        "\"ci95\": [2.5, 4.5]}}}}";
    char *steps = make_steps_text();
    cJSON *json = cJSON_Parse(steps);
    cJSON_AddItemToObject(json, "first_moves", cJSON_Parse(moves));
    cJSON_AddItemToObject(json, "convergence", cJSON_Parse(convergence));
    char *text = cJSON_PrintUnformatted(json), *page = page_of(text);
    assert_shows(page, "<title>c3: 5.1 (4.2 to 5.8), best with 98%</title>");
    assert_shows(page, "<title>a3: -3.0 (-7.0 to 1.0), best with 2%</title>");
    assert_shows(page, "<b>c3</b> is Black's best first move with a probability of 98%");
    const char *higher = strstr(page, "<th>c2</th>"), *lower = strstr(page, "<th>b1</th>");
    assert_true(higher && lower && higher < lower); /* equal chances: by fair komi */
    assert_shows(page, "are of the games that begin with <b>c3</b>");
    assert_shows(page, "<b>not converged</b> a; b</p>");
    assert_shows(page, "<b>3.5</b> say players without a network (2.5 to 4.5), which does not show the same; their "
                       "result is &lt;x&gt;.json</p>");
    free(page);
    free(text);
    cJSON *second = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "convergence"), "second_family");
    cJSON_AddNumberToObject(cJSON_GetObjectItem(second, "fair_komi"), "black_wins_up_to", 3);
    cJSON_AddNumberToObject(cJSON_GetObjectItem(second, "fair_komi"), "white_wins_from", 4);
    text = cJSON_PrintUnformatted(json);
    page = page_of(text);
    assert_shows(page, "<b>(3, 4)</b> say players without a network, which does not show the same; their result is");
    free(page);
    free(text);
    cJSON_Delete(json);
    free(steps);
}

/* Where all curves of a first move are brackets, so is what is known of it; where they do not overlap, nothing is. */
static void test_komi_first_move_brackets(void **state) {
    (void)state;
    static const char moves[] =
        "[{\"move\": \"c3\", \"moves\": [\"c3\"], \"games\": 180, \"fair_komi\": 4.5, \"ci95\": [3.5, 5.5], "
        "\"probability\": 0.98, \"even\": " KOMI_CURVE("4", "6") ", \"odd_with_button\": " KOMI_CURVE(
            "3", "5") "}, {\"move\": \"c2\", \"moves\": [\"c2\"], \"games\": 90, \"fair_komi\": 1, \"ci95\": "
                      "[0.5, 1.5], \"probability\": 0.02, \"even\": " KOMI_CURVE(
                          "0", "2") ", \"odd_with_button\": {\"games\": 0}}, {\"move\": \"b1\", \"moves\": [\"b1\"], "
                                    "\"games\": 90, \"fair_komi\": -2, \"ci95\": [-4, 0], \"probability\": 0, "
                                    "\"even\": " KOMI_CURVE("-2", "0") ", \"odd_with_button\": " KOMI_CURVE("-5",
                                                                                                            "-3") "}]";
    char *steps = make_steps_text();
    cJSON *json = cJSON_Parse(steps);
    cJSON_AddItemToObject(json, "first_moves", cJSON_Parse(moves));
    char *text = cJSON_PrintUnformatted(json), *page = page_of(text);
    assert_shows(page, "<title>c3: (4, 5), best with 98%</title>");
    assert_shows(page, ">4, 5</text>");
    assert_shows(page, "<th>c3</th><td>1</td><td>180</td><td>(4, 5)</td>");
    assert_shows(page, "<th>c2</th><td>1</td><td>90</td><td>(0, 2)</td>");
    assert_shows(page, "<th>b1</th><td>1</td><td>90</td><td>-2.0 <small>[-4.0, 0.0]</small></td>");
    free(page);
    free(text);
    cJSON_Delete(json);
    free(steps);
}

/* Before the first game has ended there is no value, no komi to play with, and no command. */
static void test_komi_without_games(void **state) {
    (void)state;
    static const char *const hidden[] = {"The command", "is the komi to play with", "fair komi, 95% interval",
                                         "(4, 5)"};
    static const char *const curves[] = {"even", "odd_with_button"};
    Error error;
    char *steps = make_steps_text();
    cJSON *json = cJSON_Parse(steps), *fair = cJSON_GetObjectItem(json, "fair_komi");
    cJSON_SetNumberHelper(cJSON_GetObjectItem(json, "games"), 0);
    cJSON_ReplaceItemInObject(json, "points", cJSON_CreateArray());
    cJSON_SetNumberHelper(cJSON_GetObjectItem(fair, "win_rate_at_recommended"), 0.5);
    for (int i = 0; i < 2; i++)
        cJSON_SetNumberHelper(cJSON_GetObjectItem(cJSON_GetObjectItem(fair, curves[i]), "distinct_games"), 0);
    char *text = cJSON_PrintUnformatted(json), *page = page_of(text);
    assert_shows(page, "<p><b>No game</b><span> by players of 50 simulations a move has ended yet</span></p>");
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (strstr(page, hidden[i]))
            fail_msg("the page has: %s", hidden[i]);
    free(page);
    const char *const both[] = {text, text};
    page = make_page(both, 2, &error);
    assert_non_null(page);
    assert_shows(page,
                 "<th scope=\"row\"><a href=\"#result-1\">hexhex-3<span class=\"file\"> (test.json)</span></a></th>"
                 "<td></td><td></td>");
    assert_null(strstr(page, "Fair komi over board size"));
    assert_null(strstr(page, "inf"));
    free(page);
    free(text);
    cJSON_Delete(json);
    free(steps);
}

/* A character that was cut leaves nothing behind, and the quotes around it stay. */
static void test_cut_characters(void **state) {
    (void)state;
    Error error;
    char *steps = make_steps_text();
    cJSON *json = cJSON_Parse(steps), *player = cJSON_GetObjectItem(json, "player");
    cJSON_AddStringToObject(player, "network", "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\xc3\xa9-network");
    cJSON_AddStringToObject(player, "network_hash", "0123456789abcdef");
    cJSON_AddItemToObject(json, "settings", cJSON_Parse("{\"player\": {\"name\": \"caf\xc3\xa9's\"}}"));
    char *text = cJSON_PrintUnformatted(json);
    const char *const both[] = {text, text};
    char *page = make_page(both, 2, &error);
    assert_non_null(page);
    assert_null(text_find_foreign(page, strlen(page)));
    assert_shows(page, "nnn (01234567), 50 simulations");
    assert_shows(page, "caf\xc3\xa9&#39;\\&#39;&#39;s");
    free(page);
    free(text);
    cJSON_Delete(json);
    free(steps);
}

/* Forced first moves: the chart has the games after the best one alone, and counts none of the others. */
static void test_komi_far_games(void **state) {
    (void)state;
    char *steps = make_steps_text();
    cJSON *json = cJSON_Parse(steps);
    cJSON *far = cJSON_Parse(KOMI_POINT("18", "0", "0", "0", "0.8"));
    cJSON_SetNumberHelper(cJSON_GetObjectItem(far, "games"), 8);
    cJSON_AddItemToArray(cJSON_GetObjectItem(json, "points"), far);
    cJSON_SetNumberHelper(cJSON_GetObjectItem(json, "games"), 1000);
    cJSON_AddItemToObject(json, "first_moves",
                          cJSON_Parse("[{\"move\": \"c3\", \"moves\": [\"c3\"], \"games\": 188, "
                                      "\"fair_komi\": 4, \"ci95\": [3, 5], \"probability\": 1}]"));
    char *text = cJSON_PrintUnformatted(json), *page = page_of(text);
    assert_shows(page, "komi, points for White (8 of 188 games lie further out)");
    free(page);
    free(text);
    cJSON_SetNumberHelper(cJSON_GetObjectItem(far, "games"), 12); /* too many to leave out */
    text = cJSON_PrintUnformatted(json);
    page = page_of(text);
    assert_null(strstr(page, "lie further out"));
    assert_shows(page, "Komi 18: Black won 0 of 12 games");
    free(page);
    free(text);
    cJSON_Delete(json);
    free(steps);
}

enum { CURVE_MAX = 512 };

/* A curve of a picture, in units of the picture; y grows downwards. */
typedef struct Curve {
    double x[CURVE_MAX], y[CURVE_MAX], ground;
    int count;
} Curve;

/* Reads the filled curve "both" of the picture with a caption; *picture is where the picture begins. */
static Curve read_curve(const char *page, const char *caption, const char **picture) {
    static const char path[] = "<path class=\"curve area both\" d=\"M";
    Curve curve = {.count = 0};
    int length = 0;
    *picture = strstr(page, caption);
    const char *at = *picture ? strstr(*picture, path) : NULL;
    assert_true(at && sscanf(at + sizeof path - 1, "%*f %lf%n", &curve.ground, &length) == 1);
    at += (int)sizeof path - 1 + length;
    while (curve.count < CURVE_MAX &&
           sscanf(at, "L%lf %lf%n", &curve.x[curve.count], &curve.y[curve.count], &length) == 2) {
        at += length;
        curve.count++;
    }
    return curve;
}

/* The share of the area below the curve that is between two places. */
static double area_share(const Curve *curve, double low, double high) {
    double whole = 0, between = 0;
    for (int i = 0; i < curve->count; i++) {
        whole += curve->ground - curve->y[i];
        if (curve->x[i] >= low && curve->x[i] <= high)
            between += curve->ground - curve->y[i];
    }
    return between / whole;
}

/* How often it changes between up and down. */
static int count_turns(const Curve *curve) {
    int turns = 0, way = 0;
    for (int i = 1; i < curve->count; i++) {
        const double change = curve->y[i] - curve->y[i - 1];
        const int now = (change > 0) - (change < 0);
        turns += way * now < 0;
        way = now ? now : way;
    }
    return turns;
}

/* Few games after the best first move, and a board that other moves are thought to be better on: the shaded interval
 * is that of the curve, which is smooth. */
static void test_komi_posterior(void **state) {
    (void)state;
    static const char band[] = "<rect class=\"band both\" x=\"";
    char *steps = make_steps_text();
    cJSON *json = cJSON_Parse(steps), *fair = cJSON_GetObjectItem(json, "fair_komi");
    cJSON_DeleteItemFromObject(fair, "black_wins_up_to");
    cJSON_ReplaceItemInObject(fair, "combined", cJSON_Parse("{\"estimate\": 9, \"ci95\": [8, 10]}"));
    cJSON_AddItemToObject(json, "first_moves",
                          cJSON_Parse("[{\"move\": \"c3\", \"moves\": [\"c3\"], \"games\": 180, "
                                      "\"fair_komi\": 9, \"ci95\": [8, 10], \"probability\": 1}]"));
    char *text = cJSON_PrintUnformatted(json), *page = page_of(text);
    const char *picture;
    const Curve curve =
        read_curve(page, "Posterior of the fair komi, from the games after the best first move alone", &picture);
    double low = 0, width = 0;
    const char *shaded = strstr(picture, band);
    assert_true(shaded && sscanf(shaded + sizeof band - 1, "%lf\" y=\"%*f\" width=\"%lf", &low, &width) == 2);
    const double share = area_share(&curve, low, low + width);
    assert_true(share > 0.92 && share < 0.98);
    assert_true(area_share(&curve, 0, low) < 0.05);
    assert_true(curve.count > 20 && count_turns(&curve) <= 3);
    free(page);
    free(text);
    cJSON_Delete(json);
    free(steps);
}

/* The highest tick of the upright axis of a picture. */
static double highest_tick(const char *picture) {
    static const char tick[] = "<text class=\"tick end\"";
    const char *end = strstr(picture, "</figure>");
    double highest = NAN;
    for (const char *at = picture; (at = strstr(at, tick)) && at < end; at++)
        assert_int_equal(sscanf(strchr(at, '>'), ">%lf", &highest), 1);
    return highest;
}

/* Forced first moves: the curve is that of its games, those after the best first move; the board's fair komi, which may
 * be higher, is the band. */
static void test_komi_forced_curve(void **state) {
    (void)state;
    char *steps = make_steps_text();
    cJSON *json = cJSON_Parse(steps), *fair = cJSON_GetObjectItem(json, "fair_komi");
    cJSON_DeleteItemFromObject(fair, "black_wins_up_to");
    cJSON_ReplaceItemInObject(fair, "combined", cJSON_Parse("{\"estimate\": 9, \"ci95\": [8, 10]}"));
    for (int odd = 0; odd < 2; odd++) {
        cJSON *curve = cJSON_GetObjectItem(fair, odd ? "odd_with_button" : "even");
        cJSON_SetNumberHelper(cJSON_GetObjectItem(curve, "estimate"), 9);
        cJSON_ReplaceItemInObject(curve, "ci95_is_bracket", cJSON_CreateFalse());
        cJSON_ReplaceItemInObject(curve, "ci95", cJSON_Parse("[8, 10]"));
    }
    cJSON_AddItemToObject(
        json, "first_moves",
        cJSON_Parse("[{\"move\": \"c3\", \"moves\": [\"c3\"], \"games\": 180, \"fair_komi\": 4.5, "
                    "\"ci95\": [4, 6], \"probability\": 1, \"even\": {\"games\": 90, \"estimate\": 4.2, "
                    "\"ci95\": [4, 6], \"ci95_is_bracket\": false}, \"odd_with_button\": {\"games\": 90, "
                    "\"estimate\": 4.8, \"ci95\": [4, 6], \"ci95_is_bracket\": false}}]"));
    char *text = cJSON_PrintUnformatted(json), *page = page_of(text);
    assert_shows(page, "one half at 4.2 for even komi, at 4.8 for odd komi with the button, and the 95% interval of "
                       "even and odd komi together, 8.0 to 10.0, that of the board, is shaded");
    assert_shows(page, "fair komi of the board, 95%");
    assert_null(strstr(page, "Outside the interval"));
    free(page);
    free(text);
    cJSON_Delete(json);
    free(steps);
}

/* A document whose games fit their curves, or not. */
static char *make_fit_text(bool bad) {
    char *old = komi_text();
    cJSON *json = cJSON_Parse(old), *fair = cJSON_GetObjectItem(json, "fair_komi");
    for (int odd = 0; odd < 2; odd++) {
        const char *name = odd ? "odd_with_button" : "even";
        cJSON *model = cJSON_Parse(KOMI_MODEL), *fit = cJSON_GetObjectItem(model, "fit");
        cJSON *check = cJSON_GetObjectItem(cJSON_GetObjectItem(fair, "checks"), name);
        cJSON_SetNumberHelper(cJSON_GetObjectItem(fit, "p"), bad ? 0.004 : 0.5);
        cJSON_SetNumberHelper(cJSON_GetObjectItem(fit, "deviance"), 40);
        cJSON_SetNumberHelper(cJSON_GetObjectItem(fit, "expected_deviance"), 10);
        cJSON_SetNumberHelper(cJSON_GetObjectItem(check, "firth"), bad ? 22 : 4);
        cJSON_AddItemToObject(cJSON_GetObjectItem(fair, "model"), name, model);
    }
    cJSON_DeleteItemFromObject(json, "ladder");
    char *text = cJSON_PrintUnformatted(json);
    cJSON_Delete(json);
    free(old);
    return text;
}

/* Where games do not fit their curve the page says so, and the posterior is as wide as the estimate has it. The shaded
 * interval of the posterior is that of its own line, also of free play, where the margins count in the estimate. */
static void test_komi_bad_fit(void **state) {
    (void)state;
    static const char band[] = "<rect class=\"band both\" x=\"%lf\" y=\"%*f\" width=\"%lf";
    static const char *const warnings[] = {
        "The games at even komi do not look like a smooth curve (goodness of fit: p = 0.004).",
        "Outside the interval of odd komi with the button: 22.0, by Firth's penalised fit."};
    double highest[2];
    for (int bad = 0; bad < 2; bad++) {
        char *text = make_fit_text(bad), *page = page_of(text);
        const char *picture;
        const Curve curve = read_curve(page, "Posterior of the fair komi, from the wins alone", &picture);
        double low = 0, width = 0;
        const char *shaded = strstr(picture, "<rect class=\"band both\"");
        assert_true(shaded && sscanf(shaded, band, &low, &width) == 2);
        const double share = area_share(&curve, low, low + width);
        assert_true(share > 0.92 && share < 0.98);
        highest[bad] = highest_tick(picture);
        for (int i = 0; i < 2; i++)
            assert_int_equal(strstr(page, warnings[i]) != NULL, bad);
        free(page);
        free(text);
    }
    assert_true(highest[1] < 0.75 * highest[0]);
}

/* Steps are shown as brackets, and nothing of them has decimals. */
static void test_komi_steps(void **state) {
    (void)state;
    char *text = make_steps_text(), *page = page_of(text);
    assert_shows(page, "<td>(4, 6)</td><td>(3, 5)</td><td>(4, 5)</td>");
    assert_shows(page, "<b>(4, 5)</b> fair komi: Black is ahead up to komi 4, White from komi 5");
    assert_shows(page, "<b>180</b> games by these players, 4 of them different; these players always play the same");
    assert_shows(page, "<b>+1.0</b> from the fair odd komi to the fair even one (-1.0 to 3.0)");
    assert_shows(page, "Komi 4 is the fairest with a chance of 60%");
    assert_shows(page, "<b>No whole komi</b> is fair. At 4,");
    assert_shows(page, "<td>none</td><td>–</td>");
    assert_shows(page, "<td>9.00</td><td>0.1%</td><td>12.5%</td><td>p = 0.420</td>");
    assert_null(strstr(page, "fair komi, 95% interval"));
    free(page);
    cJSON *json = cJSON_Parse(text), *settings = cJSON_AddObjectToObject(json, "settings");
    cJSON_AddItemToObject(settings, "komi_range", cJSON_Parse("[4, 9]"));
    char *changed = cJSON_PrintUnformatted(json);
    page = page_of(changed);
    assert_shows(page, "<b>No komi that was played</b> is fair. At 4,");
    free(page);
    free(changed);
    cJSON_AddStringToObject(settings, "upgrade", "white");
    changed = cJSON_PrintUnformatted(json);
    page = page_of(changed);
    assert_shows(page, "<b>White with four times the effort</b>: a check, no fair komi of equal players");
    assert_shows(page, "<p>At 4, Black wins");
    free(page);
    free(changed);
    cJSON_Delete(json);
    free(text);
}

/* Of a parity that was not played nothing is shown: its curve is a guess. */
static void test_komi_of_one_parity(void **state) {
    (void)state;
    static const char *const hidden[] = {"even and odd komi together", "even:even", "even komi", "their midpoint",
                                         "<td>(4, 6)</td>"};
    char *steps = make_steps_text();
    cJSON *json = cJSON_Parse(steps), *ladder = cJSON_CreateArray();
    cJSON_SetNumberHelper(
        cJSON_GetObjectItem(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "fair_komi"), "even"), "distinct_games"), 0);
    cJSON *fairest = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "fair_komi"), "komi_probabilities");
    cJSON_DeleteItemFromArray(fairest, 0); /* an even komi */
    cJSON_AddItemToObject(json, "first_moves",
                          cJSON_Parse("[{\"move\": \"c3\", \"moves\": [\"c3\"], \"games\": 150, "
                                      "\"fair_komi\": 4, \"ci95\": [3, 5], \"probability\": 1}]"));
    for (int simulations = 20; simulations <= 50; simulations += 30) {
        cJSON *rung = cJSON_Duplicate(json, true);
        cJSON_AddNumberToObject(rung, "simulations", simulations);
        cJSON_AddItemToArray(ladder, rung);
    }
    cJSON_AddItemToObject(json, "ladder", ladder);
    char *text = cJSON_PrintUnformatted(json), *page = page_of(text);
    assert_shows(page, "<td></td><td>(3, 5)</td><td>(4, 5)</td>");
    assert_shows(page, "Fair komi after each first move (odd komi)");
    assert_shows(page, "one half between 3 and 5 for odd komi with the button, and the 95% interval of odd komi,");
    assert_shows(page, "<title>50 simulations, odd komi: between 3 and 5");
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (strstr(page, hidden[i]))
            fail_msg("the page has: %s", hidden[i]);
    free(page);
    free(text);
    cJSON_Delete(json);
    free(steps);
}

/* One game: komi of the other parity may be the fairest, too, and the legend has what is drawn. */
static void test_komi_fairest_legend(void **state) {
    (void)state;
    char *steps = make_steps_text();
    cJSON *json = cJSON_Parse(steps), *even = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "fair_komi"), "even");
    cJSON_SetNumberHelper(cJSON_GetObjectItem(even, "distinct_games"), 0);
    char *text = cJSON_PrintUnformatted(json), *page = page_of(text);
    const char *chart = strstr(page, "Which whole komi is the fairest"),
               *end = chart ? strstr(chart, "</figure>") : NULL;
    const char *key = chart ? strstr(chart, "<i class=\"key even\"></i>even komi") : NULL;
    assert_true(key && key < end);
    free(page);
    free(text);
    cJSON_Delete(json);
    free(steps);
}

/* Two results of a board and one of another: the main one is that with forced first moves. */
static void test_atlas(void **state) {
    (void)state;
    Error error;
    char *steps = make_steps_text(), *old = komi_text();
    cJSON *json = cJSON_Parse(steps);
    cJSON_AddItemToObject(json, "first_moves",
                          cJSON_Parse("[{\"move\": \"c3\", \"moves\": [\"c3\"], \"games\": 150, \"fair_komi\": 5.1, "
                                      "\"ci95\": [4.2, 5.8], \"probability\": 1}]"));
    cJSON_AddItemToObject(json, "exact", cJSON_Parse("{\"even\": 5, \"odd_with_button\": 4.5}"));
    cJSON_DeleteItemFromObject(json, "settings");
    cJSON_AddItemToObject(json, "settings", cJSON_Parse("{\"engine\": \"0.1.2\"}")); /* the version that played */
    char *forced = cJSON_PrintUnformatted(json);
    cJSON_DeleteItemFromObject(json, "first_moves");
    char *check = cJSON_PrintUnformatted(json);
    const char *const texts[] = {steps, forced, old, check};
    char *page = make_page(texts, 4, &error);
    assert_non_null(page);
    assert_shows(page, "<tr class=\"chosen\"><th scope=\"row\"><a href=\"#result-2\">hexhex-3<span class=\"file\"> "
                       "(test.json)</span></a></th><td>(4, 5)</td><td>none</td><td "
                       "class=\"text\">exact</td><td class=\"text\">c3</td><td>+5</td><td class=\"text\">playouts, 50 "
                       "simulations, version "
                       "0.1.2</td><td>180</td>");
    assert_shows(page, "<tr><td class=\"text\"><a href=\"#result-4\"><span class=\"file\">test.json</span></a></td>"
                       "<td>(4, 5)</td><td>none</td><td class=\"text\">check: another run</td>");
    assert_shows(page, "<tr><td class=\"text\"><a href=\"#result-1\"><span class=\"file\">test.json</span></a></td>"
                       "<td>(4, 5)</td><td>none</td><td class=\"text\">not checked for convergence</td>");
    assert_shows(page, "<th scope=\"row\"><a href=\"#result-3\">hexhex-4</a></th>");
    assert_shows(page, "(4, 5) means that Black is ahead up to komi 4, White from komi 5");
    assert_shows(page, "hexhex-3, perfect play: Black wins up to komi 4, White from 5");
    assert_shows(page, "about the middle of both");
    free(page);
    page = page_of(forced);
    assert_null(strstr(page, "id=\"atlas\"")); /* one result needs none */
    assert_null(strstr(page, "The players chose the first move"));
    assert_null(strstr(page, "misleading"));
    free(page);
    cJSON_ReplaceItemInObject(json, "exact", cJSON_Parse("{\"even\": 9, \"odd_with_button\": 8.5}"));
    char *misled = cJSON_PrintUnformatted(json);
    page = page_of(misled);
    assert_shows(page, "The players chose the first move");
    assert_shows(page, "so these games are misleading");
    free(misled);
    free(page);
    free(check);
    free(forced);
    cJSON_Delete(json);
    free(old);
    free(steps);
}

/* The height of a point of a chart, in the frame's units; y grows downwards. */
static double height_of(const char *page, const char *title) {
    double y = NAN;
    const char *end = strstr(page, title), *circle = NULL;
    for (const char *at = page; end && (at = strstr(at, "cy=\"")) && at < end; at++)
        circle = at;
    assert_true(circle && sscanf(circle, "cy=\"%lf", &y) == 1);
    return y;
}

/* Perfect play is in the picture also where the games say something else. */
static void test_atlas_misleading(void **state) {
    (void)state;
    Error error;
    char *steps = make_steps_text();
    cJSON *json = cJSON_Parse(steps);
    cJSON_AddItemToObject(json, "exact", cJSON_Parse("{\"even\": 17, \"odd_with_button\": 16.5}"));
    char *text = cJSON_PrintUnformatted(json);
    const char *const both[] = {text, text};
    char *page = make_page(both, 2, &error);
    assert_non_null(page);
    const char *chart = strstr(page, "Fair komi over board size");
    assert_true(chart &&
                height_of(chart, "<title>hexhex-3, perfect play: Black wins up to komi 16, White from 17") > 14);
    free(page);
    free(text);
    cJSON_Delete(json);
    free(steps);
}

/* Of a board that is not solved the bounds are shown; the upper one only if it says more than the number of cells. */
static void test_proved_bounds(void **state) {
    (void)state;
    static const struct {
        const char *bounds, *cell;
    } cases[] = {{"{\"lower\": 1, \"upper\": 19}", "<td>+1 to +19</td>"},
                 {"{\"lower\": 1, \"upper\": 37}", "<td>at least +1</td>"}};
    char *old = komi_text();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Error error;
        cJSON *json = cJSON_Parse(old);
        cJSON_AddItemToObject(json, "proved_bounds", cJSON_Parse(cases[i].bounds));
        char *text = cJSON_PrintUnformatted(json), *page = make_page((const char *const[]){text, text}, 2, &error);
        assert_non_null(page);
        assert_shows(page, cases[i].cell);
        free(page);
        free(text);
        cJSON_Delete(json);
    }
    free(old);
}

/* The command that plays the games again; none where time limits the players. */
static void test_command(void **state) {
    (void)state;
    char *steps = make_steps_text();
    cJSON *json = cJSON_Parse(steps);
    cJSON_DeleteItemFromObject(json, "settings");
    cJSON_AddItemToObject(json, "settings",
                          cJSON_Parse("{\"engine\": \"0.1.2\", \"parity\": \"even\", \"komi_range\": [-3, 5]}"));
    cJSON_DeleteItemFromObject(json, "seed");
    cJSON_AddStringToObject(json, "seed", "<7>");
    char *text = cJSON_PrintUnformatted(json), *page = page_of(text);
    assert_shows(page, "<code>stigmergy komi --size 3 --komi-range -3:5 --seed &lt;7&gt; --sims 50 --games 180 --out "
                       "komi.json</code>, "
                       "with settings that have parity even");
    assert_shows(page, ", games as those of version 0.1.2. The result document has all settings.");
    free(page);
    free(text);
    cJSON *settings = cJSON_GetObjectItem(json, "settings");
    cJSON_AddItemToObject(settings, "player",
                          cJSON_Parse("{\"name\": \"it's\", \"simulations\": 0, \"move_time\": 0, \"draw\": 3}"));
    cJSON_AddNumberToObject(settings, "first_round", 16);
    text = cJSON_PrintUnformatted(json);
    page = page_of(text);
    assert_shows(page, " --seed &lt;7&gt; --player &#39;{&quot;name&quot;:&quot;it&#39;\\&#39;&#39;s&quot;,"
                       "&quot;draw&quot;:3}&#39; --sims 50 --games 180 --out komi.json</code>, "
                       "with settings that have parity even and first_round 16");
    free(page);
    free(text);
    cJSON_ReplaceItemInObject(json, "player", cJSON_Parse("{\"simulations\": 0, \"move_time\": 0.1}"));
    text = cJSON_PrintUnformatted(json);
    page = page_of(text);
    assert_null(strstr(page, "<code>stigmergy komi"));
    free(page);
    free(text);
    cJSON_Delete(json);
    free(steps);
    text = komi_text();
    page = page_of(text);
    assert_shows(page, " --ladder ");
    free(page);
    free(text);
}

/* Of two results by players with the same effort the newer one leads, whose player is stronger, even if the older one
 * has converged. Versions are numbers: 0.9 is before 0.12. */
static void test_atlas_versions(void **state) {
    (void)state;
    Error error;
    char *steps = make_steps_text(), *texts[2];
    for (int newer = 0; newer < 2; newer++) {
        cJSON *json = cJSON_Parse(steps);
        cJSON_AddItemToObject(json, "settings",
                              cJSON_Parse(newer ? "{\"engine\": \"0.12.0\"}" : "{\"engine\": \"0.9.1\"}"));
        cJSON_AddItemToObject(json, "convergence",
                              cJSON_Parse(newer ? "{\"status\": \"not converged\", \"reasons\": []}"
                                                : "{\"status\": \"converged\", \"reasons\": []}"));
        texts[newer] = cJSON_PrintUnformatted(json);
        cJSON_Delete(json);
    }
    char *page = make_page((const char *const *)texts, 2, &error);
    assert_non_null(page);
    const char *leader = strstr(page, "<tr class=\"chosen\">");
    assert_non_null(leader);
    const char *version = strstr(leader, ", version ");
    assert_true(version && !strncmp(version, ", version 0.12.0", 16));
    free(page);
    free(texts[0]);
    free(texts[1]);
    free(steps);
}

/* Unequal players are no answer for their board, and there is no komi to play with between them. */
static void test_upgrades(void **state) {
    (void)state;
    Error error;
    char *old = komi_text();
    cJSON *json = cJSON_Parse(old), *settings = cJSON_GetObjectItem(json, "settings");
    cJSON_DeleteItemFromObject(settings, "upgrade");
    cJSON_AddStringToObject(settings, "upgrade", "black");
    char *upgrade = cJSON_PrintUnformatted(json), *page = make_page((const char *const[]){upgrade, old}, 2, &error);
    assert_non_null(page);
    assert_shows(page, "<tr class=\"chosen\"><th scope=\"row\"><a href=\"#result-2\">");
    assert_shows(page, "</small></td><td></td><td class=\"text\">check: Black has more effort</td>");
    assert_shows(page, " simulations, Black four times the effort</td>");
    free(page);
    page = make_page((const char *const[]){upgrade, upgrade}, 2, &error);
    assert_non_null(page);
    assert_null(strstr(page, "<tr class=\"chosen\"><th scope=\"row\">"));
    assert_null(strstr(page, "is the komi to play with"));
    assert_shows(page, "<tr><th scope=\"row\">hexhex-4</th><td></td><td></td><td class=\"text\">no run of equal "
                       "players</td>");
    free(page);
    free(upgrade);
    cJSON_Delete(json);
    free(old);
}

static void set_effort(cJSON *json, double simulations, int games) {
    cJSON_SetNumberHelper(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "player"), "simulations"), simulations);
    cJSON_SetNumberHelper(cJSON_GetObjectItem(json, "games"), games);
}

/* The page of two results, the second of which leads. */
static char *make_led_page(const cJSON *check, const cJSON *leader) {
    Error error;
    char *first = cJSON_PrintUnformatted(check), *second = cJSON_PrintUnformatted(leader);
    char *page = make_page((const char *const[]){first, second}, 2, &error);
    assert_non_null(page);
    assert_shows(page, "<tr class=\"chosen\"><th scope=\"row\"><a href=\"#result-2\">");
    free(first);
    free(second);
    return page;
}

/* An interval that leaves the frame of a picture has arrows there. */
static void test_atlas_cut_intervals(void **state) {
    (void)state;
    Error error;
    static const char arrow[] = "<path class=\"error arrow size-3\"";
    char *steps = make_steps_text();
    cJSON *json = cJSON_Parse(steps), *ladder = cJSON_CreateArray();
    cJSON *fair = cJSON_GetObjectItem(json, "fair_komi");
    cJSON_DeleteItemFromObject(fair, "black_wins_up_to");
    for (int wide = 0; wide < 2; wide++) {
        cJSON_ReplaceItemInObject(
            fair, "combined",
            cJSON_Parse(wide ? "{\"estimate\": 5, \"ci95\": [-13, 40]}" : "{\"estimate\": 5, \"ci95\": [4.5, 5.5]}"));
        cJSON *rung = cJSON_Duplicate(json, true);
        cJSON_AddNumberToObject(rung, "simulations", wide ? 50 : 20);
        cJSON_AddItemToArray(ladder, rung);
    }
    cJSON_AddItemToObject(json, "ladder", ladder);
    char *text = cJSON_PrintUnformatted(json), *page = make_page((const char *const[]){text, text}, 2, &error);
    assert_non_null(page);
    const char *at = strstr(page, "Fair komi over the strength of the players");
    for (int i = 0; i < 2; i++) {
        at = strstr(at + 1, arrow);
        assert_non_null(at);
    }
    assert_null(strstr(at + 1, arrow));
    free(page);
    free(text);
    cJSON_Delete(json);
    free(steps);
}

/* While a run plays, it does not take the place of one that has more games. */
static void test_atlas_few_games(void **state) {
    (void)state;
    char *steps = make_steps_text();
    cJSON *few = cJSON_Parse(steps), *many = cJSON_Parse(steps), *ladder = cJSON_CreateArray();
    set_effort(few, 1e6, 0);
    free(make_led_page(few, many));
    set_effort(few, 1e6, 199);
    free(make_led_page(many, few));
    set_effort(few, 1e6, 200);
    set_effort(many, 50, 1000);
    free(make_led_page(many, few));
    for (int i = 0; i < 2; i++) {
        cJSON *rung = cJSON_Duplicate(many, true);
        cJSON_AddNumberToObject(rung, "simulations", i ? 3000 : 1500);
        cJSON_SetNumberHelper(cJSON_GetObjectItem(rung, "games"), i ? 1 : 180);
        cJSON_AddItemToArray(ladder, rung);
    }
    set_effort(many, 50, 180);
    set_effort(few, 3000, 1);
    cJSON_AddItemToObject(few, "ladder", ladder);
    char *page = make_led_page(many, few);
    assert_shows(page, "<td class=\"text\">playouts, 1500 simulations</td><td>180</td>");
    free(page);
    cJSON_Delete(few);
    cJSON_Delete(many);
    free(steps);
}

/* Even and odd komi together lead before one of them, which is named. */
static void test_atlas_parities(void **state) {
    (void)state;
    char *steps = make_steps_text();
    cJSON *both = cJSON_Parse(steps), *even = cJSON_Parse(steps);
    const cJSON *fair = cJSON_GetObjectItem(even, "fair_komi");
    set_effort(even, 3000, 180);
    cJSON_SetNumberHelper(cJSON_GetObjectItem(cJSON_GetObjectItem(fair, "odd_with_button"), "distinct_games"), 0);
    char *page = make_led_page(even, both);
    assert_shows(page, "<td class=\"text\">not checked for convergence, even komi only</td>");
    assert_shows(page, "<td class=\"text\">not checked for convergence</td>");
    free(page);
    cJSON_Delete(both);
    cJSON_Delete(even);
    free(steps);
}

static void test_match(void **state) {
    (void)state;
    char *page = page_of(match_text);
    assert_shows(page, "&lt;script&gt;alert(&#39;a&#39; &amp; &quot;b&quot;)&lt;/script&gt;");
    assert_null(strstr(page, "<script"));
    assert_shows(page, "<td>+191 <small>[above -50]</small></td>");
    assert_shows(page, "<td class=\"text\">2 resigned, 1 out of time</td>");
    assert_shows(page, "running");
    assert_shows(page, "20.5 turns each, komi chosen for each opening, on average 1.5</p>");
    assert_null(strstr(page, "luck"));
    assert_null(strstr(page, "different pairs"));
    free(page);
    cJSON *json = cJSON_Parse(match_text);
    cJSON_SetValuestring(json_get(json_get(json, "sprt"), "verdict"), "H1 accepted");
    cJSON_AddNumberToObject(json, "effective_pairs", 1.2);
    char *text = cJSON_PrintUnformatted(json);
    page = page_of(text);
    cJSON_free(text);
    cJSON_Delete(json);
    assert_shows(page, "0.40 of -2.90 to 2.90. The Elo above lies too far out: a test ends where luck has helped</p>");
    assert_shows(page, "<td>1 <small>as good as 1 different pairs</small></td>");
    free(page);
    json = cJSON_Parse(ratings_text); /* all pairs lost: the limit is no number that was measured */
    cJSON_ReplaceItemInObject(cJSON_GetObjectItem(json, "pairings")->child, "elo",
                              cJSON_Parse("{\"estimate\": -2000, \"ci95\": [-2000, 249]}"));
    text = cJSON_PrintUnformatted(json);
    page = page_of(text);
    cJSON_free(text);
    cJSON_Delete(json);
    assert_shows(page, "<td>lost all <small>[below +249]</small></td>");
    assert_shows(page, "<p>a <b>lost all</b> games, 95% interval of the Elo: below +249</p>");
    assert_null(strstr(page, "2000"));
    free(page);
    page = page_of(ratings_text);
    assert_shows(page, "<span class=\"game\">bug </span>hexhex-4");
    assert_shows(page, "<td>+10 <small>[-5, +25]</small></td>");
    assert_shows(page, "20.0 turns each, 50% of them repeat others</p>"); /* the game has no komi */
    free(page);
}

static void test_openings(void **state) {
    (void)state;
    char *page = page_of(openings_text);
    assert_shows(page, "<title>b2: 50% (20 to 80), 10 games</title>");
    assert_shows(page, "<title>a2: 90% (60 to 98), 10 games</title>");
    assert_shows(page, "<tr class=\"chosen\"><th>b2</th><td>1</td><td>10</td><td>50% <small>[20, 80]</small></td>"
                       "<td>90.0%</td><td class=\"text\">Black wins</td></tr>");
    assert_shows(page, "<tr><th>take-button</th><td></td><td>0</td>"); /* it is on no cell */
    assert_shows(page, "<b>b2</b> is the fairest first move: it wins 50% (20 to 80), and no other is nearer to one "
                       "half with a probability of 90.0%</p>");
    assert_shows(page, "<b>20</b> games, by players of 100 simulations a move, at komi 3</p>");
    free(page);
}

/* As on the terminal: where no interval contains one half, the fairest move is not fair. */
static void test_openings_unfair(void **state) {
    (void)state;
    cJSON *json = cJSON_Parse(openings_text), *openings = cJSON_GetObjectItem(json, "openings");
    cJSON_DeleteItemFromArray(openings, 2);
    cJSON_ReplaceItemInObject(openings->child->next, "ci95", cJSON_Parse("[0.55, 0.8]"));
    cJSON_AddItemToObject(json, "exact", cJSON_Parse("{\"winner\": \"B\"}"));
    char *text = cJSON_PrintUnformatted(json), *page = page_of(text);
    assert_shows(page, "90.0%. But no first move is fair: none of the intervals contains 50%</p>");
    assert_shows(page, "<p><b>Black</b> wins under best play from the empty board: proved</p>");
    free(page);
    cJSON_free(text);
    cJSON_Delete(json);
}

#define MOVES_OF_BLACK                                                                                                 \
    "\"b2\",\"take-button\",\"a1\",\"c1\",\"a2\",\"c2\",\"b1\",\"pass\",\"b3\",\"pass\",\"c2x\",\"pass\",\"c1x\","     \
    "\"pass\",\"pass\""
#define MOVES_OF_WHITE                                                                                                 \
    "\"c2\",\"b2\",\"take-button\",\"a2\",\"b1\",\"b3\",\"c1\",\"a1\",\"pass\",\"b1x\",\"pass\",\"c1x\",\"pass\","     \
    "\"c2x\",\"pass\",\"pass\""
#define RECORD(number, komi, moves, winner, margin)                                                                    \
    "{\"id\":\"10-" number "\",\"run\":\"ab\",\"game\":\"stigmergy\",\"size\":2,\"komi\":" komi                        \
    ",\"button\":true,\"seed\":\"3\",\"players\":{\"black\":\"p\",\"white\":\"p\"},\"moves\":[" moves                  \
    "],\"winner\":\"" winner "\",\"margin\":" margin ",\"reason\":\"score\"}\n"

/* Margins are odd: a bar is centred at the value that it counts. The captions say where games are missing. */
static void test_records(void **state) {
    (void)state;
    write_text(records_path,
               RECORD("0", "-1", MOVES_OF_BLACK, "B", "7.5") RECORD("1", "-3", MOVES_OF_WHITE, "W", "-3.5"));
    char *page = page_beside_records(openings_text);
    assert_shows(page, "<figcaption>How long the games were (2 of 20 games)</figcaption>");
    assert_shows(page, "<figcaption>How they ended on the board (2 of 20 games)</figcaption>");
    assert_shows(page, "Histogram from -7 to 7, mean 0.0.");
    assert_shows(page, "<title>-7: 1 game</title>");
    assert_shows(page, "<title>7: 1 game</title>");
    free(page);
    write_text(records_path, RECORD("0", "-1", MOVES_OF_BLACK, "B", "7.5"));
    cJSON *json = cJSON_Parse(openings_text);
    cJSON_SetNumberHelper(cJSON_GetObjectItem(json, "games"), 1);
    char *text = cJSON_PrintUnformatted(json);
    page = page_beside_records(text);
    assert_shows(page, "<figcaption>How long the games were</figcaption>");
    assert_shows(page, "<title>15: 1 game</title>"); /* equal values: one bar of one action */
    free(page);
    cJSON_free(text);
    cJSON_Delete(json);
}

/* First placements are played without the pie rule, which the settings do not say; Sgolte usually has it. */
static void test_openings_of_sgolte(void **state) {
    (void)state;
    static const char record[] =
        "{\"id\":\"100-0\",\"run\":\"ab\",\"game\":\"sgolte\",\"size\":2,\"pie\":\"off\",\"komi\":0,"
        "\"button\":false,\"seed\":\"7\",\"players\":{\"black\":\"p\",\"white\":\"p\"},\"moves\":[\"b2\",\"c2\",\"c1\","
        "\"a2\",\"b1\",\"a1\",\"b3\"],\"winner\":\"B\",\"margin\":0.5,\"reason\":\"no-move\",\"opening\":1}\n";
    cJSON *json = cJSON_Parse(openings_text);
    cJSON_SetValuestring(cJSON_GetObjectItem(json, "game"), "sgolte");
    char *text = cJSON_PrintUnformatted(json);
    ReportDocument document;
    Error error;
    write_text(records_path, record);
    if (!report_document_read(&document, result_path, 0, text, strlen(text), &error))
        fail_msg("%s", error.text);
    report_document_free(&document);
    cJSON_free(text);
    cJSON_Delete(json);
    drop_files(NULL);
}

static void test_book(void **state) {
    (void)state;
    char *page = page_of(book_text);
    assert_shows(page, "Fair komi after each first move (komi: odd, with the button)");
    assert_shows(page, "<title>b2: 6.1 (5.2 to 6.9), best with 90%</title>");
    assert_shows(page, "<title>a2: -5.0 (-7.0 to 2.0), best with 4%</title>");
    assert_shows(page, "<td>6.1 <small>[5.2, 6.9]</small></td><td class=\"text\">b2</td><td>90%</td>");
    assert_shows(page, "<b>b2 take-button</b>");
    assert_shows(page,
                 "<tr><th>take-button</th><td></td><td>7</td><td>-3.0 <small>[-7.0, 1.0]</small></td><td>6.0%</td>");
    assert_null(strstr(page, "<article")); /* it has no positions */
    free(page);
}

/* Both parities together, which may be a bracket, beside a komi run by players of the same strength. */
static void test_book_together(void **state) {
    (void)state;
    Error error;
    char *komi = komi_text();
    cJSON *book = cJSON_Parse(book_text), *run = cJSON_Parse(komi), *first = cJSON_GetObjectItem(book, "books")->child;
    const cJSON *rung = cJSON_GetObjectItem(run, "ladder")->child;
    const cJSON *estimate = cJSON_GetObjectItem(cJSON_GetObjectItem(rung, "fair_komi"), "combined");
    char expected[96];
    snprintf(expected, sizeof expected, "<p><b>%.1f</b> (", cJSON_GetObjectItem(estimate, "estimate")->valuedouble);
    cJSON_AddItemToObject(run, "first_moves", cJSON_CreateArray());
    cJSON_SetNumberHelper(cJSON_GetObjectItem(book, "size"), 4);
    cJSON_SetNumberHelper(cJSON_GetObjectItem(cJSON_GetObjectItem(book, "player"), "simulations"),
                          cJSON_GetObjectItem(rung, "simulations")->valuedouble);
    cJSON_AddNumberToObject(cJSON_GetObjectItem(first, "first_moves")->child, "games_through", 33);
    cJSON_AddItemToObject(book, "combined",
                          cJSON_Parse("{\"fair_komi\": 5.2, \"ci95\": [4.1, 6], \"bracket\": false}"));
    cJSON_AddItemToObject(book, "gap", cJSON_Parse("{\"estimate\": 0.4, \"ci95\": [-1, 2]}"));
    char *texts[] = {cJSON_PrintUnformatted(book), cJSON_PrintUnformatted(run)};
    char *page = make_page((const char *const *)texts, 2, &error);
    assert_non_null(page);
    assert_shows(page, "<b>5.2</b> (4.1 to 6.0) fair komi, even and odd komi together");
    assert_shows(page, "<td class=\"text\">together</td><td></td><td>5.2 <small>[4.1, 6.0]</small></td>");
    assert_shows(page, "<b>+0.4</b> from the fair odd komi to the fair even one (-1.0 to 2.0)");
    assert_shows(page, "<tr class=\"chosen\"><th>b2</th><td>1</td><td>33</td>");
    assert_shows(page, expected);
    assert_shows(page, "by players of the same strength");
    free(page);
    cJSON_ReplaceItemInObject(book, "combined", cJSON_Parse("{\"fair_komi\": 5, \"ci95\": [4, 6], \"bracket\": true}"));
    cJSON_DeleteItemFromObject(book, "gap");
    char *bracket = cJSON_PrintUnformatted(book);
    page = page_of(bracket);
    assert_shows(page, "<p><b>(4, 6)</b> fair komi, even and odd komi together");
    assert_null(strstr(page, "by players of the same strength"));
    free(page);
    free(bracket);
    free(texts[0]);
    free(texts[1]);
    cJSON_Delete(book);
    cJSON_Delete(run);
    free(komi);
}

/* The page of the book and a komi run, to be freed. */
static char *make_checked_page(const cJSON *book, const cJSON *run) {
    Error error;
    char *texts[] = {cJSON_PrintUnformatted(book), cJSON_PrintUnformatted(run)};
    char *page = make_page((const char *const *)texts, 2, &error);
    if (!page)
        fail_msg("%s", error.text);
    free(texts[0]);
    free(texts[1]);
    return page;
}

/* The value of a book is compared with a run of one rung, too, as a bracket where it is one; but not with one of other
 * players. */
static void test_book_check(void **state) {
    (void)state;
    static const struct {
        const char *part, *key, *value; /* what is changed in the run */
    } others[] = {{"settings", "upgrade", "\"black\""},
                  {"player", "network", "\"learnt\""},
                  {"player", "network_hash", "\"abcd\""},
                  {"player", "simulations", "51"}};
    static const char value[] = "<p><b>(4, 5)</b> says the fair-komi run of this page that forces the first move alone";
    char *steps = make_steps_text();
    cJSON *book = cJSON_Parse(book_text), *run = cJSON_Parse(steps);
    cJSON_SetNumberHelper(cJSON_GetObjectItem(book, "size"), 3);
    cJSON_SetNumberHelper(cJSON_GetObjectItem(cJSON_GetObjectItem(book, "player"), "simulations"), 50);
    cJSON_AddItemToObject(book, "combined", cJSON_Parse("{\"fair_komi\": 5.2, \"ci95\": [4.1, 6]}"));
    cJSON_AddItemToObject(run, "first_moves", cJSON_CreateArray());
    cJSON_AddObjectToObject(run, "settings");
    char *page = make_checked_page(book, run);
    assert_shows(page, value);
    free(page);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        cJSON *other = cJSON_Duplicate(run, true), *part = cJSON_GetObjectItem(other, others[i].part);
        cJSON_DeleteItemFromObject(part, others[i].key);
        cJSON_AddItemToObject(part, others[i].key, cJSON_Parse(others[i].value));
        page = make_checked_page(book, other);
        assert_null(strstr(page, "by players of the same strength"));
        free(page);
        cJSON_Delete(other);
    }
    cJSON_Delete(book);
    cJSON_Delete(run);
    free(steps);
}

#define BOOK_NODE(number, line, estimate, low, high)                                                                   \
    "{\"node\": " number ", \"line\": \"" line "\", \"games\": 4, \"fair_komi\": " estimate ", \"ci95\": [" low        \
    ", " high "], \"exact\": false"
#define BOOK_CHILD(move, number) "{\"move\": \"" move "\", \"node\": " number ", \"probability\": 0.5}"

/* A book with positions; to be freed. The one after b2 and c1 has no moves. */
static char *make_book_text(const char *nodes) {
    cJSON *json = cJSON_Parse(book_text);
    cJSON_AddItemToObject(cJSON_GetObjectItem(json, "books")->child, "nodes", cJSON_Parse(nodes));
    char *text = cJSON_PrintUnformatted(json);
    cJSON_Delete(json);
    return text;
}

static const char book_nodes[] =
    "[" BOOK_NODE("0", "", "6.1", "5.2", "6.9") ", \"children\": [" BOOK_CHILD("b2", "2") "," BOOK_CHILD(
        "take-button",
        "5") "]}," BOOK_NODE("2", "b2", "6.1", "5.2",
                             "6.9") ", \"children\": [" BOOK_CHILD("c1",
                                                                   "7") "]}," BOOK_NODE("5", "take-button", "-3", "-7",
                                                                                        "1") "}," BOOK_NODE("7",
                                                                                                            "b2 c1",
                                                                                                            "6.5",
                                                                                                            "5.5",
                                                                                                            "7.5") "}]";

/* The positions to click through: each with moves has a panel, and its moves lead on where the book does. */
static void test_book_positions(void **state) {
    (void)state;
    char *text = make_book_text(book_nodes), *page = page_of(text);
    assert_shows(page, "<article id=\"book-1-odd-0\">\n<p><b>The empty board</b>, Black to move: fair komi <b>6.1</b>");
    assert_shows(page, "<a href=\"#book-1-odd-2\"><g><title>b2: 6.1 (5.2 to 6.9), 4 games</title>");
    assert_shows(page, "<article id=\"book-1-odd-2\">\n<p><b>b2</b>, White to move");
    assert_shows(page, "<a href=\"#book-1-odd-0\">Back</a>");
    assert_shows(page, "<circle class=\"stone black-cell\"");
    assert_shows(page,
                 "<th scope=\"row\">take-button</th><td>-3.0 <small>[-7.0, 1.0]</small></td><td>4</td><td>50%</td>");
    assert_null(strstr(page, "book-1-odd-7"));
    free(page);
    /* The same run a second time, as before and after more games: its links lead to its own positions. */
    Error error;
    page = make_page((const char *const[]){text, text}, 2, &error);
    assert_non_null(page);
    assert_shows(page, "<article id=\"book-1-odd-2\">");
    assert_shows(page, "<article id=\"book-2-odd-2\">");
    assert_shows(page, "<a href=\"#book-2-odd-2\"><g>");
    free(page);
    free(text);
    static const char *const wrong[][2] = {
        {"[" BOOK_NODE("0", "b2 b2", "1", "0", "2") "}]", "'line'"},
        {"[" BOOK_NODE("1", "", "1", "0", "2") "}, " BOOK_NODE("1", "b2", "1", "0", "2") "}]", "'node'"},
        {"[" BOOK_NODE("0", "", "1", "0", "2") ", \"children\": [" BOOK_CHILD("b2", "9") "]}]", "'children'"},
        {"[" BOOK_NODE("0", "", "1", "0", "2") ", \"children\": 3}]", "'children'"},
    };
    for (int i = 0; i < 4; i++) {
        text = make_book_text(wrong[i][0]);
        assert_refused(text, wrong[i][1]);
        free(text);
    }
}

/* What the solver has proved, of the board and of the start of a book, and where the games contradict it. */
static void test_book_proved(void **state) {
    (void)state;
    cJSON *json = cJSON_Parse(book_text), *part = cJSON_GetObjectItem(json, "books")->child;
    cJSON_AddItemToObject(json, "exact", cJSON_Parse("{\"even\": 7, \"odd_with_button\": 6.5}"));
    char *text = cJSON_PrintUnformatted(json), *page = page_of(text);
    assert_shows(page, "<b>+7</b> is perfect play worth to Black, +6.5 with the button, as the solver has proved</p>");
    free(page);
    cJSON_free(text);
    cJSON_ReplaceItemInObject(part, "ci95", cJSON_Parse("[5.2, 6.4]"));
    text = cJSON_PrintUnformatted(json);
    page = page_of(text);
    assert_shows(page, "; so these games are misleading: an interval does not contain its proved value</p>");
    free(page);
    cJSON_free(text);
    cJSON_ReplaceItemInObject(part, "ci95", cJSON_Parse("[6.5, 6.5]"));
    cJSON_SetNumberHelper(cJSON_GetObjectItem(part, "fair_komi"), 6.5);
    cJSON_SetNumberHelper(cJSON_GetObjectItem(part, "games"), 1);
    cJSON_SetNumberHelper(cJSON_GetObjectItem(part, "positions"), 1);
    cJSON_AddItemToObject(part, "nodes",
                          cJSON_Parse("[{\"node\": 0, \"line\": \"\", \"games\": 0, \"fair_komi\": "
                                      "6.5, \"ci95\": [6.5, 6.5], \"exact\": true}]"));
    text = cJSON_PrintUnformatted(json);
    page = page_of(text);
    assert_shows(page,
                 "<p><b>6.5</b> is the fair komi (odd, with the button): proved. 1 game, and 1 position. The best");
    assert_null(strstr(page, "Click a move")); /* there is nothing to click */
    assert_null(strstr(page, "misleading"));
    free(page);
    cJSON_free(text);
    cJSON_DeleteItemFromObject(json, "exact");
    cJSON_AddItemToObject(json, "proved_bounds", cJSON_Parse("{\"lower\": 1, \"upper\": 19}"));
    text = cJSON_PrintUnformatted(json);
    page = page_of(text);
    assert_shows(page, "<b>+1 to +19</b> is perfect play worth to Black: the solver has proved no more</p>");
    free(page);
    cJSON_free(text);
    cJSON_Delete(json);
}

/* A bracket has no decimals, and a move without a cell is in the table, however far down it stands. */
static void test_book_brackets(void **state) {
    (void)state;
    static const char *const moves[] = {"b2", "c1", "a2", "b3", "c2", "a1", "b1", "take-button"};
    enum { COPIES = 2, MOVES = 8 };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("[" BOOK_NODE("0", "", "4.9", "3", "5") ", \"bracket\": true, \"children\": [", out);
    for (int i = 0; i < COPIES * MOVES; i++) /* each twice: it is a small board */
        fprintf(out, "%s{\"move\": \"%s\", \"node\": %d, \"probability\": 0.1}", i > 0 ? ", " : "", moves[i / COPIES],
                1 + i / COPIES);
    fputs("]}", out);
    for (int i = 0; i < MOVES; i++)
        fprintf(out,
                ", {\"node\": %d, \"line\": \"%s\", \"games\": 4, \"fair_komi\": 4.9, \"ci95\": [3, 5], "
                "\"bracket\": true, \"exact\": false}",
                i + 1, moves[i]);
    fputs("]", out);
    fclose(out);
    char *book = make_book_text(text), *page = page_of(book);
    assert_shows(page, "<p><b>The empty board</b>, Black to move: fair komi <b>(3, 5)</b></p>");
    assert_shows(page, "<title>c1: (3, 5), 4 games</title>");
    assert_shows(page, "<th scope=\"row\">take-button</th><td>(3, 5)</td><td>4</td><td>10%</td>");
    assert_shows(page, "<p>And 2 more moves, on the board.</p>");
    free(page);
    free(book);
    free(text);
}

/* The section says which position it is, and the board has its stones. */
static void test_solve_position(void **state) {
    (void)state;
    static const char solve[] =
        "{\"schema\": {\"name\": \"stigmergy-solve\", \"version\": 1}, \"game\": \"stigmergy\", \"size\": 3, "
        "\"button\": false, \"moves\": \"%s\", \"value\": 1, \"proved\": true, \"lower\": 1, \"upper\": 1, "
        "\"nodes\": 9, \"seconds\": 1, \"best\": \"c2\"%s}";
    static const char values[] = ", \"all_moves\": [{\"move\": \"c2\", \"proved\": true, \"lower\": 1, \"upper\": 1}]";
    char text[600];
    snprintf(text, sizeof text, solve, "c3 d3 b2", values);
    char *page = page_of(text);
    assert_shows(page, "<p>After <b>c3 d3 b2</b>, White to move</p>\n<p><b>+1</b> points for Black");
    assert_shows(page, "<figcaption>What each move is worth to Black</figcaption>");
    assert_int_equal(count_of(page, "class=\"stone black-cell\""), 2);
    assert_int_equal(count_of(page, "class=\"stone white-cell\""), 1);
    free(page);
    snprintf(text, sizeof text, solve, "c3 d3", ""); /* without the values of the moves */
    page = page_of(text);
    assert_shows(page, "<p>After <b>c3 d3</b>, Black to move</p>");
    assert_shows(page, "<figcaption>The position</figcaption>");
    assert_int_equal(count_of(page, "class=\"stone "), 2);
    free(page);
    snprintf(text, sizeof text, solve, "c3 zz", "");
    assert_refused(text, "'moves'");
}

static void test_solve(void **state) {
    (void)state;
    char *page = page_of(solve_text);
    assert_shows(page, "<p><b>The empty board</b>, Black to move</p>");
    assert_null(strstr(page, "class=\"stone"));
    assert_shows(page, "<b>+7</b> points for Black under best play, komi left out: proved; the best move is b2");
    assert_shows(page, "1235 thousand");
    assert_shows(page, "<title>a1: -7 to +3</title>");
    free(page);
    page = page_of("{\"schema\": {\"name\": \"stigmergy-solve\", \"version\": 1}, \"game\": \"bug\", \"size\": 4, "
                   "\"moves\": \"\", \"value\": null, \"proved\": false, \"lower\": \"W\", \"upper\": \"B\", "
                   "\"nodes\": 9, \"seconds\": 1, \"best\": null}");
    assert_shows(page, "<p><b>open</b>: who wins under best play is not proved yet</p>");
    free(page);
}

/* Solved positions of the same board by different rules: the usual ones need no words. */
static void test_variants(void **state) {
    (void)state;
    static const char *const variants[] = {"", "\"pie\": \"off\", ", "\"capture\": \"line\", ", "\"pie\": \"on\", "};
    static const char *const names[] = {"hexhex-2</h2>", "hexhex-2 without the pie rule</h2>",
                                        "hexhex-2, captures in a line</h2>"};
    char texts[4][300];
    const char *const shown[] = {texts[0], texts[1], texts[2], texts[3]};
    Error error;
    for (int i = 0; i < 4; i++)
        snprintf(
            texts[i], sizeof texts[i],
            "{\"schema\": {\"name\": \"stigmergy-solve\", \"version\": 1}, \"game\": \"%s\", \"size\": 2, %s"
            "\"moves\": \"\", \"value\": \"B\", \"proved\": true, \"lower\": \"B\", \"upper\": \"B\", \"nodes\": 9, "
            "\"seconds\": 1, \"best\": \"c1\"}",
            i < 3 ? "sgolte" : "bug", variants[i]);
    char *page = make_page(shown, 4, &error);
    assert_non_null(page);
    assert_shows(page, "<h2>Exact value, <span class=\"game\">bug </span>hexhex-2 with the pie rule</h2>");
    for (int i = 0; i < 3; i++)
        assert_shows(page, names[i]);
    free(page);
}

/* The gates add up: 100 and then 50, with errors of 30 and 40 below, 40 and 30 above. */
static void test_loop(void **state) {
    (void)state;
    Error error;
    char *page = page_of(loop_text);
    assert_shows(page, "<b>+150</b> Elo from generation 0 to generation 3");
    assert_shows(page, "<td>+150 <small>[+100, +200]</small></td>");
    assert_shows(page, "<td>+80 <small>["); /* of the one that did not take over: 100 - 20 */
    assert_shows(page, "<td>6 + 10 + 3</td>");
    assert_shows(page, "<tr><th>hexhex-5</th><td>43.7%</td><td>2.100</td><td>0.300</td>");
    assert_shows(page, "<title>Generation 3, hexhex-5: 0.437</title>");
    assert_shows(page, "<b>4</b> generations, of which 3 took over");
    assert_null(strstr(page, "0 + 0 + 0"));
    assert_null(strstr(page, "all against all"));
    free(page);
    const char *const texts[] = {generations_text, loop_text};
    page = make_page(texts, 2, &error);
    assert_non_null(page);
    /* The earliest of the rated ones, generation 1, stays at 100. */
    assert_shows(page, "<title>Generation 1, rated on hexhex-5: +100, 95% interval +80 to +120</title>");
    assert_shows(page, "<title>Generation 3, rated on hexhex-5: +170, 95% interval +145 to +195</title>");
    assert_null(strstr(page, "Generation 2, rated"));
    free(page);
}

/* Generation 0 of a loop that began with a network has matches with it: that network is zero. */
static void test_loop_from_network(void **state) {
    (void)state;
    static const char loop[] =
        "{\"schema\": {\"name\": \"stigmergy-loop\", \"version\": 1}, \"game\": \"sgolte\", \"seed\": \"7\", "
        "\"generations\": [{\"number\": 0, \"promoted\": %s, \"seconds\": {}, %s}%s]}";
    char text[600];
    snprintf(text, sizeof text, loop, "true", GATE("60", "20", "110"), "");
    char *page = page_of(text);
    assert_shows(page, "<b>+60</b> Elo from the network that the loop began with to generation 0, by the matches");
    assert_shows(page, "<title>Generation 0, which took over: +60, 95% interval +20 to +110</title>");
    assert_shows(page, "above the network that the loop began with. By the matches of the gates, added up, "
                       "generation 0 stands at +60.");
    assert_shows(page, "<td>0</td><td>+60 <small>[+20, +110]</small></td>");
    assert_shows(page, "<b>1</b> generation, of which 1 took over");
    free(page);
    snprintf(text, sizeof text, loop, "false", GATE("-120", "-160", "-80"), "");
    page = page_of(text);
    assert_shows(page, "<title>Generation 0, which was not better: -120, 95% interval -160 to -80</title>");
    assert_shows(page, "None took over yet.");
    assert_shows(page, "<td>none yet</td>");
    assert_null(strstr(page, "generation -1"));
    free(page);
    snprintf(text, sizeof text, loop, "false", GATE("-120", "-160", "-80"),
             ", {\"number\": 1, \"promoted\": true, \"seconds\": {}, " GATE("60", "20", "110") "}");
    page = page_of(text);
    assert_shows(page, "<title>Generation 0, which was not better: -120, 95% interval -160 to -80</title>");
    assert_shows(page, "<title>Generation 1, which took over: +60, 95% interval +20 to +110</title>");
    free(page);
}

/* Generations that are almost the same: the ticks are close, and each says where it is. */
static void test_close_ticks(void **state) {
    (void)state;
    cJSON *loop = cJSON_Parse(loop_text);
    for (int i = 0; i < 2; i++)
        cJSON_DeleteItemFromArray(cJSON_GetObjectItem(loop, "generations"), 0);
    cJSON *generation = cJSON_GetObjectItem(loop, "generations")->child;
    for (int i = 0; generation; generation = generation->next, i++) {
        cJSON *judged = cJSON_GetObjectItem(cJSON_GetObjectItem(generation, "judged"), "5");
        cJSON_SetNumberHelper(cJSON_GetObjectItem(generation, "number"), i);
        cJSON_SetNumberHelper(cJSON_GetObjectItem(judged, "best_move"), 0.44 + 0.008 * i);
        cJSON_SetNumberHelper(cJSON_GetObjectItem(judged, "policy"), 2.1 + 0.0007 * i);
    }
    char *text = cJSON_PrintUnformatted(loop), *page = page_of(text);
    assert_shows(page, ">44.0%</text>");
    assert_shows(page, ">44.1%</text>");
    assert_shows(page, ">2.1002</text>");
    free(page);
    free(text);
    cJSON_Delete(loop);
}

/* A loss that no row said anything of is left out of the document, the table and the curves. */
static void test_unknown_measures(void **state) {
    (void)state;
    cJSON *loop = cJSON_Parse(loop_text);
    cJSON *generation = cJSON_GetArrayItem(cJSON_GetObjectItem(loop, "generations"), 3);
    cJSON *judged = cJSON_GetObjectItem(generation, "judged");
    cJSON_DeleteItemFromObject(cJSON_GetObjectItem(judged, "5"), "owner");
    cJSON_AddItemToObject(judged, "4", cJSON_Parse("{\"win\": 0.5, \"score\": 1, \"owner\": null}"));
    char *text = cJSON_PrintUnformatted(loop), *page = page_of(text);
    assert_shows(page, "<tr><th>hexhex-4</th><td></td><td></td><td>0.500</td><td>1.000</td><td></td></tr>");
    assert_shows(page, "<tr><th>hexhex-5</th><td>43.7%</td><td>2.100</td><td>0.300</td><td>1.900</td><td></td></tr>");
    assert_shows(page, "<title>Generation 3, hexhex-4: 0.500</title>");
    assert_null(strstr(page, "nan"));
    free(page);
    free(text);
    cJSON_Delete(loop);
}

/* What rounds to zero is +0, wherever it stands: an estimate, an end of its interval, a title in a chart. */
static void test_zero(void **state) {
    (void)state;
    Error error;
    cJSON *match = cJSON_Parse(match_text), *ratings = cJSON_Parse(generations_text), *loop = cJSON_Parse(loop_text);
    cJSON_ReplaceItemInObject(match, "elo", cJSON_Parse("{\"estimate\": -0.3, \"ci95\": [-0.4, 20]}"));
    cJSON *rating = cJSON_GetObjectItem(ratings, "ratings")->child;
    cJSON_SetNumberHelper(cJSON_GetObjectItem(rating, "estimate"), -0.3);
    cJSON_ReplaceItemInObject(rating, "ci95", cJSON_Parse("[-0.3, -0.3]"));
    cJSON *gate = cJSON_GetObjectItem(cJSON_GetObjectItem(loop, "generations")->child->next, "matches")->child;
    cJSON_ReplaceItemInObject(gate, "elo", cJSON_Parse("{\"estimate\": -0.3, \"ci95\": [-30, 40]}"));
    cJSON_DeleteItemFromArray(cJSON_GetObjectItem(loop, "generations"), 3);
    char *texts[] = {cJSON_PrintUnformatted(match), cJSON_PrintUnformatted(ratings), cJSON_PrintUnformatted(loop)};
    char *page = make_page((const char *const *)texts, 3, &error);
    assert_non_null(page);
    assert_shows(page, "<b>+0</b> Elo for");
    assert_shows(page, "95% interval +0 to +20</p>");
    assert_shows(page, "<b>+0</b> Elo from generation 0 to generation 1");
    assert_shows(page, "generation 1 stands at +0.");
    assert_shows(page, "<title>Generation 1, which took over: +0, 95% interval -30 to +40</title>");
    assert_null(strstr(page, "-0<"));
    assert_null(strstr(page, "-0,"));
    assert_null(strstr(page, "-0 "));
    free(page);
    for (int i = 0; i < 3; i++)
        free(texts[i]);
    cJSON_Delete(match);
    cJSON_Delete(ratings);
    cJSON_Delete(loop);
}

/* A document in the page is the text that it was read from, but for its white space. */
static void test_data(void **state) {
    (void)state;
    static const char text[] =
        "{\"schema\":{\"name\":\"stigmergy-solve\",\"version\":1},\"game\":\"stigmergy\",\"size\":"
        "2,\"value\":7,\"proved\":true,\"lower\":7,\"upper\":7,\"nodes\":1,\"seconds\":0,\"best\":"
        "\"b2\",\"button\":false,\"moves\":\"\"}";
    with_data = true;
    char *page = page_of(text);
    with_data = false;
    assert_shows(
        page,
        "<a download=\"test.json\" href=\"data:application/json;base64,eyJzY2hlbWEiOnsibmFtZSI6InN0aWdtZXJneS1zb2x2"
        "ZSIsInZlcnNpb24iOjF9LCJnYW1lIjoic3RpZ21lcmd5Iiwic2l6ZSI6MiwidmFsdWUiOjcsInByb3ZlZCI6dHJ1ZSwibG93ZXIi"
        "OjcsInVwcGVyIjo3LCJub2RlcyI6MSwic2Vjb25kcyI6MCwiYmVzdCI6ImIyIiwiYnV0dG9uIjpmYWxzZSwibW92ZXMiOiIifQ==\">");
    free(page);
}

/* Only documents of the same board need the names of their files to tell them apart. */
static void test_names(void **state) {
    (void)state;
    Error error;
    char *alone = page_of(solve_text);
    assert_null(strstr(alone, "(test.json)"));
    free(alone);
    const char *const texts[] = {solve_text, solve_text};
    char *page = make_page(texts, 2, &error);
    assert_non_null(page);
    assert_shows(page, "<h2>Exact value, hexhex-2<span class=\"file\"> (test.json)</span></h2>");
    assert_shows(page, "<a href=\"#result-2\">hexhex-2<span class=\"file\"> (test.json)</span></a>");
    free(page);
}

/* Documents of all kinds together: by kind, then game and size; the same page whatever their order. */
static void test_order(void **state) {
    (void)state;
    Error error;
    char *text = komi_text();
    const char *const texts[] = {solve_text, ratings_text, match_text, text};
    char *page = make_page(texts, 4, &error);
    assert_non_null(page);
    const char *const parts[] = {"id=\"result-4\"", "id=\"result-2\"", "id=\"result-3\"", "id=\"result-1\""};
    for (int i = 1; i < 4; i++)
        assert_true(strstr(page, parts[i - 1]) < strstr(page, parts[i]));
    free(page);
    free(text);
}

static void test_text(void **state) {
    (void)state;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    html_text(out, "a<b>&\"'\n\x7f\xc3\xa9");
    const double counts[] = {0, 9999, 10000, 123456, 12345678, 5e15};
    for (int i = 0; i < 6; i++) {
        fputc('|', out);
        html_count(out, counts[i]);
    }
    fclose(out);
    assert_string_equal(text, "a&lt;b&gt;&amp;&quot;&#39;  \xc3\xa9|0|9999|10.0 thousand|123 thousand|12.3 million|"
                              "5000 trillion");
    free(text);
}

/* ---- What is wrong ---- */

static void test_refused(void **state) {
    (void)state;
    assert_refused("", "is empty");
    assert_refused("{\"a\": 1}", "no result document");
    assert_refused("[]", "no result document");
    assert_refused("{\"schema\": {\"name\": \"other\", \"version\": 1}}", "schema 'other', expected");
    assert_refused("{\"schema\": {\"name\": \"stigmergy-komi\", \"version\": 2}}", "version 2, expected 1");
    assert_refused("{\"schema\": {\"name\": \"stigmergy-solve\", \"version\": 1}, \"game\": \"go\", \"size\": 3}",
                   "'go'");
    assert_refused("{\"schema\": {\"name\": \"stigmergy-solve\", \"version\": 1}, \"game\": \"bug\"}", "'size'");
    assert_refused("{\"schema\": {\"name\": \"stigmergy-komi\", \"version\": 1}, \"game\": \"stigmergy\", \"size\": 3}",
                   "'player'");
    assert_refused("{\"schema\": {\"name\": \"stigmergy-loop\", \"version\": 1}, \"game\": \"bug\", \"generations\": "
                   "[{\"number\": 1}]}",
                   "'number'");
}

/* Another document that stands on every page of changed ones; NULL for none. */
static const char *companion;

/* Reads a document that was changed: it is refused with a reason, or a page comes out. */
static void read_changed(const cJSON *json) {
    Error error = {.text = ""};
    char *text = cJSON_PrintUnformatted(json);
    const char *const texts[] = {text, companion};
    char *page = make_page(texts, companion ? 2 : 1, &error);
    if (page)
        assert_null(strstr(page, "nan"));
    else
        assert_non_null(strstr(error.text, "/nowhere/test.json: "));
    free(page);
    cJSON_free(text);
}

/* Puts all kinds of wrong values in the place of everything below `item`. */
static void change_all(cJSON *root, cJSON *parent) {
    for (cJSON *item = parent->child; item; item = item->next) {
        static const double numbers[] = {-1, 0.5, 1e300};
        const cJSON kept = *item;
        for (int i = 0; i < 6; i++) {
            item->child = NULL;
            item->type = i < 3 ? cJSON_Number : i == 3 ? cJSON_NULL : i == 4 ? cJSON_String : cJSON_Array;
            item->valuedouble = i < 3 ? numbers[i] : 0;
            item->valuestring = (char[]){"\"<x"};
            read_changed(root);
        }
        item->child = kept.child;
        item->type = kept.type;
        item->valuedouble = kept.valuedouble;
        item->valuestring = kept.valuestring;
        change_all(root, item);
    }
}

static void test_damaged(void **state) {
    (void)state;
    char *text = komi_text(), *steps_text = make_steps_text(), *nodes_text = make_book_text(book_nodes);
    const char *const texts[] = {match_text, ratings_text, openings_text, book_text, nodes_text,
                                 solve_text, loop_text,    steps_text,    text};
    for (int i = 0; i < 9; i++) {
        cJSON *json = cJSON_Parse(texts[i]);
        static const char *const long_parts[] = {"ladder", "settings", "machine", "program"};
        for (int part = 0; part < 4; part++)
            cJSON_DeleteItemFromObject(json, long_parts[part]);
        cJSON *points = cJSON_GetObjectItem(json, "points");
        while (cJSON_GetArraySize(points) > 2)
            cJSON_DeleteItemFromArray(points, 0);
        read_changed(json);
        change_all(json, json);
        cJSON_Delete(json);
    }
    free(nodes_text);
    free(steps_text);
    free(text);
}

/* A match is damaged whose ratings a loop takes. */
static void test_damaged_ratings(void **state) {
    (void)state;
    cJSON *json = cJSON_Parse(generations_text);
    companion = loop_text;
    read_changed(json);
    change_all(json, json);
    companion = NULL;
    cJSON_Delete(json);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_komi),
        cmocka_unit_test(test_komi_first_moves),
        cmocka_unit_test(test_komi_far_games),
        cmocka_unit_test(test_komi_posterior),
        cmocka_unit_test(test_komi_forced_curve),
        cmocka_unit_test(test_komi_bad_fit),
        cmocka_unit_test(test_komi_fairest_legend),
        cmocka_unit_test(test_komi_steps),
        cmocka_unit_test(test_komi_of_one_parity),
        cmocka_unit_test(test_atlas),
        cmocka_unit_test(test_atlas_versions),
        cmocka_unit_test(test_atlas_few_games),
        cmocka_unit_test(test_atlas_parities),
        cmocka_unit_test(test_atlas_cut_intervals),
        cmocka_unit_test(test_upgrades),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_proved_bounds),
        cmocka_unit_test(test_command),
        cmocka_unit_test(test_openings),
        cmocka_unit_test(test_openings_unfair),
        cmocka_unit_test_teardown(test_records, drop_files),
        cmocka_unit_test(test_openings_of_sgolte),
        cmocka_unit_test(test_book),
        cmocka_unit_test(test_book_together),
        cmocka_unit_test(test_book_check),
        cmocka_unit_test(test_book_positions),
        cmocka_unit_test(test_book_brackets),
        cmocka_unit_test(test_book_proved),
        cmocka_unit_test(test_komi_first_move_brackets),
        cmocka_unit_test(test_komi_without_games),
        cmocka_unit_test(test_cut_characters),
        cmocka_unit_test(test_atlas_misleading),
        cmocka_unit_test(test_solve),
        cmocka_unit_test(test_solve_position),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_loop_from_network),
        cmocka_unit_test(test_close_ticks),
        cmocka_unit_test(test_unknown_measures),
        cmocka_unit_test(test_zero),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_damaged_ratings),
    };
    if (argc != 2) {
        fprintf(stderr, "usage: test_report RESULT.json\n");
        return 2;
    }
    komi_path = argv[1];
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
