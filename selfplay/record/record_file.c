/* See record_file.h. */
#include "selfplay/record/record_file.h"

#include "selfplay/io/json.h"
#include "selfplay/io/text.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/record/record_line.h"

#include <stdio.h>
#include <stdlib.h>

enum { NUMBER_DIGITS = 9 };
_Static_assert(RECORD_NUMBER_MAX == 1000000000, "the numbers below it have so many digits");

bool record_file_path(const char *result, char path[FILE_PATH_MAX], Error *error) {
    const size_t length = strlen(result), stem = length - (text_ends_with(result, ".json") ? 5 : 0);
    if (length + 16 > FILE_PATH_MAX)
        return error_set(error, "%.80s...: the path is too long", result);
    if (!*file_name_of(result))
        return error_set(error, "'%.200s': is the path of a folder, expected a file name", result);
    snprintf(path, FILE_PATH_MAX, "%.*s.records.jsonl", (int)stem, result);
    return true;
}

bool record_file_named(const char *path) {
    return text_ends_with(path, ".records.jsonl") || text_ends_with(path, ".records.jsonl.zst");
}

bool record_file_no_result(const char *path, Error *error) {
    return !record_file_named(path) ||
           error_set(error, "%s: holds games, expected a result document: FILE.json for FILE.records.jsonl", path);
}

/* Whether there is a packed file PATH.zst; `packed` becomes its name. */
static bool find_packed(const char *path, char packed[FILE_PATH_MAX]) {
    return snprintf(packed, FILE_PATH_MAX, "%s.zst", path) < FILE_PATH_MAX && file_exists(packed);
}

const char *record_file_shown(const char *path, char packed[FILE_PATH_MAX]) {
    return !file_exists(path) && find_packed(path, packed) ? packed : path;
}

bool record_file_exists(const char *path) {
    char packed[FILE_PATH_MAX];
    return file_exists(path) || find_packed(path, packed);
}

/* Reads the packed file beside one that is missing or has no lines: PATH.zst. Without one *text stays as it is. */
static bool unpack(const char *path, char **text, size_t *length, Error *error) {
    char packed[FILE_PATH_MAX];
    if (*length > 0 || !find_packed(path, packed))
        return true;
    char *unpacked = zstd_file_read(packed, length, error);
    if (!unpacked)
        return false;
    free(*text);
    *text = unpacked;
    if (*length > 0 && unpacked[*length - 1] != '\n')
        return error_set(error, "%s: its last line has no end, expected whole records", packed);
    return record_lines_whole(packed, unpacked, length, error);
}

/* One line of the file. */
typedef struct Line {
    GameId id;
    const char *text; /* within the text of the file, without the newline */
    size_t length;
} Line;

