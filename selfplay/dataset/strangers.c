/* See strangers.h. */
#include "selfplay/dataset/strangers.h"

#include "selfplay/io/document.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_known(const Dataset *dataset, const char *path) {
    char whole[FILE_PATH_MAX];
    bool folder;
    return dataset_has_file(dataset, path) || !strcmp(path, DATASET_MANIFEST) || is_of_git(path) ||
           (was_set_aside(path) && file_path_in(dataset->folder, path, whole, NULL) &&
            file_is_folder(whole, &folder, NULL) && !folder);
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

static int compare_names(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

static int is_entry(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* Looks through the folder `inner` of the set; "" is the set's own. */
static bool look_through(Strangers *found, const char *inner, Error *error) {
    char folder[FILE_PATH_MAX];
    struct dirent **entries;
    if (!file_path_in(found->dataset->folder, *inner ? inner : ".", folder, error))
        return false;
    const int count = scandir(folder, &entries, is_entry, compare_names);
    if (count < 0)
        return error_set(error, "%s: cannot read: %s", folder, strerror(errno));
    bool good = true;
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s%s%s", inner, *inner ? "/" : "", entries[i]->d_name);
        if (good && !*inner && is_own_folder(path))
            good = look_through(found, path, error);
        else if (good && !is_known(found->dataset, path))
            note(found, path);
        free(entries[i]);
    }
    free(entries);
    return good;
}

bool dataset_has_no_strangers(const Dataset *dataset, Error *error) {
    Strangers found = {.dataset = dataset};
    if (!look_through(&found, "", error))
        return false;
    if (found.more)
        return error_set(error, "%s: not in the manifest: %s and %d more", dataset->folder, found.names, found.more);
    return !found.names[0] || error_set(error, "%s: not in the manifest: %s", dataset->folder, found.names);
}
