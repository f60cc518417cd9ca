/* See power_loss.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "tests/support/power_loss.h"

#include "tests/support/fixtures.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { EVENTS_MAX = 512, FILES_MAX = 128, NAMES_MAX = 16, FOLDERS_MAX = 8, NAME_LENGTH = 64, STATES_MAX = 8192 };

/* ---- The log ---- */

typedef enum Kind { WRITE, CUT, SYNC, NAME, RENAME, UNNAME, MAKE_FOLDER, SYNC_NAMES, PROMISE } Kind;

/* WRITE, CUT and SYNC are of a file. NAME gives it a name, RENAME takes its old one away, UNNAME its only one. Names
 * are paths inside the folder; that of SYNC_NAMES is the folder that is synced, "" for the outermost one. */
typedef struct Event {
    Kind kind;
    int file;
    char name[NAME_LENGTH], old[NAME_LENGTH];
    char *text;
    size_t length; /* of the text, or to which the file is cut */
    int promise;
} Event;

static Event events[EVENTS_MAX];
static int event_count, first_event; /* behind those of the files that were there */
static bool logging;

static char root[FIXTURE_PATH_MAX]; /* the folder, without links */

/* The files that were made, by their number. An inode may be used again: then its last file counts. */
static ino_t inodes[FILES_MAX];
static int file_count;

static Event *add_event(Kind kind, int file) {
    assert_true(event_count < EVENTS_MAX);
    Event *event = &events[event_count++];
    *event = (Event){.kind = kind, .file = file};
    return event;
}

static int add_file(const struct stat *status) {
    assert_true(file_count < FILES_MAX);
    inodes[file_count] = status->st_ino;
    return file_count++;
}

static int file_of(const struct stat *status) {
    for (int file = file_count - 1; file >= 0; file--)
        if (inodes[file] == status->st_ino)
            return file;
    fail_msg("a file that nobody has made");
    return -1;
}

static int opened_file(int descriptor) {
    struct stat status;
    assert_int_equal(fstat(descriptor, &status), 0);
    return file_of(&status);
}

static void add_name(Kind kind, int file, const char *old, const char *name) {
    Event *event = add_event(kind, file);
    assert_true(strlen(name) < NAME_LENGTH && strlen(old) < NAME_LENGTH);
    strcpy(event->name, name);
    strcpy(event->old, old);
}

static void add_write(int file, const void *text, size_t length) {
    Event *event = add_event(WRITE, file);
    event->text = malloc(length);
    assert_non_null(event->text);
    memcpy(event->text, text, length);
    event->length = length;
}

/* The path inside the folder that a name has, seen from an open folder or AT_FDCWD; "" for the folder itself. */
static const char *inner_path(int at, const char *name, char out[NAME_LENGTH]) {
    char opened[40], path[FIXTURE_PATH_MAX] = "";
    if (at != AT_FDCWD) {
        snprintf(opened, sizeof opened, "/proc/self/fd/%d", at);
        const ssize_t length = readlink(opened, path, sizeof path - 1);
        assert_true(length > 0);
        path[length] = '\0';
    }
    const size_t length = strlen(path);
    snprintf(path + length, sizeof path - length, "%s%s", length && *name ? "/" : "", name);
    assert_int_equal(strncmp(path, root, strlen(root)), 0);
    const char *inner = path + strlen(root) + (path[strlen(root)] == '/');
    assert_true(strlen(inner) < NAME_LENGTH);
    return strcpy(out, inner);
}

/* ---- The calls ---- */

int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode);
int __real_openat(int at, const char *path, int flags, mode_t mode);
int __wrap_openat(int at, const char *path, int flags, mode_t mode);
ssize_t __real_write(int file, const void *text, size_t length);
ssize_t __wrap_write(int file, const void *text, size_t length);
int __real_ftruncate(int file, off_t length);
int __wrap_ftruncate(int file, off_t length);
int __wrap_fsync(int file);
int __real_linkat(int from, const char *old, int to, const char *name, int flags);
int __wrap_linkat(int from, const char *old, int to, const char *name, int flags);
int __real_renameat(int from, const char *old, int to, const char *name);
int __wrap_renameat(int from, const char *old, int to, const char *name);
int __real_unlink(const char *path);
int __wrap_unlink(const char *path);
int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);

