/* See dataset_session.h. */
#include "tools/cli/dataset_session.h"

#include "selfplay/dataset/dataset.h"
#include "selfplay/dataset/folder.h"
#include "selfplay/dataset/manifest.h"
#include "selfplay/runs/generate/dataset_files.h"
#include "selfplay/runs/generate/session.h"
#include "tools/cli/dataset_answer.h"
#include "tools/cli/output.h"
#include "tools/cli/run_line.h"
#include "tools/cli/run_tool.h"
#include "tools/cli/tool.h"

#include <stdlib.h>

/* A session of the command. */
typedef struct Session {
    const DatasetCommand *command;
    const char *name; /* what messages begin with */
    SelfplaySession run;
    bool complete; /* the set is there */
} Session;

/* Something went wrong, or the session was stopped. */
static int end_badly(const Session *session, int status, const Error *error) {
    if (stop_flag_is_set(run_tool_stop()))
        return run_tool_stopped(session->command->argc, session->command->argv);
    return tool_fail(session->name, status, error);
}

/* Says what was not as the program had left it. */
static void say(const Session *session, const Error *what) {
    if (what->text[0])
        fprintf(stderr, "%s: %s\n", session->name, what->text);
}

/* ---- Building the set ---- */

/* Makes the set of the games, and says which texts of somebody it has kept. The caller frees the result, also after a
 * failure. */
static bool build(const Session *session, Dataset **out, Error *error) {
    SelfplayState *games = selfplay_state(session->run.run);
    Dataset *dataset = *out = calloc(1, sizeof *dataset);
    if (!dataset)
        return error_set(error, "out of memory for the set");
    dataset->folder = session->run.folder;
    dataset->boards = &games->boards;
    dataset->document = session->run.document;
    dataset->stop = run_tool_stop();
    const bool good = dataset_build(dataset, error);
    for (int i = 0; i < DATASET_TEXTS; i++)
        say(session, &dataset->kept[i]);
    return good;
}

static int make_whole(const Session *session) {
    Error error;
    Dataset *dataset;
    const char *folder = session->run.folder;
    const bool good = build(session, &dataset, &error);
    if (good) {
        dataset_answer_print(dataset);
        printf("The set is in %s; its card is %s/" DATASET_CARD ".\n", folder, folder);
    }
    if (dataset)
        dataset_free(dataset);
    free(dataset);
    return good ? TOOL_DONE : end_badly(session, TOOL_FAILED, &error);
}

/* Packs the games and, unless this is a part of a run, makes the set of them. */
static int finish(Session *session) {
    Error error;
    const Run *run = session->run.run;
    GameStore *store = &selfplay_state(run)->store;
    if (!game_store_finish(store, &error) || !selfplay_session_write(&session->run, &error))
        return tool_fail(session->name, TOOL_FAILED, &error);
    if (shard_spec_whole(run->shard))
        return make_whole(session);
    printf("Shard %d of %d is complete: %lld games in %s.\n", run->shard.index, run->shard.count,
           (long long)store->played, session->run.folder);
    return TOOL_DONE;
}

/* ---- Games that are played ---- */

typedef struct Playing {
    RunLine line;
    SelfplaySession *session; /* NULL: nothing is kept */
} Playing;

static bool progress(void *user, const RunProgress *now, Error *error) {
    Playing *playing = user;
    run_line_show(&playing->line, now);
    return !playing->session || selfplay_session_keep(playing->session, error);
}

/* Plays the games of a run, of a session or of none. */
static RunEnd play_games(Run *run, SelfplaySession *session, int threads, Error *error) {
    Playing playing = {.line = {.shown_at = wall_seconds()}, .session = session};
    const RunSession settings = {.threads = threads, .progress = progress, .user = &playing};
    run->stop = run_tool_stop();
    const RunEnd end = run_play(run, &settings, error);
    run_line_clear();
    return end;
}

RunEnd dataset_session_play(Run *run, int threads, Error *error) {
    return play_games(run, NULL, threads, error);
}

