/* The command that plays the games of a komi run again. See komi_internal.h.
 *
 * It names what differs from the defaults of `stigmergy komi`; what no option has, it says as settings of a file. */
#include "selfplay/runs/komi/config.h"
#include "tools/report/html.h"
#include "tools/report/komi_internal.h"

#include <string.h>

static void write_option(FILE *out, const char *name, const char *value, const char *usual) {
    if (!value || (usual && !strcmp(value, usual)))
        return;
    fprintf(out, " --%s ", name);
    html_text(out, value);
}

static void write_detail(FILE *out, const char *name, const char *value) {
    if (!value)
        return;
    fprintf(out, ", %s ", name);
    html_text(out, value);
}

/* Where the komi played were not all of the board's. */
static void write_range(FILE *out, const KomiReport *report) {
    const cJSON *low = cJSON_GetArrayItem(report->komi_range, 0), *high = cJSON_GetArrayItem(report->komi_range, 1);
    const int cells = report->game->board.cells;
    if (cJSON_IsNumber(low) && cJSON_IsNumber(high) && (low->valueint != -cells || high->valueint != cells))
        fprintf(out, " --komi-range %d:%d", low->valueint, high->valueint);
}

/* Whether one command plays the games of all rungs: not if time limited the players, if rungs were extended, or without
 * games. */
static bool has_command(const KomiReport *report) {
    if (report->rungs[0].games == 0)
        return false;
    for (int i = 0; i < report->count; i++)
        if (report->rungs[i].simulations <= 0 || report->rungs[i].games != report->rungs[0].games)
            return false;
    return true;
}

/* Whether a description is that of the default player with this network. */
static bool is_default(const cJSON *description, const char *network, int size) {
    const cJSON *hash = json_get(description, "network_hash");
    KomiConfig config = komi_config_default(size);
    Error error;
    if (!cJSON_IsString(hash) || !player_set_network(&config.player, network, hash->valuestring, &error) ||
        !run_config_settle_player(&config.run, &config.player, &error))
        return false;
    const Player player = player_with_effort(config.player, (Effort){0}); /* the rungs say it, as in the settings */
    cJSON *usual = player_to_json(&player);
    const bool same = cJSON_Compare(description, usual, true);
    cJSON_Delete(usual);
    return same;
}

/* A text as one word for a shell. The text is used up. */
static void write_quoted(FILE *out, char *text) {
    html_text(out, "'");
    for (char *quote; (quote = strchr(text, '\'')); text = quote + 1) {
        *quote = '\0';
        html_text(out, text);
        html_text(out, "'\\''");
    }
    html_text(out, text);
    html_text(out, "'");
}

/* What has to be said of a player: nothing of the default one with the network that comes with the program for this
 * board, its network if it has another one, or all. NULL for nothing. Another version may have another network under
 * the same name: so the page has the hash, too. */
static cJSON *describe_player(const cJSON *description, int size) {
    const cJSON *network = json_get(description, "network");
    const bool named = cJSON_IsString(network);
    if (!cJSON_IsObject(description))
        return NULL;
    if (named && is_default(description, network->valuestring, size)) {
        if (!strcmp(network->valuestring, network_of_game("stigmergy", size)->name))
            return NULL;
        cJSON *json = cJSON_CreateObject();
        cJSON_AddStringToObject(json, "network", network->valuestring);
        return json;
    }
    cJSON *json = cJSON_Duplicate(description, true);
    cJSON_DeleteItemFromObject(json, "simulations");
    cJSON_DeleteItemFromObject(json, "move_time");
    return json;
}

static void write_player(FILE *out, const KomiReport *report) {
    cJSON *json = describe_player(report->description, report->game->board.size);
    char *text = cJSON_PrintUnformatted(json);
    if (text) {
        fputs(" --player ", out);
        write_quoted(out, text);
    }
    cJSON_free(text);
    cJSON_Delete(json);
}

/* The settings that no option has. */
static void write_settings(FILE *out, const KomiReport *report) {
    const double usual = (double)komi_config_default(HEXHEX_MIN_SIZE).run.first_round;
    const char *words = ", with settings that have";
    if (report->parity && strcmp(report->parity, "both") != 0) {
        write_detail(out, "with settings that have parity", report->parity);
        words = " and";
    }
    if (cJSON_IsNumber(report->first_round) && report->first_round->valuedouble != usual)
        fprintf(out, "%s first_round %.0f", words, report->first_round->valuedouble);
}

void report_komi_command(FILE *out, const KomiReport *report) {
    if (!has_command(report))
        return;
    fputs("<p class=\"note\">The command: <code>stigmergy komi", out);
    fprintf(out, " --size %d", report->game->board.size);
    if (report->first.count > 0)
        fputs(" --first-moves each", out);
    write_range(out, report);
    write_option(out, "upgrade", report->upgrade, NULL);
    write_option(out, "seed", report->seed, "1");
    write_player(out, report);
    fprintf(out, " %s ", report->count > 1 ? "--ladder" : "--sims");
    for (int i = 0; i < report->count; i++)
        fprintf(out, "%s%.0f", i > 0 ? "," : "", report->rungs[i].simulations);
    fprintf(out, " --games %d --out komi.json</code>", report->rungs[report->count - 1].games);
    write_settings(out, report);
    write_detail(out, "player", report->player);
    if (report->network && report->network_hash) {
        write_detail(out, "network", report->network);
        fprintf(out, " (%.8s)", report->network_hash);
    }
    write_detail(out, "games as those of version", report->version);
    fputs(". The result document has all settings.</p>\n", out);
}
