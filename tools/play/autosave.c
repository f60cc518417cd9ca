/* See autosave.h. */
#include "tools/play/autosave.h"

#include "selfplay/io/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Makes the folders above a file, as `mkdir -p` does. */
static bool make_folders(const char *path, Error *error) {
    char folder[FILE_PATH_MAX];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return error_set(error, "%.200s: cannot make the folder: %s", folder, strerror(errno));
    }
    return true;
}

static bool find_path(char path[FILE_PATH_MAX], Error *error) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length = 0;
    if (state && *state == '/') /* a relative one is to be ignored, says the specification */
        length = snprintf(path, FILE_PATH_MAX, "%s/stigmergy/play.sgf", state);
    else if (home && *home == '/')
        length = snprintf(path, FILE_PATH_MAX, "%s/.local/state/stigmergy/play.sgf", home);
    return (length > 0 && length < FILE_PATH_MAX) || error_set(error, "HOME is no absolute path");
}

void play_autosave(PlaySession *session, FILE *out) {
    char path[FILE_PATH_MAX];
    Error error;
    if (play_is_saved(session))
        return;
    if (find_path(path, &error) && make_folders(path, &error) && play_save(session, path, &error))
        fprintf(out, "The game is kept. To go on: stigmergy play --load '%s'%s\n", path, play_side_option(session));
    else
        fprintf(out, "The game could not be kept: %s\n", error.text);
}
