/* See run.h. Making a run, its games, its document. */
#include "selfplay/runs/run_internal.h"

#include "engine/base/list.h"
#include "engine/base/rng.h"
#include "engine/games/registry.h"

#include <stdio.h>
#include <stdlib.h>

/* Block k of a group holds the BLOCK * 2^k games from number BLOCK * (2^k - 1) on. */
enum { BLOCK = 64 };

/* ---- Making a run ---- */

static bool make_game(Run *run, Error *error) {
    const GameOptions options = run_config_game(run->config, run->config->size);
    run->game = game_new(&options, error);
    return run->game != NULL;
}

Run *run_new(const RunKind *kind, const RunConfig *config, ShardSpec shard, Error *error) {
    Run *run = calloc(1, sizeof *run);
    if (!run) {
        error_set(error, "out of memory");
        return NULL;
    }
    *run = (Run){.kind = kind, .shard = shard, .records.lines.descriptor = -1};
    run->config = malloc(config->kind->size);
    if (run->config)
        memcpy(run->config, config, config->kind->size);
    bool good = run->config || error_set(error, "out of memory");
    good = good && run_config_check(run->config, error) && run_config_hash(run->config, run->hash, error);
    run->networks = good ? player_networks_new(error) : NULL;
    good = run->networks != NULL;
    run->state = good ? calloc(1, kind->state_size + 1) : NULL; /* never 0 bytes */
    if (good && !run->state)
        good = error_set(error, "out of memory");
    if (good && (kind->store || make_game(run, error)) && kind->begin(run, error))
        return run;
    run_free(run);
    return NULL;
}

bool run_close(Run *run, Error *error) {
    const bool closed = record_file_close(&run->records, error);
    if (!run->kind->store || !run->state)
        return closed;
    return run->kind->store->close(run, closed ? error : NULL) && closed;
}

void run_free(Run *run) {
    if (!run)
        return;
    run_close(run, NULL);
    if (run->kind->close && run->state)
        run->kind->close(run);
    for (int group = 0; group < run->group_count; group++)
        for (int block = 0; block < RUN_BLOCKS; block++)
            free(run->groups[group].blocks[block]);
    free(run->groups);
    game_free(run->game);
    player_networks_free(run->networks);
    free(run->state);
    free(run->config);
    free(run);
}

RunGroup *run_add_group(Run *run, const char *name, uint64_t seed, Error *error) {
    if (!list_grow(&run->groups, &run->group_capacity, run->group_count + 1, sizeof *run->groups)) {
        error_set(error, "out of memory");
        return NULL;
    }
    RunGroup *group = &run->groups[run->group_count++];
    *group = (RunGroup){.seed = seed};
    snprintf(group->name, sizeof group->name, "%s", name);
    return group;
}

/* ---- Games ---- */

/* Finds the block of a game; *number becomes its place in it. Returns the block, and its size in *size. */
static int block_of(int *number, int *size) {
    int block = 0;
    for (*size = BLOCK; *number >= *size; *size *= 2, block++)
        *number -= *size;
    return block;
}

RunGame *run_place(const Run *run, GameId id) {
    int size;
    RunGame *const *block = &run->groups[id.group].blocks[block_of(&id.number, &size)];
    return *block ? *block + id.number : NULL;
}

uint64_t run_seed(const Run *run, GameId id) {
    return rng_split(run->groups[id.group].seed, (uint64_t)id.number);
}

const RunGame *run_game(const Run *run, GameId id) {
    const RunGame *game = run_place(run, id);
    return game && game->played ? game : NULL;
}

void run_format_first(const Run *run, int komi, Action action, char out[GAME_TEXT_MAX]) {
    GameState start;
    run->game->rules->start(run->game, &start, komi);
    run->game->rules->format(run->game, &start, action, out);
}

bool run_has_game(const Run *run, GameId id) {
    return run->kind->store ? run->kind->store->has(run, id) : run_game(run, id) != NULL;
}

bool run_make_room(RunGroup *group, int end, Error *error) {
    while (group->room < end) {
        int place = group->room, size;
        RunGame **block = &group->blocks[block_of(&place, &size)];
        if (!*block && !(*block = calloc((size_t)size, sizeof **block)))
            return error_set(error, "out of memory for %d games", size);
        const int free_places = size - place, wanted = end - group->room;
        group->room += wanted < free_places ? wanted : free_places;
    }
    return true;
}

