/* Fuzz target: the settings of a match, and a player's description on the command line. Built with -DSTIGMERGY_FUZZ=ON
 * and clang (preset "fuzz"). What passes the check must have an identity that reads back as the same settings. */
#include "selfplay/io/document.h"
#include "selfplay/io/json.h"
#include "selfplay/runs/match/config.h"

#include <stdlib.h>

/* Whether the text would make the reader open files or know commands of this machine: these are left out. */
static bool names_files(const cJSON *json) {
    const cJSON *players = json_get(json, "players");
    for (const cJSON *item = players ? players->child : NULL; item; item = item->next)
        if (cJSON_IsString(item) && strncmp(item->valuestring, "gtp:", 4))
            return true;
    return false;
}

static void check_identity(const MatchConfig *config) {
    char first[20], second[20];
    Error error;
    cJSON *identity = run_config_identity(&config->run);
    if (!document_hash(identity, first, &error))
        abort();
    cJSON_DeleteItemFromObject(identity, "engine");
    MatchConfig again = match_config_default(5);
    if (!run_config_read(identity, "fuzz", &again.run, &error) || !run_config_check(&again.run, &error))
        abort();
    cJSON_Delete(identity);
    identity = run_config_identity(&again.run);
    if (!document_hash(identity, second, &error) || strcmp(first, second))
        abort();
    cJSON_Delete(identity);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error;
    MatchConfig config = match_config_default(5);
    cJSON *json = json_parse((const char *)data, size, "fuzz", &error);
    if (json && !names_files(json) && run_config_read(json, "fuzz", &config.run, &error) &&
        run_config_check(&config.run, &error))
        check_identity(&config);
    cJSON_Delete(json);
    return 0;
}
