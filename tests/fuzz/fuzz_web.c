/* Fuzz target: requests to the board server. The first byte chooses the path, the rest is the body. See fuzz_gtp.c. */
#include "tests/support/playout_player.h"
#include "tools/serve/api.h"
#include "tools/serve/guard.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads a stream to its end. */
static void drain(WebStream *stream) {
    char bytes[4096];
    while (web_stream_read(stream, bytes, sizeof bytes) > 0)
        ;
    web_stream_close(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const paths[] = {"/api/position", "/api/load", "/api/save",
                                        "/api/analysis", "/api/komi", "/api/board/"};
    static Analysis *analysis;
    static QueryDefaults defaults;
    if (!analysis) {
        defaults = (QueryDefaults){
            .game = {.size = 2}, .player = playout_player(), .seed = 1, .has_levels = true, .seconds_max = 0.001};
        defaults.player.simulations = 2;
        defaults.player.memory_mb = 1;
        for (int i = 0; i < LEVELS; i++)
            defaults.levels[i] = defaults.player;
        analysis = analysis_new(&(AnalysisOptions){.workers = 1, .threads = 1}, NULL);
    }
    if (!analysis)
        abort();
    if (size == 0)
        return 0;
    const char *path = paths[data[0] % (sizeof paths / sizeof paths[0])];
    const WebAnswer answer =
        web_api(analysis, &defaults, (WebCaller){.client = NULL}, "POST", path, (const char *)data + 1, size - 1);
    if (answer.stream)
        drain(answer.stream);
    free(answer.text);
    char *text = malloc(size + 16); /* the same bytes as a path and as a Host */
    if (!text)
        abort();
    sprintf(text, "/api/board/");
    memcpy(text + 11, data, size);
    text[11 + size] = '\0';
    const WebAnswer board = web_api(analysis, &defaults, (WebCaller){.client = NULL}, "GET", text, "", 0);
    free(board.text);
    if (web_guard_allows(text + 11, NULL, NULL, false) && !strncmp(text + 11, "evil", 4))
        abort();
    free(text);
    return 0;
}
