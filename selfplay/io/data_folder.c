/* See data_folder.h. */
#include "selfplay/io/data_folder.h"

#include "selfplay/io/nearest_word.h"
#include "selfplay/io/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_MAX = 256 }; /* names of a folder that are compared with a wrong one */

/* The folder of the executable, with links resolved: if /usr/bin/stigmergy is a link, the folder of the file that it
 * points to. */
static bool executable_folder(char path[FILE_PATH_MAX], Error *error) {
    const ssize_t length = readlink("/proc/self/exe", path, FILE_PATH_MAX - 1);
    if (length <= 0 || length == FILE_PATH_MAX - 1)
        return error_set(error, "/proc/self/exe: cannot read: %s; set STIGMERGY_DATA to the folder of the data",
                         length < 0 ? strerror(errno) : "the path is too long");
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return error_set(error, "%.200s: the executable is in no folder", path);
    *slash = '\0';
    return true;
}

/* Removes the last name from a path. */
static void go_up(char *path) {
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
}

bool data_folder(char path[FILE_PATH_MAX], Error *error) {
    const char *named = getenv("STIGMERGY_DATA"), *rest = STIGMERGY_DATA_FROM_PROGRAM;
    if (named && named[0])
        return snprintf(path, FILE_PATH_MAX, "%s", named) < FILE_PATH_MAX ||
               error_set(error, "STIGMERGY_DATA: the path is too long");
    if (!executable_folder(path, error))
        return false;
    for (; strncmp(rest, "../", 3) == 0; rest += 3)
        go_up(path);
    const size_t length = strlen(path);
    return snprintf(path + length, FILE_PATH_MAX - length, "/%s", rest) < (int)(FILE_PATH_MAX - length) ||
           error_set(error, "the path of the data folder is too long");
}

/* Whether there is a regular file. If not, errno says why, or is 0 where there is something else. */
static bool is_file(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    errno = 0;
    return S_ISREG(status.st_mode);
}

bool data_look(const char *folder, const char *name, char path[FILE_PATH_MAX], bool *found, Error *error) {
    static const char *const endings[] = {"", ".json", ".jsonl.zst"};
    char data[FILE_PATH_MAX];
    *found = false;
    if (!data_folder(data, error))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && !*found; i++) {
        if (snprintf(path, FILE_PATH_MAX, "%s/%s/%s%s", data, folder, name, endings[i]) >= FILE_PATH_MAX)
            return error_set(error, "%.80s...: the path is too long", path);
        *found = is_file(path);
        if (!*found && errno && errno != ENOENT)
            return error_set(error, "%.200s: %s", path, strerror(errno));
    }
    return true;
}

static bool is_path(const char *name) {
    return strchr(name, '/') || text_ends_with(name, ".json");
}

/* Whether a name is a path unless it is that of an installed file: positions are installed with their ending. */
static bool may_be_path(const char *name) {
    return text_ends_with(name, ".jsonl") || text_ends_with(name, ".jsonl.zst");
}

/* The configuration in a folder whose name is nearest to `name`; "" where none is near. */
static void nearest_name(const char *folder, const char *name, char meant[NEAREST_WORD_MAX + 1]) {
    struct dirent **entries = NULL;
    const char *words[NAMES_MAX];
    const int count = scandir(folder, &entries, NULL, alphasort), used = count < NAMES_MAX ? count : NAMES_MAX;
    for (int i = 0; i < used; i++) {
        entries[i]->d_name[strcspn(entries[i]->d_name, ".")] = '\0';
        words[i] = entries[i]->d_name;
    }
    const char *nearest = nearest_word(name, words, used);
    snprintf(meant, NEAREST_WORD_MAX + 1, "%s", nearest ? nearest : "");
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

static bool refuse_name(const char *folder, const char *name, Error *error) {
    char meant[NEAREST_WORD_MAX + 1];
    nearest_name(folder, name, meant);
    if (meant[0])
        return error_set(error, "%.100s: no configuration of this name in %.160s, did you mean '%s'?", name, folder,
                         meant);
    return error_set(error, "%.100s: no configuration of this name in %.160s; a path has a slash, as in ./%.100s", name,
                     folder, name);
}

/* Takes a name as a path, where there must be a file. */
static bool find_path(const char *name, char path[FILE_PATH_MAX], Error *error) {
    const bool fits = snprintf(path, FILE_PATH_MAX, "%s", name) < FILE_PATH_MAX;
    errno = ENOENT;
    if (fits && is_file(path))
        return true;
    const char *reason = errno == ENOENT ? "no such file" : strerror(errno);
    return error_set(error, "%.200s: %s", name, errno ? reason : "expected a regular file");
}

bool data_find(const char *folder, const char *name, char path[FILE_PATH_MAX], Error *error) {
    bool found;
    if (is_path(name))
        return find_path(name, path, error);
    if (!data_look(folder, name, path, &found, error))
        return false;
    if (found)
        return true;
    if (may_be_path(name))
        return find_path(name, path, error);
    bool folder_there;
    if (file_is_folder(name, &folder_there, error) && folder_there)
        return error_set(error, "%.200s: is a folder, expected a file", name);
    *strrchr(path, '/') = '\0';
    return refuse_name(path, name, error);
}
