/* See read_back.h. */
#include "tests/fuzz/read_back.h"

#include <stdlib.h>
#include <string.h>

bool fuzz_read_back(const cJSON *json, RunConfig *config, RunConfig *again) {
    char first[RECORD_RUN_MAX], second[RECORD_RUN_MAX];
    Error error;
    if (!run_config_read(json, "fuzz", config, &error) || !run_config_check(config, &error))
        return false;
    cJSON *written = run_config_to_json(config);
    if (!run_config_hash(config, first, &error) || !run_config_read(written, "fuzz", again, &error) ||
        !run_config_check(again, &error) || !run_config_hash(again, second, &error) || strcmp(first, second))
        abort();
    cJSON_Delete(written);
    return true;
}