/* A file that has just been made; `name` is its path inside the folder, NULL for one without a name. */
static int made(int descriptor, const char *name) {
    struct stat status;
    if (descriptor < 0)
        return descriptor;
    assert_int_equal(fstat(descriptor, &status), 0);
    const int file = add_file(&status);
    if (name)
        add_name(NAME, file, "", name);
    return descriptor;
}

int __wrap_open(const char *path, int flags, mode_t mode) {
    const bool makes = logging && flags & O_CREAT && access(path, F_OK) != 0;
    const int descriptor = __real_open(path, flags, mode);
    char inner[NAME_LENGTH];
    return makes ? made(descriptor, inner_path(AT_FDCWD, path, inner)) : descriptor;
}

int __wrap_openat(int at, const char *path, int flags, mode_t mode) {
    const int descriptor = __real_openat(at, path, flags, mode);
    if (logging && (flags & O_TMPFILE) == O_TMPFILE)
        return made(descriptor, NULL);
    char inner[NAME_LENGTH];
    return logging && flags & O_EXCL ? made(descriptor, inner_path(at, path, inner)) : descriptor;
}

ssize_t __wrap_write(int file, const void *text, size_t length) {
    if (logging)
        add_write(opened_file(file), text, length);
    return __real_write(file, text, length);
}

int __wrap_ftruncate(int file, off_t length) {
    if (logging)
        add_event(CUT, opened_file(file))->length = (size_t)length;
    return __real_ftruncate(file, length);
}

int __wrap_fsync(int file) {
    struct stat status;
    assert_int_equal(fstat(file, &status), 0);
    if (!logging)
        return 0;
    char inner[NAME_LENGTH];
    if (S_ISDIR(status.st_mode))
        add_name(SYNC_NAMES, -1, "", inner_path(file, "", inner));
    else
        add_event(SYNC, file_of(&status));
    return 0;
}

int __wrap_linkat(int from, const char *old, int to, const char *name, int flags) {
    struct stat status;
    char inner[NAME_LENGTH];
    const int result = __real_linkat(from, old, to, name, flags);
    if (logging && result == 0 && fstatat(to, name, &status, 0) == 0)
        add_name(NAME, file_of(&status), "", inner_path(to, name, inner));
    return result;
}

int __wrap_renameat(int from, const char *old, int to, const char *name) {
    struct stat status;
    char inner_old[NAME_LENGTH], inner[NAME_LENGTH];
    if (logging && fstatat(from, old, &status, 0) == 0)
        add_name(RENAME, file_of(&status), inner_path(from, old, inner_old), inner_path(to, name, inner));
    return __real_renameat(from, old, to, name);
}

int __wrap_unlink(const char *path) {
    char inner[NAME_LENGTH];
    const int result = __real_unlink(path);
    if (logging && result == 0)
        add_name(UNNAME, -1, "", inner_path(AT_FDCWD, path, inner));
    return result;
}

int __wrap_mkdir(const char *path, mode_t mode) {
    char inner[NAME_LENGTH];
    const int result = __real_mkdir(path, mode);
    if (logging && result == 0)
        add_name(MAKE_FOLDER, -1, "", inner_path(AT_FDCWD, path, inner));
    return result;
}

/* ---- Beginning and end ---- */

