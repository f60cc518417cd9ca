/* See own_files.h. */
#define _DEFAULT_SOURCE /* scandir's alphasort */
#include "selfplay/dataset/own_files.h"

#include "selfplay/io/atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void dataset_shard_path(const Game *game, int number, char out[DATASET_PATH_MAX]) {
    snprintf(out, DATASET_PATH_MAX, DATASET_SHARDS "/%s-%d-%06d.npz", game->name, game->board.size, number);
}

/* ---- The entries of a folder ---- */

/* Receives the path of an entry in the set, and the whole path. */
typedef bool Visitor(const void *user, const char *path, const char *whole, Error *error);

static bool visit_entry(const char *folder, const char *inner, const char *name, Visitor *visitor, const void *user,
                        Error *error) {
    char path[FILE_PATH_MAX], whole[FILE_PATH_MAX];
    return file_path_in(inner, name, path, error) && file_path_in(folder, path, whole, error) &&
           visitor(user, path, whole, error);
}

static int is_entry(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* Goes through the folder `inner` of the set, if there is one. */
static bool visit(const char *folder, const char *inner, Visitor *visitor, const void *user, Error *error) {
    char whole[FILE_PATH_MAX];
    struct dirent **entries = NULL;
    if (!file_path_in(folder, inner, whole, error))
        return false;
    const int count = scandir(whole, &entries, is_entry, alphasort);
    bool good = count >= 0 || errno == ENOENT || error_set(error, "%s: cannot read: %s", whole, strerror(errno));
    for (int i = 0; i < count; i++) {
        good = good && visit_entry(folder, inner, entries[i]->d_name, visitor, user, error);
        free(entries[i]);
    }
    free(entries);
    return good;
}

/* ---- Links ---- */

static const char *describe(mode_t mode) {
    return S_ISLNK(mode)   ? "a symbolic link"
           : S_ISDIR(mode) ? "a folder"
           : S_ISREG(mode) ? "a regular file"
                           : "a device, a FIFO or a socket";
}

/* Whether what is at a path, if anything, is of a kind. */
static bool is_of_kind(const char *folder, const char *name, mode_t kind, Error *error) {
    char path[FILE_PATH_MAX];
    struct stat status;
    if (!file_path_in(folder, name, path, error))
        return false;
    if (lstat(path, &status) != 0)
        return errno == ENOENT || errno == ENOTDIR || error_set(error, "%s: cannot read: %s", path, strerror(errno));
    return (status.st_mode & S_IFMT) == kind ||
           error_set(error, "%s: is %s, expected %s", path, describe(status.st_mode), describe(kind));
}

static bool is_no_link(const void *user, const char *path, const char *whole, Error *error) {
    struct stat status;
    (void)user, (void)path;
    return lstat(whole, &status) != 0 || !S_ISLNK(status.st_mode) ||
           error_set(error, "%s: is %s, expected none in a data set", whole, describe(status.st_mode));
}

bool dataset_has_no_links(const char *folder, Error *error) {
    static const char *const folders[] = {DATASET_RECORDS, DATASET_SHARDS};
    bool good = is_of_kind(folder, DATASET_OPEN_GAMES, S_IFREG, error);
    for (int i = 0; i < DATASET_DOCUMENTS && good; i++)
        good = is_of_kind(folder, dataset_documents[i], S_IFREG, error);
    for (size_t i = 0; i < sizeof folders / sizeof *folders && good; i++)
        good = is_of_kind(folder, folders[i], S_IFDIR, error) && visit(folder, folders[i], is_no_link, NULL, error);
    return good;
}

/* ---- What is left over ---- */

/* Whether arrays of the set's boards could have this path. */
static bool is_shard(const Dataset *dataset, const char *path) {
    const char *last = strrchr(path, '-');
    const int number = last ? (int)strtol(last + 1, NULL, 10) : 0;
    bool is = false;
    for (int size = 0; size <= HEXHEX_MAX_SIZE && !is; size++)
        if (dataset->boards->game[size]) {
            char expected[DATASET_PATH_MAX];
            dataset_shard_path(dataset->boards->game[size], number, expected);
            is = !strcmp(path, expected);
        }
    return is;
}

static bool sweep_file(const void *user, const char *path, const char *whole, Error *error) {
    const Dataset *dataset = user;
    struct stat status;
    const bool own = file_is_temporary(file_name_of(path)) || is_shard(dataset, path);
    return !own || dataset_has_file(dataset, path) || lstat(whole, &status) != 0 || !S_ISREG(status.st_mode) ||
           file_remove(whole, error);
}

bool dataset_sweep(const Dataset *dataset, Error *error) {
    static const char *const folders[] = {DATASET_SHARDS, DATASET_RECORDS, "."};
    bool good = true;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && good; i++)
        good = visit(dataset->folder, folders[i], sweep_file, dataset, error);
    return good;
}
