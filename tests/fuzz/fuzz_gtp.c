/* Fuzz target: any bytes are fed to a Go Text Protocol session with a tiny search.
 *
 * For libFuzzer: configure with clang, -DSTIGMERGY_FUZZ=ON and -DSTIGMERGY_SANITIZE=address,undefined,fuzzer-no-link,
 * then run tests/fuzz_gtp. */
#include "tests/support/playout_player.h"
#include "tools/gtp/protocol.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    GtpOptions options = {
        .game = {.name = "stigmergy", .size = 2}, .player = playout_player(), .seed = 1, .no_files = true};
    options.player.simulations = 2;
    options.player.memory_mb = 1;
    FILE *out = fopen("/dev/null", "w");
    Gtp *gtp = out ? gtp_new(&options, out, NULL) : NULL;
    if (!gtp)
        abort();
    if (gtp_feed(gtp, (const char *)data, size))
        gtp_end(gtp);
    gtp_free(gtp);
    fclose(out);
    return 0;
}
