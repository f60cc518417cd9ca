/* Fuzz target: the document of a shard and the configuration in it. Built with -DSTIGMERGY_FUZZ=ON and clang (preset
 * "fuzz"). A configuration that passes must read back as the same run. */
#include "selfplay/runs/komi/config.h"
#include "selfplay/runs/shard_document.h"

#include <stdlib.h>
#include <string.h>

static void check_config(const KomiConfig *config) {
    char first[20], second[20];
    Error error;
    KomiConfig again = komi_config_default(5);
    cJSON *json = komi_config_to_json(config);
    if (!komi_config_hash(config, first, &error) || !komi_config_from_json(json, "fuzz", &again, &error) ||
        !komi_config_check(&again, &error) || !komi_config_hash(&again, second, &error) || strcmp(first, second))
        abort();
    cJSON_Delete(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ShardDocument document;
    KomiConfig config = komi_config_default(5);
    Error error;
    const bool good = shard_document_parse((const char *)data, size, "fuzz", &document, &error);
    const cJSON *player = good ? cJSON_GetObjectItemCaseSensitive(document.config, "player") : NULL;
    if (good && !cJSON_IsString(player) && /* the name of a file of this machine */
        komi_config_from_json(document.config, "fuzz", &config, &error) && komi_config_check(&config, &error))
        check_config(&config);
    shard_document_free(&document);
    return 0;
}
