/* Fuzz target: the document of a shard and the configuration in it. Built with -DSTIGMERGY_FUZZ=ON and clang (preset
 * "fuzz"). A configuration that passes must read back as the same run. */
#include "selfplay/runs/komi/config.h"
#include "selfplay/runs/openings/config.h"
#include "selfplay/runs/shard_document.h"
#include "tests/fuzz/read_back.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ShardDocument document;
    Error error;
    const bool good = shard_document_parse((const char *)data, size, "fuzz", &document, &error);
    const cJSON *player = good ? json_get(document.config, "player") : NULL;
    if (good && !cJSON_IsString(player)) { /* the name of a file of this machine */
        KomiConfig komi = komi_config_default(5), komi_again = komi;
        OpeningsConfig openings = openings_config_default(5), openings_again = openings;
        fuzz_read_back(document.config, &komi.run, &komi_again.run);
        fuzz_read_back(document.config, &openings.run, &openings_again.run);
    }
    shard_document_free(&document);
    return 0;
}
