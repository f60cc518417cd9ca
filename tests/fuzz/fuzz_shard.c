/* Fuzz target: the document of a shard and the configuration in it. Built with -DSTIGMERGY_FUZZ=ON and clang (preset
 * "fuzz"). A configuration that passes must read back as the same run. */
#include "selfplay/runs/komi/config.h"
#include "selfplay/runs/openings/config.h"
#include "selfplay/runs/shard_document.h"

#include <stdlib.h>
#include <string.h>

/* Reads the settings over *config, whose defaults are in *again too, and sees whether they read back. */
static void check_config(const cJSON *json, RunConfig *config, RunConfig *again) {
    char first[20], second[20];
    Error error;
    if (!run_config_read(json, "fuzz", config, &error) || !run_config_check(config, &error))
        return;
    cJSON *written = run_config_to_json(config);
    if (!run_config_hash(config, first, &error) || !run_config_read(written, "fuzz", again, &error) ||
        !run_config_check(again, &error) || !run_config_hash(again, second, &error) || strcmp(first, second))
        abort();
    cJSON_Delete(written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ShardDocument document;
    Error error;
    const bool good = shard_document_parse((const char *)data, size, "fuzz", &document, &error);
    const cJSON *player = good ? json_get(document.config, "player") : NULL;
    if (good && !cJSON_IsString(player)) { /* the name of a file of this machine */
        KomiConfig komi = komi_config_default(5), komi_again = komi;
        OpeningsConfig openings = openings_config_default(5), openings_again = openings;
        check_config(document.config, &komi.run, &komi_again.run);
        check_config(document.config, &openings.run, &openings_again.run);
    }
    shard_document_free(&document);
    return 0;
}
