/* See records.h. */
#include "selfplay/runs/generate/records.h"

#include "engine/base/rng.h"
#include "selfplay/io/json.h"
#include "selfplay/record/record_file.h"
#include "selfplay/record/record_line.h"

#include <stdio.h>
#include <string.h>

/* ---- The games of a run ---- */

bool selfplay_boards_open(SelfplayBoards *boards, const SelfplayConfig *config, Error *error) {
    memset(boards, 0, sizeof *boards);
    boards->seed = config->run.seed;
    strcpy(boards->player, config->player.name);
    return selfplay_config_games(config, boards->game, error) && run_config_hash(&config->run, boards->run, error);
}

void selfplay_boards_close(SelfplayBoards *boards) {
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++)
        game_free(boards->game[size]);
    memset(boards, 0, sizeof *boards);
}

static int64_t read_number(const char *id, size_t length) {
    size_t group;
    const int number = game_id_number(id, length, &group);
    const bool own = number >= 0 && group == strlen(SELFPLAY_GROUP) && !strncmp(id, SELFPLAY_GROUP, group);
    return own && number < SELFPLAY_GAMES_MAX ? number : -1;
}

int64_t selfplay_game_number(const char *id) {
    return read_number(id, strlen(id));
}

int64_t selfplay_line_number(const char *line) {
    static const char beginning[] = RECORD_LINE_BEGINNING;
    const char *id = line + strlen(beginning);
    return strncmp(line, beginning, strlen(beginning)) ? -1 : read_number(id, strcspn(id, "\""));
}

/* ---- Reading ---- */

/* A visit of lines that are games of a run. */
typedef struct GameVisit {
    const SelfplayBoards *boards;
    SelfplayVisitor *visitor;
    void *user;
    GameRecord record; /* of the line that is read */
} GameVisit;

/* Says which sizes there are: another --size is the usual reason. */
static bool refuse_size(const SelfplayBoards *boards, const char *source, const cJSON *size, Error *error) {
    char sizes[4 * HEXHEX_MAX_SIZE] = "", found[32] = "wrong or missing";
    size_t length = 0;
    for (int i = 0; i <= HEXHEX_MAX_SIZE; i++)
        if (boards->game[i])
            length += (size_t)snprintf(sizes + length, sizeof sizes - length, length ? ", %d" : "%d", i);
    if (cJSON_IsNumber(size))
        snprintf(found, sizeof found, "%g", size->valuedouble);
    return error_set(error, "%s: 'size' is %s, expected a size of this run (--size): %s", source, found, sizes);
}

/* Reads a parsed line as a game of this run, into the record of the visit. */
static bool read_game(GameVisit *visit, const char *source, const cJSON *json, SelfplayFound *found, Error *error) {
    const SelfplayBoards *boards = visit->boards;
    GameRecord *record = &visit->record;
    const cJSON *size = json_get(json, "size"), *moves = json_get(json, "moves");
    if (!json_get(json, "searches") && !(cJSON_IsArray(moves) && !moves->child)) /* a game resigned at once has none */
        return error_set(
            error, "%s: its games hold no searches; sets are made only from records of `stigmergy selfplay`", source);
    const int index = cJSON_IsNumber(size) ? size->valueint : 0;
    found->game = index >= 0 && index <= HEXHEX_MAX_SIZE ? boards->game[index] : NULL;
    if (!found->game)
        return refuse_size(boards, source, size, error);
    if (!record_from_json(json, source, found->game, record, error))
        return false;
    if (strcmp(record->run, boards->run))
        return error_set(error,
                         "%s: game %s belongs to another run (other settings, seed or program version): expected run "
                         "%s, found '%s'",
                         source, record->id, boards->run, record->run);
    found->record = record;
    found->number = selfplay_game_number(record->id);
    if (found->number < 0)
        return error_set(error, "%s: '%s' is no game of a data set, expected an id such as " SELFPLAY_GROUP "-17",
                         source, record->id);
    return record_has_origin(record, source, rng_split(boards->seed, (uint64_t)found->number),
                             (const char *const[2]){boards->player, boards->player}, error);
}

static bool visit_game(void *user, const char *where, const cJSON *json, const char *line, size_t length,
                       Error *error) {
    GameVisit *visit = user;
    SelfplayFound found = {.line = line, .length = length};
    return read_game(visit, where, json, &found, error) && visit->visitor(visit->user, &found, error);
}

bool selfplay_visit_text(const SelfplayBoards *boards, const char *source, const char *text, size_t length,
                         SelfplayVisitor *visitor, void *user, Error *error) {
    GameVisit visit = {.boards = boards, .visitor = visitor, .user = user};
    const bool good = record_lines_visit(source, text, length, visit_game, &visit, error);
    record_free(&visit.record);
    return good;
}

bool selfplay_files_visit(const RecordFiles *files, const SelfplayBoards *boards, SelfplayVisitor *visitor, void *user,
                          Error *error) {
    GameVisit visit = {.boards = boards, .visitor = visitor, .user = user};
    const bool good = record_files_visit(files, visit_game, &visit, error);
    record_free(&visit.record);
    return good;
}
