/* Power is lost while documents and records are written.
 *
 * The calls that change the disk are wrapped (-Wl,--wrap) and written into a log. Then the test makes every state in
 * which a cut after any call of the log may leave the folder, by what POSIX promises and no more: a file has at least
 * what its last fsync covered; of the writes and cuts after it, any beginning may have come to the disk, and the last
 * write of it in part or as zeros. A folder has at least the names that its last fsync covered; of the later ones any
 * beginning. Files and folders are independent of each other. In each state, what was acknowledged must be there. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/line_file.h"
#include "selfplay/record/record_line.h"
#include "tests/support/fixtures.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- The log ---- */

typedef enum Kind { WRITE, CUT, SYNC, NAME, SYNC_NAMES, DONE } Kind;

enum { EVENTS_MAX = 64, TEXT_MAX = 64 };

/* WRITE, CUT and SYNC are of a file, by its inode. NAME gives a file the document's name. DONE: a call of ours has
 * returned, and what it was to write counts. */
typedef struct Event {
    Kind kind;
    ino_t file;
    char text[TEXT_MAX];
    size_t length; /* of the text, or to which the file is cut */
} Event;

static Event events[EVENTS_MAX];
static int event_count;
static const char document_name[] = "document";

static Event *add_event(Kind kind, int descriptor) {
    struct stat status;
    assert_true(event_count < EVENTS_MAX);
    assert_int_equal(descriptor < 0 ? 0 : fstat(descriptor, &status), 0);
    Event *event = &events[event_count++];
    *event = (Event){.kind = kind, .file = descriptor < 0 ? 0 : status.st_ino};
    return event;
}

ssize_t __real_write(int file, const void *text, size_t length);
ssize_t __wrap_write(int file, const void *text, size_t length);
int __real_ftruncate(int file, off_t length);
int __wrap_ftruncate(int file, off_t length);
int __real_fsync(int file);
int __wrap_fsync(int file);
int __real_renameat(int from, const char *name, int to, const char *other);
int __wrap_renameat(int from, const char *name, int to, const char *other);

ssize_t __wrap_write(int file, const void *text, size_t length) {
    Event *event = add_event(WRITE, file);
    assert_true(length < TEXT_MAX);
    memcpy(event->text, text, length);
    event->length = length;
    return __real_write(file, text, length);
}

int __wrap_ftruncate(int file, off_t length) {
    add_event(CUT, file)->length = (size_t)length;
    return __real_ftruncate(file, length);
}

int __wrap_fsync(int file) {
    struct stat status;
    assert_int_equal(fstat(file, &status), 0);
    add_event(S_ISDIR(status.st_mode) ? SYNC_NAMES : SYNC, file);
    return __real_fsync(file);
}

int __wrap_renameat(int from, const char *name, int to, const char *other) {
    struct stat status;
    assert_int_equal(fstatat(from, name, &status, 0), 0);
    add_event(NAME, -1)->file = status.st_ino;
    return __real_renameat(from, name, to, other);
}

static void acknowledge(const char *text) {
    Event *event = add_event(DONE, -1);
    snprintf(event->text, sizeof event->text, "%s", text);
}

/* ---- What a cut leaves ---- */

typedef struct Content {
    char text[1024];
    size_t length;
} Content;

typedef enum Tear { WHOLE, HALF, ZEROS, TEARS } Tear; /* of the last write that came to the disk */

/* The content of a file if power is lost behind event `cut`, and `lost` of its changes since its last sync did not come
 * to the disk. False if there were fewer. */
static bool content_after(ino_t file, int cut, int lost, Tear tear, Content *content) {
    int last = -1, synced = -1;
    for (int i = 0; i < cut; i++)
        if (events[i].kind == SYNC && events[i].file == file)
            synced = i;
    for (int i = cut - 1, left = lost; i > synced; i--)
        if (events[i].file == file && (events[i].kind == WRITE || events[i].kind == CUT) && left-- == 0)
            last = i;
    int changes = 0;
    for (int i = synced + 1; i < cut; i++)
        changes += events[i].file == file && (events[i].kind == WRITE || events[i].kind == CUT);
    if (lost > changes || (lost == changes && tear != WHOLE) ||
        (last >= 0 && events[last].kind == CUT && tear != WHOLE))
        return false;
    *content = (Content){.length = 0};
    for (int i = 0; i <= (last > synced ? last : synced); i++) {
        const Event *event = &events[i];
        if (event->file != file || (event->kind != WRITE && event->kind != CUT))
            continue;
        if (event->kind == CUT) {
            content->length = event->length;
            continue;
        }
        const size_t length = i == last && tear == HALF ? event->length / 2 : event->length;
        memcpy(content->text + content->length, event->text, length);
        if (i == last && tear == ZEROS)
            memset(content->text + content->length, 0, length - 1);
        content->length += length;
    }
    return true;
}

/* The file with the document's name, if `lost` of the namings since the last sync of the folder did not come to the
 * disk; 0: none has it. False if there were fewer. */
static bool named_after(int cut, int lost, ino_t *file) {
    *file = 0;
    int namings = 0;
    for (int i = 0; i < cut; i++)
        namings = events[i].kind == SYNC_NAMES ? 0 : namings + (events[i].kind == NAME);
    int kept = -lost;
    for (int i = 0; i < cut; i++)
        kept += events[i].kind == NAME;
    for (int i = 0; i < cut && kept > 0; i++)
        if (events[i].kind == NAME) {
            *file = events[i].file;
            kept--;
        }
    return lost <= namings;
}

