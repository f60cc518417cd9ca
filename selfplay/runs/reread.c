/* See reread.h. */
#include "selfplay/runs/reread.h"

#include "selfplay/io/file.h"
#include "selfplay/runs/kinds.h"
#include "selfplay/runs/komi/guess.h"

/* The settings of a run as a configuration has them: there the player has an effort, the document says which. */
static cJSON *settings_of(const RunKind *kind, const cJSON *document) {
    cJSON *settings = cJSON_Duplicate(json_get(document, "settings"), true);
    cJSON_DeleteItemFromObjectCaseSensitive(settings, "engine");
    json_set(settings, "player", cJSON_Duplicate(json_get(document, "player"), true));
    kind->reread->add_effort(settings, document);
    return settings;
}

static Run *run_of(const RunKind *kind, const cJSON *document, const char *path, Error *error) {
    KindConfig config = kind_defaults(kind);
    cJSON *settings = settings_of(kind, document);
    Run *run =
        run_config_read(settings, path, &config.run, error) ? run_new(kind, &config.run, SHARD_WHOLE, error) : NULL;
    cJSON_Delete(settings);
    return run;
}

/* Whether all games were found that the document counts; it may have been written before the last ones. */
static bool has_games(const Run *run, const cJSON *document, const char *records, Error *error) {
    const int64_t counted = run_games_of(document);
    const int played = run_played(run);
    const bool needs_none =
        run->kind->reread->needs_no_games && cJSON_IsNumber(json_get(document, "games")) && counted == 0;
    char packed[FILE_PATH_MAX];
    records = record_file_shown(records, packed);
    if (played == 0 && !needs_none)
        return error_set(error, "%s: has no games of this run", records);
    return played >= counted ||
           error_set(error, "%s: has %d games of this run, expected the %lld that its result counts", records, played,
                     (long long)counted);
}

/* A run whose rounds this version plans as they were played; NULL where it does not. */
static Run *open_planned(const RunKind *kind, const cJSON *document, const char *path, const char *records,
                         const char *hash) {
    Error unused;
    Run *run = run_of(kind, document, path, &unused);
    if (run && !strcmp(run->hash, hash) && kind->reread->open_planned(run, document, records, &unused) &&
        has_games(run, document, records, &unused))
        return run;
    run_free(run);
    return NULL;
}

/* Takes from the document what is in no record. */
static bool take_over(Run *run, const cJSON *document, const char *path, Error *error) {
    const RunKind *kind = run->kind;
    return (kind->reread->take_over(run, document, error) && (!kind->resume || kind->resume(run, document, error))) ||
           error_prefix(error, "%s: ", path);
}

/* A run with games of any version. */
static Run *open_played(const RunKind *kind, const cJSON *document, const char *path, const char *records,
                        const char *hash, Error *error) {
    Run *run = run_of(kind, document, path, error);
    if (run && take_over(run, document, path, error) && run_open_played(run, records, hash, error) &&
        has_games(run, document, records, error))
        return run;
    run_free(run);
    return NULL;
}

static bool find_games(const char *path, char records[FILE_PATH_MAX], Error *error) {
    return record_file_path(path, records, error) &&
           (record_file_exists(records) ||
            error_set(error, "%s: its games are missing, expected %s or %s.zst beside it", path, records, records));
}

static Run *open_run(const RunKind *kind, const cJSON *document, const char *path, Error *error) {
    const cJSON *hash = json_get(document, "run");
    char records[FILE_PATH_MAX];
    if (!cJSON_IsString(hash)) {
        error_set(error, "%s: 'run' is missing, expected the identity of the run", path);
        return NULL;
    }
    if (!find_games(path, records, error))
        return NULL;
    Run *run = kind->reread->open_planned ? open_planned(kind, document, path, records, hash->valuestring) : NULL;
    return run ? run : open_played(kind, document, path, records, hash->valuestring, error);
}

/* The kind of run that a document is of; NULL with an error. */
static const RunKind *kind_of(const char *path, Error *error) {
    cJSON *json = record_file_no_result(path, error) ? json_load(path, error) : NULL;
    const cJSON *name = json_get(json_get(json, "schema"), "name");
    const RunKind *kind = cJSON_IsString(name) ? kind_of_schema(name->valuestring) : NULL;
    const bool known = kind && kind->reread;
    if (json && !known)
        error_set(error, "%s: is not a result of a komi run or of an opening book", path);
    cJSON_Delete(json);
    return known ? kind : NULL;
}

Run *reread_run(const char *path, cJSON **document, Error *error) {
    DocumentContext context;
    const RunKind *kind = kind_of(path, error);
    *document = kind ? document_read(path, &kind->schema, &context, error) : NULL;
    Run *run = *document ? open_run(kind, *document, path, error) : NULL;
    if (run)
        return run;
    cJSON_Delete(*document);
    *document = NULL;
    return NULL;
}

bool reread_guess(Run *run, const char *path, cJSON *document, const Player *player, Error *error) {
    Player settled = *player;
    if (run->kind != &komi_kind || !((const KomiConfig *)run->config)->first_moves)
        return error_set(
            error, "%s: has no forced first moves to guess, expected a result of komi with \"first_moves\": \"each\"",
            path);
    if (!player_settle(&settled, run->config->game, (int)run->config->size, error) ||
        !komi_guess_by(run, &settled, error))
        return false;
    if (!((const KomiState *)run->state)->guessed)
        return error_set(
            error, "%s: has too few komi values to guess what first moves are worth, expected two of a parity", path);
    json_set(document, "guesses_by", player_to_json(&settled));
    return true;
}

cJSON *reread_document(const Run *run, const cJSON *document, Error *error) {
    static const char *const kept[] = {"settings", "started", "seconds", "machine", "guesses_by"};
    const DocumentContext context = document_context();
    cJSON *json = run->kind->document(run, &context, error);
    for (size_t i = 0; json && i < sizeof kept / sizeof kept[0]; i++)
        json_set(json, kept[i], cJSON_Duplicate(json_get(document, kept[i]), true));
    return json;
}