static int compare_content(const Line *a, const Line *b) {
    const size_t shorter = a->length < b->length ? a->length : b->length;
    const int order = memcmp(a->text, b->text, shorter);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* By group and number, then as they stand in the file. All groups that do not count in this session have one number, so
 * their games are told apart by what is in their lines. */
static int compare_lines(const void *left, const void *right) {
    const Line *a = left, *b = right;
    if (a->id.group != b->id.group)
        return a->id.group - b->id.group;
    if (a->id.number != b->id.number)
        return a->id.number - b->id.number;
    const int order = a->id.group < 0 ? compare_content(a, b) : 0;
    return order ? order : (a->text > b->text) - (a->text < b->text);
}

static bool same_game(const Line *a, const Line *b) {
    return a->id.group == b->id.group && a->id.number == b->id.number &&
           (a->id.group >= 0 || compare_content(a, b) == 0);
}

void game_id_format(const char *group, int number, char out[RECORD_ID_MAX]) {
    snprintf(out, RECORD_ID_MAX, "%s-%d", group, number);
}

int game_id_number(const char *id, size_t length, size_t *group) {
    int number = 0;
    size_t begin = length;
    while (begin > 0 && id[begin - 1] >= '0' && id[begin - 1] <= '9')
        begin--;
    const size_t digits = length - begin;
    if (digits == 0 || digits > NUMBER_DIGITS || (digits > 1 && id[begin] == '0') || begin == 0 || id[begin - 1] != '-')
        return -1;
    for (size_t i = begin; i < length; i++)
        number = 10 * number + (id[i] - '0');
    *group = begin - 1;
    return number;
}

/* Splits a name into group and number. */
static bool split_id(const RecordGroups *groups, const char *id, GameId *out) {
    size_t group;
    const int number = game_id_number(id, strlen(id), &group);
    if (number < 0)
        return false;
    *out = (GameId){groups->find(groups->user, id, group), number};
    return true;
}

/* Reads the id of a line's game. */
static bool read_id(const RecordGroups *groups, const char *source, const cJSON *json, Line *line, Error *error) {
    const cJSON *id = json_get(json, "id");
    if (!cJSON_IsString(id))
        return error_set(error, "%s: 'id' is wrong or missing, expected a string such as 800-17", source);
    return split_id(groups, id->valuestring, &line->id) ||
           error_set(error, "%s: '%s' is not a game of this run, expected an id such as 800-17", source,
                     id->valuestring);
}

/* Lists the lines of a text in the order of their games. Writes an array that the caller frees, and returns the number
 * of lines or -1. */
static int list_lines(const char *path, const RecordGroups *groups, const char *text, size_t length, Line **out,
                      Error *error) {
    int count = 0, capacity = 1;
    for (size_t i = 0; i < length; i++)
        capacity += text[i] == '\n';
    Line *lines = calloc((size_t)capacity, sizeof *lines);
    bool good = lines || error_set(error, "out of memory for %d records", capacity);
    for (const char *line = text, *end; good && line < text + length; line = end + 1) {
        end = memchr(line, '\n', (size_t)(text + length - line));
        char source[FILE_PATH_MAX + 32];
        snprintf(source, sizeof source, "%s: line %d", path, count + 1);
        cJSON *json = json_parse(line, (size_t)(end - line), source, error);
        lines[count].text = line;
        lines[count].length = (size_t)(end - line);
        good = json && read_id(groups, source, json, &lines[count++], error);
        cJSON_Delete(json);
    }
    if (!good) {
        free(lines);
        return -1;
    }
    qsort(lines, (size_t)count, sizeof *lines, compare_lines);
    *out = lines;
    return count;
}

static int line_number(const char *text, const Line *line) {
    int number = 1;
    for (const char *c = text; c < line->text; c++)
        number += *c == '\n';
    return number;
}

/* Reads one line as a game of this run. */
static bool read_line(const RecordFile *file, const char *source, const Line *line, GameRecord *record, Error *error) {
    if (!record_from_line(line->text, line->length, source, file->game, record, error))
        return false;
    return !strcmp(record->run, file->run) ||
           error_set(error,
                     "%s: game %s belongs to another run (other settings, seed or program version): expected run %s, "
                     "found '%s'",
                     source, record->id, file->run, record->run);
}

/* Whether a record whose id stood in the line before, too, can be of the same game. */
static bool is_repetition(const char *source, const GameRecord *record, const GameRecord *before, Error *error) {
    return record_has_origin(record, source, before->seed,
                             (const char *[]){before->players[BLACK], before->players[WHITE]}, error);
}

/* Reads one line. Its number is only found when an error needs it: then the line is read again. */
static bool read_numbered(const RecordFile *file, const char *text, const Line *line, GameRecord *record,
                          Error *error) {
    Error unnumbered;
    char source[FILE_PATH_MAX + 32];
    if (read_line(file, file->lines.path, line, record, &unnumbered))
        return true;
    snprintf(source, sizeof source, "%s: line %d", file->lines.path, line_number(text, line));
    return read_line(file, source, line, record, error); /* at times there is memory the second time */
}

/* Enters the record of a line. `before` is that of the line before if that was the same game, else NULL. */
static bool enter_line(RecordFile *file, const RecordGroups *groups, const Line *line, const GameRecord *record,
                       const GameRecord *before, Error *error) {
    const char *path = file->lines.path;
    if (line->id.group == RECORD_GROUP_UNKNOWN)
        return error_set(error, "%s: '%s' is not a game of this run", path, record->id);
    if (before) {
        file->repeated++;
        return is_repetition(path, record, before, error);
    }
    if (line->id.group >= 0)
        return groups->enter(groups->user, path, line->id, record, error);
    if (file->kept++ == 0)
        strcpy(file->kept_id, record->id);
    return true;
}

static bool enter_lines(RecordFile *file, const RecordGroups *groups, const char *text, const Line *lines, int count,
                        Error *error) {
    GameRecord records[2] = {0}; /* of a line and of the line before, in turn */
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        GameRecord *record = &records[i % 2];
        const bool same = i > 0 && same_game(&lines[i], &lines[i - 1]);
        good = read_numbered(file, text, &lines[i], record, error) &&
               enter_line(file, groups, &lines[i], record, same ? &records[(i + 1) % 2] : NULL, error);
    }
    record_free(&records[0]);
    record_free(&records[1]);
    return good;
}

/* Enters all games of a text. */
static bool enter_text(RecordFile *file, const RecordGroups *groups, const char *text, size_t length, Error *error) {
    Line *lines = NULL;
    const int count = list_lines(file->lines.path, groups, text, length, &lines, error);
    const bool good = count >= 0 && enter_lines(file, groups, text, lines, count, error);
    free(lines);
    return good;
}