/* The text that was acknowledged last before the cut. */
static const char *acknowledged(int cut) {
    const char *text = "";
    for (int i = 0; i < cut; i++)
        if (events[i].kind == DONE)
            text = events[i].text;
    return text;
}

/* ---- Documents ---- */

static void documents_are_old_or_new(void **unused) {
    (void)unused;
    static const char *const texts[] = {"{\"first\": 1}\n", "{\"second\": 2, \"longer\": true}\n", "{}\n"};
    char path[FIXTURE_PATH_MAX];
    Error error;
    in_folder(path, document_name);
    event_count = 0;
    int held[3]; /* an open file keeps its inode, by which the log knows it */
    for (int i = 0; i < 3; i++) {
        assert_true(file_write(path, texts[i], strlen(texts[i]), &error));
        acknowledge(texts[i]);
        held[i] = open(path, O_RDONLY | O_CLOEXEC);
    }
    int states = 0;
    for (int cut = 0; cut <= event_count; cut++)
        for (int lost_names = 0; lost_names < 4; lost_names++)
            for (int lost = 0; lost < 4; lost++)
                for (Tear tear = WHOLE; tear < TEARS; tear++) {
                    Content content = {.length = 0};
                    ino_t file;
                    if (!named_after(cut, lost_names, &file) ||
                        (file && !content_after(file, cut, lost, tear, &content)))
                        continue;
                    content.text[content.length] = '\0';
                    bool known = !file && !*acknowledged(cut);
                    for (int i = 0; i < 3; i++)
                        known |= file && !strcmp(content.text, texts[i]) &&
                                 (i == 2 || strcmp(acknowledged(cut), texts[i + 1]) != 0);
                    if (!known)
                        fail_msg("cut after %d calls: '%s', acknowledged '%s'", cut, content.text, acknowledged(cut));
                    states++;
                }
    assert_true(states > event_count);
    for (int i = 0; i < 3; i++)
        close(held[i]);
    assert_int_equal(remove(path), 0);
}

/* ---- Records ---- */

static void write_content(const char *path, const Content *content) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content->text, 1, content->length, file), content->length);
    assert_int_equal(fclose(file), 0);
}

/* Opens what a cut has left as a run does, and appends to it. */
static void expect_lines(const char *path, const char *least) {
    const int before = event_count; /* the log is of the past */
    LineFile file;
    Error error;
    size_t length;
    if (!line_file_open(&file, path, &error))
        fail_msg("%s", error.text);
    char *text = file_read(path, &length, &error);
    assert_non_null(text);
    if (!record_lines_whole(path, text, &length, &error) || length < strlen(least) ||
        memcmp(text, least, strlen(least)) != 0)
        fail_msg("'%s' is left, '%s' was acknowledged", text, least);
    free(text);
    assert_true(line_file_cut(&file, length, &error));
    assert_true(line_file_append(&file, "next\n", 5, true, &error));
    assert_true(line_file_close(&file, &error));
    event_count = before;
}

/* In a file that has held `begin` for long, of which the first `whole` bytes are whole lines. */
static void expect_lines_stay(const char *begin, size_t whole) {
    char path[FIXTURE_PATH_MAX], all[TEXT_MAX];
    LineFile file;
    Error error;
    struct stat status;
    Content content = {.length = strlen(begin)};
    in_folder(path, "run.records.jsonl");
    strcpy(content.text, begin);
    write_content(path, &content);
    event_count = 0;
    assert_true(line_file_open(&file, path, &error));
    assert_int_equal(fstat(file.descriptor, &status), 0);
    const ino_t inode = status.st_ino;
    if (*begin) {
        Event *first = add_event(WRITE, file.descriptor);
        strcpy(first->text, begin);
        first->length = strlen(begin);
        add_event(SYNC, file.descriptor);
    }
    assert_true(whole == strlen(begin) || line_file_cut(&file, whole, &error));
    snprintf(all, sizeof all, "%.*s", (int)whole, begin);
    acknowledge(all);
    for (int i = 1; i < 4; i++) {
        char line[32];
        snprintf(line, sizeof line, RECORD_LINE_BEGINNING "4-%d\"}\n", i);
        assert_true(line_file_append(&file, line, strlen(line), true, &error));
        strcat(all, line);
        acknowledge(all);
    }
    assert_true(line_file_close(&file, &error));
    const int calls = event_count;
    int states = 0;
    for (int cut = 1; cut <= calls; cut++)
        for (int lost = 0; lost < 4; lost++)
            for (Tear tear = WHOLE; tear < TEARS; tear++) {
                if (!content_after(inode, cut, lost, tear, &content))
                    continue;
                write_content(path, &content);
                expect_lines(path, acknowledged(cut));
                states++;
            }
    assert_true(states > calls);
    assert_int_equal(remove(path), 0);
}

static void acknowledged_lines_stay(void **unused) {
    (void)unused;
    static const char line[] = RECORD_LINE_BEGINNING "4-0\"}\n", torn[] = RECORD_LINE_BEGINNING "4-0\"}\n{\"torn";
    expect_lines_stay("", 0);
    expect_lines_stay(line, sizeof line - 1);
    expect_lines_stay(torn, sizeof line - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_old_or_new),
        cmocka_unit_test(acknowledged_lines_stay),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