static int compare_games(const void *left, const void *right) {
    const RunGame *a = *(const RunGame *const *)left, *b = *(const RunGame *const *)right;
    if (a->plan != b->plan)
        return a->plan - b->plan;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

int run_end_of(const Run *run, int group) {
    return run->kind->end_of ? run->kind->end_of(run, group) : run->groups[group].room;
}

int run_sorted_games(const Run *run, int group, const RunGame ***games, Error *error) {
    const int played = run->groups[group].played;
    int count = 0;
    *games = malloc(((size_t)played + 1) * sizeof **games);
    if (!*games) {
        error_set(error, "out of memory for the results of %d games", played);
        return -1;
    }
    const int end = run_end_of(run, group);
    for (int number = 0; number < end; number++) {
        const RunGame *game = run_game(run, (GameId){group, number});
        if (game)
            (*games)[count++] = game;
    }
    qsort(*games, (size_t)count, sizeof **games, compare_games);
    return count;
}

bool run_repeats(const RunGame *const *games, int i) {
    return i > 0 && compare_games(&games[i], &games[i - 1]) == 0;
}

int run_played(const Run *run) {
    int played = 0;
    for (int group = 0; group < run->group_count; group++)
        played += run->groups[group].played;
    return played;
}

int run_counted(const Run *run) {
    int count = 0;
    for (int group = 0; group < run->group_count; group++) {
        const int end = run_end_of(run, group);
        for (int number = 0; number < end; number++)
            count += run_game(run, (GameId){group, number}) != NULL;
    }
    return count;
}

/* ---- The document ---- */

cJSON *run_begin_document(const Run *run, const DocumentContext *context, const char *const *keys) {
    cJSON *json = cJSON_CreateObject(), *identity = run_config_identity(run->config);
    document_add_schema(json, &run->kind->schema);
    for (; *keys; keys++)
        json_add(json, *keys, cJSON_Duplicate(json_get(identity, *keys), true));
    cJSON_AddStringToObject(json, "run", run->hash);
    json_add(json, "settings", identity);
    document_add_context(json, context);
    return json;
}

bool run_write(const Run *run, const DocumentContext *context, const char *path, Error *error) {
    cJSON *json = run->kind->document(run, context, error);
    return json && document_write(json, path, error);
}

/* Refuses to go on where the document counts games, but their file is missing, or empty: a run that began anew would
 * overwrite what is left of them. */
static bool check_games(const Run *run, const char *path, bool empty, Error *error) {
    char records[FILE_PATH_MAX];
    if (run->documented <= 0)
        return true;
    return record_file_path(path, records, error) &&
           ((!empty && record_file_exists(records)) ||
            error_set(error, "%s: is missing or empty, but %s counts %lld games: restore it, or name another result",
                      records, path, (long long)run->documented));
}

/* Where a document has a ladder, its own `games` are those of the highest rung alone. */
int64_t run_games_of(const cJSON *document) {
    const cJSON *games = json_get(document, "games"), *rung;
    int64_t count = 0;
    if (!cJSON_HasObjectItem(document, "ladder"))
        return cJSON_IsNumber(games) ? games->valueint : 0;
    cJSON_ArrayForEach(rung, json_get(document, "ladder")) count += run_games_of(rung);
    return count;
}

/* Reads the document, if there is one, and checks it. The caller deletes *document, in any case. */
static bool read_document(Run *run, const char *path, DocumentContext *context, cJSON **document, Error *error) {
    cJSON *identity = run_config_identity(run->config);
    const bool good = document_resume(path, &run->kind->schema, identity, context, document, &run->damage, error);
    run->documented = *document ? run_games_of(*document) : -1;
    cJSON_Delete(identity);
    return good && check_games(run, path, false, error);
}

bool run_resume(Run *run, const char *path, DocumentContext *context, Error *error) {
    cJSON *document;
    bool good = read_document(run, path, context, &document, error);
    if (good && document && run->kind->resume)
        good = run->kind->resume(run, document, error) || error_prefix(error, "%s: ", path);
    if (good && run->kind->add_timing && shard_spec_whole(run->shard)) /* a shard's own is in its own document */
        run->kind->add_timing(run, json_get(document, "timing"));
    cJSON_Delete(document);
    return good;
}

bool run_lock(Run *run, const char *records, Error *error) {
    return record_file_open(&run->records, records, run->game, run->hash, error);
}

bool run_claim(Run *run, const char *path, const char *records, DocumentContext *context, Error *error) {
    DocumentContext unused;
    cJSON *document;
    const bool good = read_document(run, path, &unused, &document, error);
    cJSON_Delete(document);
    return good && run_lock(run, records, error) && run_resume(run, path, context, error);
}

bool run_check_found(const Run *run, const char *path, Error *error) {
    const bool none = run_played(run) == 0;
    return check_games(run, path, none && run->records.kept + run->kept_aside == 0, error) &&
           (!none || !run->damage.text[0] || error_pass(error, &run->damage));
}

bool run_set_aside(Run *run, const char *path, Error *error) {
    if (!run_check_found(run, path, error))
        return false;
    if (!run->damage.text[0])
        return true;
    const char *source = shard_spec_whole(run->shard) ? "from the records" : "by the next merge";
    return document_set_aside(path, source, &run->damage, error);
}