bool record_file_open(RecordFile *file, const char *path, const Game *game, const char *run, Error *error) {
    memset(file, 0, sizeof *file);
    file->game = game;
    snprintf(file->run, sizeof file->run, "%s", run);
    return line_file_open(&file->lines, path, error);
}

bool record_file_load(RecordFile *file, const RecordGroups *groups, Error *error) {
    const char *path = file->lines.path;
    size_t size = 0;
    char *text = file_read(path, &size, error);
    size_t length = size;
    bool good = text && record_lines_whole(path, text, &length, error);
    const bool empty = length == 0;
    file->torn = length < size;
    /* Nothing is cut off before all lines are known to be games of this run. */
    good = good && unpack(path, &text, &length, error) && enter_text(file, groups, text, length, error);
    if (good && empty && length > 0)
        good = line_file_replace(&file->lines, text, length, error);
    else if (good && file->torn)
        good = line_file_cut(&file->lines, length, error);
    free(text);
    return good;
}

bool record_text_read(const char *path, const char *text, size_t length, const Game *game, const char *run,
                      const RecordGroups *groups, Error *error) {
    RecordFile file = {.lines.descriptor = -1, .game = game};
    snprintf(file.lines.path, sizeof file.lines.path, "%s", path);
    snprintf(file.run, sizeof file.run, "%s", run);
    return record_lines_whole(path, text, &length, error) && enter_text(&file, groups, text, length, error);
}

bool record_file_read(const char *path, const Game *game, const char *run, const RecordGroups *groups, Error *error) {
    size_t length;
    char *text = line_file_read(path, &length, error), packed[FILE_PATH_MAX];
    const bool good = text && unpack(path, &text, &length, error) &&
                      record_text_read(record_file_shown(path, packed), text, length, game, run, groups, error);
    free(text);
    return good;
}

bool record_file_close(RecordFile *file, Error *error) {
    return line_file_close(&file->lines, error);
}

bool record_file_append(RecordFile *file, const GameRecord *record, Error *error) {
    char *line = record_to_line(record, file->game, error);
    const bool good = line && line_file_append(&file->lines, line, strlen(line), error);
    free(line);
    return good;
}

/* Writes the lines to keep, in order, to `end`. Returns where they end. *changed becomes true if they differ from the
 * file. */
static char *write_in_order(const RecordGroups *groups, const Line *lines, int count, char *end, bool *changed) {
    for (int i = 0; i < count; i++) {
        const bool twice = i > 0 && same_game(&lines[i], &lines[i - 1]);
        const bool kept = lines[i].id.group < 0 || groups->keep(groups->user, lines[i].id);
        *changed |= i > 0 && lines[i].text < lines[i - 1].text;
        if (twice || !kept) {
            *changed = true;
            continue;
        }
        memcpy(end, lines[i].text, lines[i].length);
        end += lines[i].length;
        *end++ = '\n';
    }
    return end;
}

/* Replaces the file by the lines of a text, in order. Does nothing if the text is the file's own (`own`) and in order
 * already. */
static bool write_text(RecordFile *file, const char *text, size_t length, bool own, const RecordGroups *groups,
                       Error *error) {
    Line *lines = NULL;
    size_t whole = length;
    const int count = record_lines_whole(file->lines.path, text, &whole, error)
                          ? list_lines(file->lines.path, groups, text, whole, &lines, error)
                          : -1;
    char *ordered = count >= 0 ? malloc(length + 1) : NULL;
    bool good = count >= 0, changed = !own || whole < length;
    if (good && !ordered)
        good = error_set(error, "out of memory to sort %d records", count);
    if (good) {
        const char *end = write_in_order(groups, lines, count, ordered, &changed);
        good = !changed || line_file_replace(&file->lines, ordered, (size_t)(end - ordered), error);
    }
    free(ordered);
    free(lines);
    return good;
}

bool record_file_join(RecordFile *file, const char *more, size_t length, const RecordGroups *groups, Error *error) {
    size_t own;
    char *text = file_read(file->lines.path, &own, error);
    char *both = text ? realloc(text, own + length + 1) : NULL;
    if (text && !both)
        error_set(error, "%s: out of memory for %zu more bytes", file->lines.path, length);
    if (!both) {
        free(text);
        return false;
    }
    memcpy(both + own, more, length);
    both[own + length] = '\0';
    const bool good = write_text(file, both, own + length, false, groups, error);
    free(both);
    return good;
}

bool record_file_sort(RecordFile *file, const RecordGroups *groups, Error *error) {
    size_t length;
    char *text = file_read(file->lines.path, &length, error);
    const bool good = text && write_text(file, text, length, true, groups, error);
    free(text);
    return good;
}