/* Calls `act` for each file of a folder inside the folder, and of the folders in it; "" is the folder itself. */
static void for_files(const char *inner, void (*act)(const char *path, const char *name)) {
    char path[FIXTURE_PATH_MAX];
    snprintf(path, sizeof path, "%.64s/%.64s", folder, inner);
    DIR *entries = opendir(path);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char name[2 * NAME_LENGTH];
        struct stat status;
        snprintf(name, sizeof name, "%.60s%s%.60s", inner, *inner ? "/" : "", entry->d_name);
        snprintf(path, sizeof path, "%.64s/%s", folder, name);
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        assert_int_equal(stat(path, &status), 0);
        if (S_ISDIR(status.st_mode))
            for_files(name, act);
        else
            act(path, name);
    }
    closedir(entries);
}

static void take_file(const char *path, const char *name) {
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    char *text = read_text(path);
    const int file = add_file(&status);
    add_name(NAME, file, "", name);
    if (status.st_size > 0)
        add_write(file, text, (size_t)status.st_size);
    add_event(SYNC, file);
    free(text);
}

static void remove_file(const char *path, const char *name) {
    (void)name;
    assert_int_equal(__real_unlink(path), 0);
}

void power_loss_begin(void) {
    event_count = file_count = 0;
    assert_non_null(realpath(folder, root));
    for_files("", take_file);
    first_event = event_count; /* what is before it is on the disk */
    logging = true;
}

void power_loss_promise(int number) {
    add_event(PROMISE, -1)->promise = number;
}

void power_loss_end(void) {
    logging = false;
}

/* ---- What a cut leaves ---- */

typedef struct Names {
    int count, files[NAMES_MAX];
    char names[NAMES_MAX][NAME_LENGTH];
} Names;

static void forget_name(Names *names, const char *name) {
    for (int i = 0; i < names->count; i++)
        if (!strcmp(names->names[i], name)) {
            names->files[i] = names->files[--names->count];
            memmove(names->names[i], names->names[names->count], NAME_LENGTH);
            return;
        }
}

static bool changes_names(const Event *event) {
    return event->kind == NAME || event->kind == RENAME || event->kind == UNNAME || event->kind == MAKE_FOLDER;
}

/* Whether the last part of a name lies in a folder. */
static bool lies_in(const char *name, const char *inner) {
    const char *slash = strrchr(name, '/');
    const size_t length = slash ? (size_t)(slash - name) : 0;
    return strlen(inner) == length && !strncmp(name, inner, length);
}

/* Whether a change of names that came before the cut may not have come to the disk. */
static bool name_at_risk(int number, int cut) {
    if (number < first_event || !changes_names(&events[number]))
        return false;
    for (int i = number + 1; i < cut; i++)
        if (events[i].kind == SYNC_NAMES && lies_in(events[number].name, events[i].name))
            return false;
    return true;
}

static void apply_name(const Event *event, Names *names) {
    forget_name(names, event->old);
    forget_name(names, event->name);
    if (event->kind != NAME && event->kind != RENAME)
        return;
    assert_true(names->count < NAMES_MAX);
    names->files[names->count] = event->file;
    strcpy(names->names[names->count++], event->name);
}

/* A folder that is lost takes along what is in it. */
static void lose_folder(const char *inner, Names *names) {
    const size_t length = strlen(inner);
    for (int i = names->count - 1; i >= 0; i--)
        if (!strncmp(names->names[i], inner, length) && names->names[i][length] == '/')
            forget_name(names, names->names[i]);
}

/* What of the namings did not come to the disk: the last `count` of those at risk in one folder; in the other folders
 * none of those at risk, or all. */
typedef struct NameLoss {
    const char *folder;
    int count;
    bool others;
} NameLoss;

/* The names in the folder if power is lost before event `cut`. False if fewer were at risk. */
static bool names_after(int cut, const NameLoss *loss, Names *names) {
    bool lost[EVENTS_MAX] = {false};
    int left = loss->count;
    for (int i = cut - 1; i >= 0; i--)
        if (name_at_risk(i, cut))
            lost[i] = lies_in(events[i].name, loss->folder) ? left-- > 0 : loss->others;
    names->count = 0;
    for (int i = 0; i < cut; i++)
        if (changes_names(&events[i]) && !lost[i])
            apply_name(&events[i], names);
    for (int i = 0; i < cut; i++)
        if (events[i].kind == MAKE_FOLDER && lost[i])
            lose_folder(events[i].name, names);
    return left <= 0;
}

