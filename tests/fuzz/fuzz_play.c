/* Fuzz target: any lines are given to a terminal game with a tiny search; the first byte chooses the game. Files are
 * left alone: lines that save or load are skipped.
 *
 * For libFuzzer: see fuzz_gtp.c; then run tests/fuzz_play. */
#include "engine/games/registry.h"
#include "tests/support/playout_player.h"
#include "tools/play/session.h"

#include <stdlib.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool names_file(const char *line) {
    line += strspn(line, " \t");
    return !strncasecmp(line, "save", 4) || !strncasecmp(line, "load", 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static StopFlag stop;
    int largest, usual;
    const char *game = game_list(size > 0 ? data[0] % 3 : 0, &largest, &usual);
    PlayOptions options = {
        .game = {.name = game, .size = 2}, .choose = true, .player = playout_player(), .seed = 1, .stop = &stop};
    options.player.simulations = 2;
    options.player.memory_mb = 1;
    FILE *out = fopen("/dev/null", "w");
    PlaySession *play = out ? play_new(&options, out, NULL) : NULL;
    char *text = size > 0 ? strndup((const char *)data + 1, size - 1) : strdup("");
    if (!play || !text)
        abort();
    play_begin(play);
    bool going_on = true;
    for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line && going_on; line = strtok_r(NULL, "\n", &rest)) {
        char *words[8];
        for (int count = play_complete(play, line, words, 8); count > 0; count--)
            free(words[count - 1]);
        if (!names_file(line) && strncasecmp(line + strspn(line, " \t"), "level", 5))
            going_on = play_line(play, line);
    }
    free(text);
    play_free(play);
    fclose(out);
    return 0;
}
