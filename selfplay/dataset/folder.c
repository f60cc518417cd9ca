/* See folder.h. */
#define _DEFAULT_SOURCE /* scandir's alphasort */
#include "selfplay/dataset/folder.h"

#include "selfplay/io/atomic_file.h"
#include "selfplay/io/document.h"

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
typedef bool Visitor(void *user, const char *path, const char *whole, Error *error);

static bool visit_entry(const char *folder, const char *inner, const char *name, Visitor *visitor, void *user,
                        Error *error) {
    char inside[FILE_PATH_MAX], whole[FILE_PATH_MAX];
    const char *path = *inner ? inside : name;
    return file_path_in(inner, name, inside, error) && file_path_in(folder, path, whole, error) &&
           visitor(user, path, whole, error);
}

static int is_entry(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* Goes through the folder `inner` of the set, if there is one, in the order of names; "" is the set's own. */
static bool visit(const char *folder, const char *inner, Visitor *visitor, void *user, Error *error) {
    char whole[FILE_PATH_MAX];
    struct dirent **entries = NULL;
    if (!file_path_in(folder, *inner ? inner : ".", whole, error))
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

static bool is_no_link(void *user, const char *path, const char *whole, Error *error) {
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

static bool sweep_file(void *user, const char *path, const char *whole, Error *error) {
    const Dataset *dataset = user;
    struct stat status;
    const bool own = file_is_temporary(file_name_of(path)) || is_shard(dataset, path);
    return !own || dataset_has_file(dataset, path) || lstat(whole, &status) != 0 || !S_ISREG(status.st_mode) ||
           file_remove(whole, error);
}

bool dataset_sweep(const Dataset *dataset, Error *error) {
    static const char *const folders[] = {DATASET_SHARDS, DATASET_RECORDS, ""};
    bool good = true;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && good; i++)
        good = visit(dataset->folder, folders[i], sweep_file, (void *)dataset, error);
    return good;
}

/* ---- What is not the set's ---- */

/* What was found so far. */
typedef struct Strangers {
    const Dataset *dataset;
    int more;        /* that found no room in `names` */
    char names[160]; /* of the others */
} Strangers;

/* Whether a path belongs to one of the names. */
static bool is_of_any(const char *path, const char *const *names, int count,
                      bool (*is_of)(const char *, const char *)) {
    bool is = false;
    for (int i = 0; i < count; i++)
        is |= is_of(path, names[i]);
    return is;
}

static bool is_same(const char *path, const char *name) {
    return !strcmp(path, name);
}

/* What a set that is kept with git has. */
static bool is_of_git(const char *path) {
    static const char *const names[] = {".git", ".gitattributes", ".gitignore", ".gitmodules"};
    return is_of_any(path, names, sizeof names / sizeof *names, is_same);
}

/* What was damaged or changed, and kept when the set went on. */
static bool was_set_aside(const char *path) {
    return is_of_any(path, dataset_documents, DATASET_DOCUMENTS, document_was_set_aside);
}

static bool is_known(const Dataset *dataset, const char *path, const char *whole) {
    bool folder;
    return dataset_has_file(dataset, path) || !strcmp(path, DATASET_MANIFEST) || is_of_git(path) ||
           (was_set_aside(path) && file_is_folder(whole, &folder, NULL) && !folder);
}

/* Whether a folder of the set may have this name. */
static bool is_own_folder(const char *path) {
    return !strcmp(path, DATASET_RECORDS) || !strcmp(path, DATASET_SHARDS);
}

static void note(Strangers *found, const char *path) {
    const size_t used = strlen(found->names), room = sizeof found->names - used;
    if (strlen(path) + 3 < room)
        snprintf(found->names + used, room, "%s%s", used ? ", " : "", path);
    else
        found->more++;
}

static bool find_strangers(void *user, const char *path, const char *whole, Error *error) {
    Strangers *found = user;
    if (is_own_folder(path))
        return visit(found->dataset->folder, path, find_strangers, found, error);
    if (!is_known(found->dataset, path, whole))
        note(found, path);
    return true;
}

bool dataset_has_no_strangers(const Dataset *dataset, Error *error) {
    Strangers found = {.dataset = dataset};
    if (!visit(dataset->folder, "", find_strangers, &found, error))
        return false;
    if (found.more)
        return error_set(error, "%s: not in the manifest: %s and %d more", dataset->folder, found.names, found.more);
    return !found.names[0] || error_set(error, "%s: not in the manifest: %s", dataset->folder, found.names);
}