/* What is on the disk of the last write that came there. HOLE: all of it, but nothing of the one before it. EARLY_HOLE:
 * all of these two, but nothing of the one before them. */
typedef enum Tear { WHOLE, HALF, HALF_AND_ZEROS, ZEROS, ONLY_ZEROS, HOLE, EARLY_HOLE, TEARS } Tear;

/* How many writes behind a hole came to the disk; 0: there is none. */
static int behind_hole(Tear tear) {
    return tear == HOLE ? 1 : tear == EARLY_HOLE ? 2 : 0;
}

typedef struct Content {
    char *text;
    size_t length;
} Content;

static bool changes(const Event *event, int file) {
    return event->file == file && (event->kind == WRITE || event->kind == CUT);
}

/* The changes of a file since its last sync. */
static int changes_at_risk(int file, int cut) {
    int count = 0;
    for (int i = 0; i < cut; i++)
        count = events[i].file == file && events[i].kind == SYNC ? 0 : count + changes(&events[i], file);
    return count;
}

static void apply(const Event *event, Tear tear, Content *content) {
    if (event->kind == CUT) {
        content->length = event->length;
        return;
    }
    const size_t half = event->length / 2, length = tear == HALF ? half : event->length;
    const size_t zeros_from = tear == HALF_AND_ZEROS ? half : tear == ZEROS || tear == ONLY_ZEROS ? 0 : length;
    const size_t zeros_to = tear == ONLY_ZEROS ? length : length - 1;
    content->text = realloc(content->text, content->length + length + 1);
    assert_non_null(content->text);
    memcpy(content->text + content->length, event->text, length);
    if (zeros_from < zeros_to)
        memset(content->text + content->length + zeros_from, 0, zeros_to - zeros_from);
    content->length += length;
}

/* The content of a file if power is lost before event `cut`, and the last `lost` of its changes at risk did not come to
 * the disk, and of the one before them only a part. */
static Content content_after(int file, int cut, int lost, Tear tear) {
    Content content = {.length = 0};
    int left = -lost;
    for (int i = 0; i < cut; i++)
        left += changes(&events[i], file);
    for (int i = 0; i < cut && left > 0; i++)
        if (changes(&events[i], file)) {
            left--;
            const int behind = behind_hole(tear);
            apply(&events[i], left != behind ? WHOLE : behind > 0 ? ONLY_ZEROS : tear, &content);
        }
    return content;
}

/* ---- All states ---- */

/* One state: the cut, and what of the namings and of the changes of one file did not come to the disk. The other files
 * have all their changes or, if others_lost is set, none of those at risk. */
typedef struct Loss {
    int cut, chosen, changes;
    NameLoss names;
    bool others_lost;
    Tear tear;
} Loss;

static uint64_t seen[STATES_MAX]; /* hashes of the states that were made */
static int seen_count;

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) { /* FNV-1a */
    for (const unsigned char *byte = bytes; length-- > 0; byte++)
        hash = (hash ^ *byte) * 0x100000001b3;
    return hash;
}

static bool is_new(uint64_t hash) {
    for (int i = 0; i < seen_count; i++)
        if (seen[i] == hash)
            return false;
    assert_true(seen_count < STATES_MAX);
    seen[seen_count++] = hash;
    return true;
}

static int promise_before(int cut) {
    int promise = 0;
    for (int i = 0; i < cut; i++)
        promise = events[i].kind == PROMISE ? events[i].promise : promise;
    return promise;
}

static void write_file(const char *name, const Content *content) {
    char path[FIXTURE_PATH_MAX];
    in_folder(path, name);
    FILE *file = fopen(path, "wb"); /* folders stay: one that is lost is empty */
    assert_non_null(file);
    if (content->length > 0)
        assert_int_equal(fwrite(content->text, 1, content->length, file), content->length);
    assert_int_equal(fclose(file), 0);
}

