/* See recorded_openings.h. */
#include "selfplay/runs/generate/recorded_openings.h"

#include "engine/base/list.h"
#include "selfplay/io/json.h"
#include "selfplay/io/text.h"
#include "selfplay/runs/generate/record_files.h"

#include <sha2.h>

void recorded_openings_open(RecordedOpenings *openings) {
    *openings = (RecordedOpenings){.tried = false};
    pthread_mutex_init(&openings->lock, NULL);
}

void recorded_openings_close(RecordedOpenings *openings) {
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++)
        free(openings->of_size[size].games);
    free(openings->actions);
    pthread_mutex_destroy(&openings->lock);
}

/* ---- Reading ---- */

typedef struct Reading {
    Game *const *games;
    RecordedOpenings *openings;
    GameRecord record;
    SHA2_CTX hash; /* of the lines */
} Reading;

/* Keeps the first half of a game, as far as it fits into an opening. */
static bool keep(RecordedOpenings *openings, const Game *game, const GameRecord *record, Error *error) {
    const int size = game->board.size, count = openings->of_size[size].count, half = record_turns(record, game) / 2;
    RecordedGame kept = {.begin = openings->count, .turns = -1, .komi = record->komi};
    int actions = 0; /* of its turns */
    GameState state;
    game->rules->start(game, &state, record->komi);
    for (int i = 0; i <= OPENING_ACTIONS_MAX && i < record->count && kept.turns < half; i++) {
        if (game->rules->turn_start(&state)) {
            kept.turns++;
            actions = i;
        }
        game->rules->apply(game, &state, record->actions[i]);
    }
    if (kept.turns < 1)
        return true;
    if (!list_grow(&openings->of_size[size].games, &openings->of_size[size].capacity, count + 1, sizeof kept) ||
        !list_grow(&openings->actions, &openings->capacity, openings->count + actions, sizeof(Action)))
        return error_set(error, "openings: out of memory for the recorded games");
    memcpy(openings->actions + openings->count, record->actions, (size_t)actions * sizeof(Action));
    openings->count += actions;
    openings->of_size[size].games[openings->of_size[size].count++] = kept;
    return true;
}

static bool read_line(void *user, const char *where, const cJSON *json, const char *line, size_t length, Error *error) {
    Reading *reading = user;
    const cJSON *size = json_get(json, "size");
    SHA256Update(&reading->hash, (const uint8_t *)line, length);
    SHA256Update(&reading->hash, (const uint8_t *)"\n", 1);
    if (!cJSON_IsNumber(size) || size->valueint < 0 || size->valueint > HEXHEX_MAX_SIZE)
        return error_set(error, "%s: 'size' is wrong or missing, expected the record of a game", where);
    const Game *game = reading->games[size->valueint];
    return !game || (record_from_json(json, where, game, &reading->record, error) &&
                     keep(reading->openings, game, &reading->record, error));
}

/* Reads all games, and writes their hash. */
static bool read_games(RecordedOpenings *openings, const char *from, Game *const games[HEXHEX_MAX_SIZE + 1],
                       char hash[RECORDED_HASH_SIZE], Error *error) {
    Reading reading = {.games = games, .openings = openings};
    uint8_t digest[SHA256_DIGEST_LENGTH];
    RecordFiles files;
    SHA256Init(&reading.hash);
    bool good = record_files_find(&files, from, error) && record_files_visit(&files, read_line, &reading, error);
    record_files_free(&files);
    record_free(&reading.record);
    SHA256Final(digest, &reading.hash);
    text_hex(digest, RECORDED_HASH_SIZE / 2, hash);
    return good;
}

bool recorded_openings_hash(const char *from, Game *const games[HEXHEX_MAX_SIZE + 1], char hash[RECORDED_HASH_SIZE],
                            Error *error) {
    RecordedOpenings openings;
    recorded_openings_open(&openings);
    const bool good = read_games(&openings, from, games, hash, error), none = openings.count == 0;
    recorded_openings_close(&openings);
    return good && (!none || error_set(error, "openings: '%s' has no game on a board of these settings", from));
}

static bool load(RecordedOpenings *openings, const RecordedSettings *settings, Game *const games[HEXHEX_MAX_SIZE + 1],
                 Error *error) {
    char hash[RECORDED_HASH_SIZE];
    return read_games(openings, settings->from, games, hash, error) &&
           (!strcmp(hash, settings->hash) ||
            error_set(error, "openings: '%s' has changed: its games have the hash %s, expected %s", settings->from,
                      hash, settings->hash));
}

bool recorded_openings_load(RecordedOpenings *openings, const RecordedSettings *settings,
                            Game *const games[HEXHEX_MAX_SIZE + 1], Error *error) {
    if (!settings->from[0])
        return true;
    pthread_mutex_lock(&openings->lock);
    if (!openings->tried)
        openings->loaded = load(openings, settings, games, &openings->failure);
    openings->tried = true;
    if (!openings->loaded)
        error_pass(error, &openings->failure);
    pthread_mutex_unlock(&openings->lock);
    return openings->loaded;
}

/* ---- Drawing ---- */

bool recorded_openings_draw(const RecordedOpenings *openings, const Game *game, Rng *rng, Opening *opening) {
    const int size = game->board.size, count = openings->of_size[size].count;
    if (count == 0)
        return false;
    const RecordedGame *recorded = &openings->of_size[size].games[rng_below(rng, (uint32_t)count)];
    const Action *actions = openings->actions + recorded->begin;
    uint32_t turns = 1 + rng_below(rng, (uint32_t)recorded->turns);
    GameState state;
    game->rules->start(game, &state, recorded->komi);
    *opening = (Opening){.komi = recorded->komi};
    while (turns > 0) {
        opening->actions[opening->count] = actions[opening->count];
        game->rules->apply(game, &state, actions[opening->count++]);
        turns -= game->rules->turn_start(&state);
    }
    return true;
}
