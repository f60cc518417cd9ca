/* Fuzz target: any bytes are fed to a session of the analysis engine with tiny searches. See fuzz_gtp.c. */
#include "tests/support/playout_player.h"
#include "tools/analyze/session.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Analysis *analysis; /* threads are too slow to start for every input */
    static QueryDefaults defaults;
    static FILE *out;
    if (!analysis) {
        defaults = (QueryDefaults){.game = {.size = 2}, .player = playout_player(), .seed = 1, .seconds_max = 0.001};
        defaults.player.simulations = 2;
        defaults.player.memory_mb = 1;
        analysis = analysis_new(&(AnalysisOptions){.workers = 1, .threads = 1}, NULL);
        out = fopen("/dev/null", "w");
    }
    AnalyzeSession *session =
        analysis && out ? analyze_session_new(analysis, &defaults, ANALYZE_WAITING_BYTES, out, NULL) : NULL;
    if (!session)
        abort();
    analyze_session_feed(session, (const char *)data, size);
    analyze_session_end(session);
    analyze_session_free(session);
    return 0;
}
