/* See sources.h. */
#include "selfplay/runs/generate/sources.h"

#include "selfplay/runs/generate/dataset_files.h"
#include "selfplay/runs/generate/document.h"

#include <stdlib.h>
#include <string.h>

/* ---- Shards ---- */

static bool load_claim(const char *folder, ShardClaim *claim, Error *error) {
    SelfplayDocument *document = calloc(1, sizeof *document);
    if (!document)
        return error_set(error, "out of memory");
    const bool good = selfplay_document_load(folder, document, error);
    *claim = (ShardClaim){.path = folder, .shard = document->shard};
    strcpy(claim->run, document->run);
    free(document);
    return good;
}

bool selfplay_sources_check_shards(const SelfplaySources *sources, Error *error) {
    ShardClaim *claims = calloc((size_t)sources->count, sizeof *claims);
    bool good = claims || error_set(error, "out of memory for %d shards", sources->count);
    for (int i = 0; good && i < sources->count; i++)
        good = load_claim(sources->paths[i], &claims[i], error);
    good = good && shard_claims_check(claims, sources->count, error);
    free(claims);
    return good;
}

/* ---- Settings ---- */

/* Whether what is said are the settings of a source. `path` is that of its document. */
static bool agrees(const SelfplayConfig *said, const SelfplayDocument *source, const char *path, Error *error) {
    SelfplayConfig config = *said;
    char hash[RECORD_RUN_MAX];
    strcpy(config.engine, source->config.engine); /* which nobody says */
    if (!run_config_check(&config.run, error) || !run_config_hash(&config.run, hash, error))
        return false;
    return (!strcmp(hash, source->run) && config.run.games == source->config.run.games) ||
           error_set(error,
                     "%s: is of another run than the options say, expected only --out, --rows, --license and a "
                     "--config of rows, license, creator and url beside --from",
                     path);
}

bool selfplay_sources_settle(const SelfplaySources *sources, const SelfplaySaid *said, SelfplayConfig *config,
                             Error *error) {
    char path[FILE_PATH_MAX];
    SelfplayDocument source = {.command = NULL};
    bool alone = true; /* the file says nothing of the games */
    if (!file_path_in(sources->paths[0], DATASET_RUN, path, NULL) || !file_exists(path))
        return run_config_check(&config->run, error);
    if (!selfplay_document_load(sources->paths[0], &source, error) ||
        (said->file && !selfplay_config_load_layout(said->file, &source.config, &alone, error)) ||
        ((said->games || !alone) && !agrees(config, &source, path, error)))
        return false;
    if (said->rows)
        source.config.rows = config->rows;
    if (said->license)
        strcpy(source.config.license, config->license);
    *config = source.config;
    return run_config_check(&config->run, error);
}

/* ---- Taking games over ---- */

typedef struct Import {
    Run *run;
    const StopFlag *stop;
    bool *there;        /* of each game of the run: whether a source has it */
    const char *source; /* that is read */
} Import;

/* Whether a game of a source may be one of the run's. */
static bool expect_game(const Import *import, int64_t number, Error *error) {
    const int64_t end = import->run->config->games;
    if (stop_flag_is_set(import->stop))
        return error_set(error, "%s: stopped before all games were there", selfplay_state(import->run)->store.folder);
    return number < end || error_set(error, "%s: has game-%lld, expected --games %lld or more, not %lld",
                                     import->source, (long long)number, (long long)number + 1, (long long)end);
}

static bool find_game(void *user, const SelfplayFound *found, Error *error) {
    const Import *import = user;
    if (!expect_game(import, found->number, error))
        return false;
    import->there[found->number] = true;
    return true;
}

/* Takes over a game whose line another program has written. */
static bool take_rewritten(GameStore *store, const SelfplayFound *found, Error *error) {
    char *line = record_to_line(found->record, found->game, error);
    const bool good = line && game_store_take_line(store, found->number, line, strlen(line) - 1, error);
    free(line);
    return good;
}

static bool import_game(void *user, const SelfplayFound *found, Error *error) {
    const Import *import = user;
    const int64_t number = found->number;
    GameStore *store = &selfplay_state(import->run)->store;
    size_t length = found->length;
    /* Without ends of lines as in Windows: equal games make equal files. */
    while (length > 0 && found->line[length - 1] == '\r')
        length--;
    if (!expect_game(import, number, error))
        return false;
    if (!shard_spec_has(import->run->shard, number) || game_store_has(store, number))
        return true;
    return selfplay_line_number(found->line) == number ? game_store_take_line(store, number, found->line, length, error)
                                                       : take_rewritten(store, found, error);
}

static bool visit_source(Import *import, const char *path, SelfplayVisitor *visitor, Error *error) {
    const SelfplayState *state = selfplay_state(import->run);
    RecordFiles files;
    bool own; /* the games of the run's own folder are there already */
    if (!file_is_same(state->store.folder, path, &own, error))
        return false;
    if (own)
        return true;
    import->source = path;
    const bool good =
        record_files_find(&files, path, error) && selfplay_files_visit(&files, &state->boards, visitor, import, error);
    record_files_free(&files);
    return good;
}

/* The shard among the sources that should have a game; NULL without one. */
static const char *shard_with(const SelfplaySources *sources, int64_t number) {
    SelfplayDocument *document = calloc(1, sizeof *document);
    const char *shard = NULL;
    Error none; /* a source need not be a folder */
    for (int i = 0; i < sources->count && document && !shard; i++)
        if (selfplay_document_load(sources->paths[i], document, &none) && !shard_spec_whole(document->shard) &&
            shard_spec_has(document->shard, number))
            shard = sources->paths[i];
    free(document);
    return shard;
}

static bool refuse_missing(const SelfplaySources *sources, const Run *run, int64_t missing, int64_t first,
                           Error *error) {
    const char *shard = shard_with(sources, first);
    return error_set(error, "the records: %lld of %lld games are missing, the first is game-%lld%s%s%s",
                     (long long)missing, (long long)selfplay_run_wanted(run), (long long)first, shard ? ", which " : "",
                     shard ? shard : "", shard ? " should have" : "");
}

/* Whether every game of the run is there or in a source. */
static bool is_whole(const SelfplaySources *sources, const Import *import, Error *error) {
    const Run *run = import->run;
    int64_t missing = 0, first = -1;
    for (int64_t number = 0; number < run->config->games; number++)
        if (shard_spec_has(run->shard, number) && !import->there[number] &&
            !game_store_has(&selfplay_state(run)->store, number) && missing++ == 0)
            first = number;
    return missing == 0 || refuse_missing(sources, run, missing, first, error);
}

bool selfplay_sources_check(const SelfplaySources *sources, Run *run, const StopFlag *stop, Error *error) {
    Import import = {run, stop, calloc((size_t)run->config->games, sizeof *import.there), NULL};
    bool good = import.there || error_set(error, "out of memory for %lld games", (long long)run->config->games);
    for (int i = 0; i < sources->count && good; i++)
        good = visit_source(&import, sources->paths[i], find_game, error);
    good = good && is_whole(sources, &import, error);
    free(import.there);
    return good;
}

bool selfplay_sources_take(const SelfplaySources *sources, Run *run, const StopFlag *stop, Error *error) {
    Import import = {run, stop, NULL, NULL};
    bool good = true;
    for (int i = 0; i < sources->count && good; i++)
        good = visit_source(&import, sources->paths[i], import_game, error);
    return good;
}
