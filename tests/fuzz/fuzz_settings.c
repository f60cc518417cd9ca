/* Fuzz target: the settings of a run, read as those of every kind. Built with -DSTIGMERGY_FUZZ=ON and clang (preset
 * "fuzz"). What passes the check is written so that it reads back as the same run. Which run it is depends on the seed,
 * but not on how many games are played. */
#include "selfplay/io/json.h"
#include "selfplay/runs/generate/config.h"
#include "selfplay/runs/kinds.h"
#include "tests/fuzz/read_back.h"

#include <stdlib.h>

/* Whether the text would make the reader open files or know commands of this machine: these are left out. */
static bool names_files(const cJSON *json) {
    const cJSON *players = json_get(json, "players");
    for (const cJSON *item = players ? players->child : NULL; item; item = item->next)
        if (cJSON_IsString(item) && strncmp(item->valuestring, "gtp:", 4))
            return true;
    return cJSON_IsString(json_get(json, "player"));
}

static void hash_of(const RunConfig *config, char out[RECORD_RUN_MAX]) {
    Error error;
    if (!run_config_hash(config, out, &error))
        abort();
}

/* *config has the default settings of its kind, and *again, too. */
static void try_settings(const cJSON *json, RunConfig *config, RunConfig *again) {
    char first[RECORD_RUN_MAX], second[RECORD_RUN_MAX];
    if (!fuzz_read_back(json, config, again))
        return;
    hash_of(config, first);
    config->games++;
    hash_of(config, second);
    if (strcmp(first, second))
        abort();
    config->seed++;
    hash_of(config, second);
    if (!strcmp(first, second))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const kinds[] = {"book", "komi", "match", "openings"};
    Error error;
    cJSON *json = json_parse((const char *)data, size, "fuzz", &error);
    if (json && !names_files(json)) {
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            const RunKind *kind = kind_named(kinds[i]);
            if (!kind)
                abort();
            KindConfig config = kind_defaults(kind), again = kind_defaults(kind);
            try_settings(json, &config.run, &again.run);
        }
        SelfplayConfig config = selfplay_config_default(), again = config;
        try_settings(json, &config.run, &again.run);
    }
    cJSON_Delete(json);
    return 0;
}
