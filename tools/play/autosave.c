/* The file that keeps the game while it is played, so that neither Ctrl-C nor the end of the input nor a kill loses a
 * turn. Each game has a file of its own in the state folder of the user; the oldest files are removed. See
 * session_internal.h. */
#define _DEFAULT_SOURCE /* scandir's alphasort */
#include "selfplay/io/atomic_file.h"
#include "tools/play/session_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KEPT_MAX = 50 };
static const char name_pattern[] = "play-*.sgf";

/* Makes the folders above a file, as `mkdir -p` does, but for the user alone, as the XDG specification says. */
static bool make_folders(const char *path, Error *error) {
    char folder[FILE_PATH_MAX];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (mkdir(folder, 0700) != 0 && errno != EEXIST)
            return error_set(error, "%.200s: cannot make the folder: %s", folder, strerror(errno));
    }
    return true;
}

static bool find_folder(char folder[FILE_PATH_MAX], Error *error) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length = 0;
    if (state && *state == '/') /* a relative one is to be ignored, says the specification */
        length = snprintf(folder, FILE_PATH_MAX, "%s/stigmergy", state);
    else if (home && *home == '/')
        length = snprintf(folder, FILE_PATH_MAX, "%s/.local/state/stigmergy", home);
    return (length > 0 && length < FILE_PATH_MAX) || error_set(error, "HOME is no absolute path");
}

static int is_kept(const struct dirent *entry) {
    return fnmatch(name_pattern, entry->d_name, 0) == 0;
}

/* Makes room for a game: the oldest are removed. Their names begin with the time, in UTC (before version 0.32 in local
 * time), which sorts them in all time zones. */
static void remove_oldest(const char *folder) {
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_kept, alphasort);
    for (int i = 0; i < count; i++) {
        char path[FILE_PATH_MAX];
        Error error;
        if (i <= count - KEPT_MAX && file_path_in(folder, entries[i]->d_name, path, &error))
            unlink(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* A new name in a folder that exists then. */
static bool make_path(char path[FILE_PATH_MAX], Error *error) {
    char folder[FILE_PATH_MAX], name[64];
    struct timespec now;
    struct tm utc;
    if (!find_folder(folder, error) || !file_path_in(folder, "x", path, error) || !make_folders(path, error))
        return false;
    remove_oldest(folder);
    clock_gettime(CLOCK_REALTIME, &now);
    const size_t length = strftime(name, sizeof name, "play-%Y%m%d-%H%M%SZ", gmtime_r(&now.tv_sec, &utc));
    snprintf(name + length, sizeof name - length, "-%06ld-%d.sgf", now.tv_nsec / 1000, (int)getpid());
    return file_path_in(folder, name, path, error);
}

/* Makes a new file of the game and locks it. */
static bool begin_file(PlaySession *session, const char *text, Error *error) {
    char path[FILE_PATH_MAX];
    return make_path(path, error) && file_write(path, text, strlen(text), error) &&
           line_file_open(&session->kept_file, path, error);
}

/* Keeps the game in its file, which the first call makes. If another program has taken the file meanwhile, that one
 * goes on with this position, and this game gets a new file. */
static bool keep(PlaySession *session, Error *error) {
    LineFile *file = &session->kept_file;
    char *text = play_to_sgf(session, false, error);
    bool good = text && (!play_has_file(session) || line_file_replace(file, text, strlen(text), error));
    if (text && !play_has_file(session))
        good = begin_file(session, text, error);
    free(text);
    if (good)
        session->kept = session->now;
    return good;
}

static void say_failed(const PlaySession *session, const Error *error) {
    fprintf(session->out, "The game could not be kept: %s\n", error->text);
}

/* Without a file, what the person has saved needs none; a file that is there follows the game all the same. */
void play_autosave(PlaySession *session) {
    Error error;
    const bool has_all =
        play_has_all(session, session->kept) || (!play_has_file(session) && play_has_all(session, session->saved));
    if (!session->options.keep || has_all)
        return;
    const bool kept = keep(session, &error);
    if (!kept && !session->warned)
        say_failed(session, &error);
    session->warned = !kept;
}

bool play_say_kept(PlaySession *session) {
    Error error;
    if (!session->options.keep || play_has_all(session, session->saved))
        return false;
    const bool kept = play_has_all(session, session->kept) || keep(session, &error);
    if (kept)
        fprintf(session->out, "The game is kept in %s.\n", session->kept_file.path);
    else
        say_failed(session, &error);
    return kept;
}

void play_leave(PlaySession *session) {
    if (session->options.keep && session->tree->count == 1)
        fprintf(session->out, "No turn was played, so there is no game to keep.\n");
    if (play_say_kept(session)) {
        utimensat(AT_FDCWD, session->kept_file.path, NULL, 0); /* it is the last one now, also without a new turn */
        fprintf(session->out, "To go on: stigmergy play --continue\n");
    }
    fflush(session->out);
}

/* The file that was written last; of several at the same time, the game that began last. */
static const char *find_last(const char *folder, struct dirent **entries, int count) {
    const char *last = entries[count - 1]->d_name;
    int64_t latest = INT64_MIN;
    for (int i = 0; i < count; i++) {
        char path[FILE_PATH_MAX];
        struct stat status;
        Error error;
        if (!file_path_in(folder, entries[i]->d_name, path, &error) || stat(path, &status) != 0)
            continue;
        const int64_t time = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
        if (time >= latest) {
            latest = time;
            last = entries[i]->d_name;
        }
    }
    return last;
}

/* Goes on with a kept game, in its file unless another program has that. The lock comes before the reading, so that all
 * that was written is read. */
static bool go_on(PlaySession *session, const char *path, Error *error) {
    LineFile file = {.descriptor = -1};
    Error reason;
    const bool keep = session->options.keep, own = keep && line_file_open(&file, path, &reason);
    if (!play_load(session, path, true, error)) {
        line_file_close(&file, NULL);
        return false;
    }
    session->kept_file = file;
    if (own)
        session->kept = session->saved;
    else if (keep)
        fprintf(session->out, "%s. From here on the game is kept in a file of its own.\n", reason.text);
    return true;
}

bool play_continue(PlaySession *session, Error *error) {
    char folder[FILE_PATH_MAX], path[FILE_PATH_MAX];
    struct dirent **entries = NULL;
    if (!find_folder(folder, error))
        return false;
    const int count = scandir(folder, &entries, is_kept, alphasort);
    if (count < 0 && errno != ENOENT && errno != ENOTDIR)
        return error_set(error, "%.200s: cannot read: %s", folder, strerror(errno));
    const bool good = (count > 0 || error_set(error, "no game is kept in %.200s", folder)) &&
                      file_path_in(folder, find_last(folder, entries, count), path, error) &&
                      go_on(session, path, error);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return good;
}
