/* What fuzz targets ask of the settings of a run. */
#ifndef STIGMERGY_TESTS_FUZZ_READ_BACK_H
#define STIGMERGY_TESTS_FUZZ_READ_BACK_H

#include "selfplay/runs/config.h"

/* Reads JSON over *config. Where that passes the check, what is written of it must read back over *again as the same
 * run, else the program ends. Both hold the default settings of one kind before. Returns whether it passes. */
bool fuzz_read_back(const cJSON *json, RunConfig *config, RunConfig *again);

#endif