static int play(Session *session) {
    Error error;
    Run *run = session->run.run;
    const char *folder = session->run.folder;
    GameStore *store = &selfplay_state(run)->store;
    if (store->played >= selfplay_run_wanted(run) && session->complete) {
        printf("The set in %s is complete: %lld games.\n", folder, (long long)store->played);
        return game_store_finish(store, &error) ? TOOL_DONE : tool_fail(session->name, TOOL_FAILED, &error);
    }
    run_tool_opened(session->name, store->open.path, store->torn, store->repeated, store->played);
    /* An output that cannot be written is found now, not after hours. */
    if (!dataset_invalidate(folder, &error) || !selfplay_session_write(&session->run, &error))
        return tool_fail(session->name, TOOL_FAILED, &error);
    const RunEnd end = play_games(run, &session->run, session->command->threads, &error);
    if (end == RUN_DONE)
        return finish(session);
    if (end == RUN_FAILED || !selfplay_session_write(&session->run, &error))
        return tool_fail(session->name, TOOL_FAILED, &error);
    return run_tool_stopped(session->command->argc, session->command->argv);
}

/* ---- Games that are taken over ---- */

/* The set that is there stays whole until all sources are known to be good. */
static int take_over(Session *session) {
    Error error;
    const SelfplaySources *sources = &session->command->sources;
    const StopFlag *stop = run_tool_stop();
    if (!selfplay_sources_check(sources, session->run.run, stop, &error))
        return end_badly(session, TOOL_USAGE, &error);
    const bool good = dataset_invalidate(session->run.folder, &error) &&
                      selfplay_sources_take(sources, session->run.run, stop, &error);
    return good ? finish(session) : end_badly(session, TOOL_FAILED, &error);
}

/* ---- The session ---- */

/* Whether a file of the set is none that the command reads. */
static bool spares_inputs(const DatasetCommand *command, const char *path, Error *error) {
    const SelfplayConfig *config = &command->document->config;
    bool good = !command->options || run_options_spare(command->options, "--out", path, &config->player, error);
    for (int i = 0; good && i < config->size_count; i++)
        good = output_spares_network("--out", path, &config->sizes[i].player, error);
    return good;
}

static bool check_folder(const DatasetCommand *command, const char *folder, Error *error) {
    char path[FILE_PATH_MAX];
    for (int i = 0; i < DATASET_DOCUMENTS; i++)
        if (!file_path_in(folder, dataset_documents[i], path, error) ||
            (file_exists(path) && !spares_inputs(command, path, error)))
            return false;
    return dataset_has_no_links(folder, error);
}

/* Finds what there is of the run and of its set. */
static bool open_set(Session *session, const char *folder, Error *error) {
    SelfplaySession *run = &session->run;
    Error damage;
    if (!selfplay_session_open(run, folder, session->command->document, error))
        return false;
    say(session, &run->aside);
    if (!dataset_resume(folder, run->document, selfplay_state(run->run)->store.played, &session->complete, &damage,
                        error) ||
        !selfplay_session_set_aside(run, DATASET_MANIFEST, &damage, error))
        return false;
    say(session, &damage);
    return true;
}

static int make_set(const DatasetCommand *command) {
    Error error;
    char folder[FILE_PATH_MAX];
    int status;
    Session session = {.command = command, .name = command->argv[0]};
    run_tool_catch_signals();
    if (!shard_spec_path(command->document->shard, command->out, "", folder, &error) ||
        !check_folder(command, folder, &error) || !open_set(&session, folder, &error))
        status = tool_fail(session.name, TOOL_USAGE, &error);
    else
        status = command->sources.count ? take_over(&session) : play(&session);
    return run_tool_end(session.run.run, status, session.name);
}

int dataset_session(const DatasetCommand *command) {
    Error error;
    char *made_by = run_tool_command(command->made_by_count, command->made_by, &error);
    if (!made_by)
        return tool_fail(command->argv[0], TOOL_FAILED, &error);
    command->document->command = made_by;
    const int status = make_set(command);
    free(made_by);
    return status;
}