/* Whether the chosen file can be so torn: only a write that was at risk, and not all of nothing. */
static bool is_possible(const Loss *loss, const Names *names) {
    if (names->count == 0)
        return loss->changes == 0 && loss->tear == WHOLE;
    const int at_risk = changes_at_risk(names->files[loss->chosen], loss->cut);
    const int torn = loss->tear == WHOLE ? 0 : 1 + behind_hole(loss->tear);
    return loss->changes + torn <= at_risk;
}

/* Makes a state and shows it, if it is new. */
static void visit_state(const Loss *loss, const Names *names, void (*visit)(void *user, const PowerLoss *state),
                        void *user) {
    Content contents[NAMES_MAX];
    PowerLoss state = {.promise = promise_before(loss->cut)};
    uint64_t hash = hash_bytes(0xcbf29ce484222325, &state.promise, sizeof state.promise);
    for (int i = 0; i < names->count; i++) {
        const bool chosen = i == loss->chosen;
        const int lost = chosen ? loss->changes : loss->others_lost ? changes_at_risk(names->files[i], loss->cut) : 0;
        contents[i] = content_after(names->files[i], loss->cut, lost, chosen ? loss->tear : WHOLE);
        hash = hash_bytes(hash, names->names[i], strlen(names->names[i]) + 1);
        hash = hash_bytes(hash, contents[i].text, contents[i].length);
    }
    const bool new = is_new(hash);
    if (new)
        for_files("", remove_file);
    for (int i = 0; i < names->count; i++) {
        if (new)
            write_file(names->names[i], &contents[i]);
        free(contents[i].text);
    }
    snprintf(state.text, sizeof state.text, "cut before event %d, %d names lost, %d changes of file %d, tear %d",
             loss->cut, loss->names.count, loss->changes, loss->chosen, (int)loss->tear);
    if (new)
        visit(user, &state);
}

/* All states with the same names. */
static void visit_contents(Loss loss, const Names *names, void (*visit)(void *user, const PowerLoss *state),
                           void *user) {
    const int files = names->count > 0 ? names->count : 1;
    for (int others = 0; others < 2; others++)
        for (loss.chosen = 0; loss.chosen < files; loss.chosen++)
            for (loss.changes = 0, loss.tear = WHOLE; is_possible(&loss, names); loss.changes++, loss.tear = WHOLE)
                for (; loss.tear < TEARS; loss.tear++) {
                    loss.others_lost = others;
                    if (is_possible(&loss, names))
                        visit_state(&loss, names, visit, user);
                }
}

/* All folders whose names change, the outermost one first. */
static int list_folders(const char *folders[FOLDERS_MAX]) {
    int count = 1;
    folders[0] = "";
    for (int i = first_event; i < event_count; i++)
        if (events[i].kind == MAKE_FOLDER || events[i].kind == SYNC_NAMES) {
            int known = 0;
            while (known < count && strcmp(folders[known], events[i].name))
                known++;
            assert_true(known < FOLDERS_MAX);
            folders[known] = events[i].name;
            count += known == count;
        }
    return count;
}

int power_loss_each(void (*visit)(void *user, const PowerLoss *state), void *user) {
    Names names;
    const char *folders[FOLDERS_MAX];
    const int count = list_folders(folders);
    seen_count = 0;
    for (int cut = first_event; cut <= event_count; cut++)
        for (int i = 0; i < 2 * count; i++) {
            Loss loss = {.cut = cut, .names = {.folder = folders[i / 2], .others = i % 2}};
            for (; names_after(cut, &loss.names, &names); loss.names.count++)
                visit_contents(loss, &names, visit, user);
        }
    for_files("", remove_file);
    for (int i = 0; i < event_count; i++)
        free(events[i].text);
    return seen_count;
}
