/* See run_session.h. */
#include "tools/cli/run_session.h"

#include "engine/base/wall_time.h"
#include "selfplay/runs/shard_document.h"
#include "tools/cli/next_time.h"
#include "tools/cli/output.h"
#include "tools/cli/run_cost.h"
#include "tools/cli/run_tool.h"
#include "tools/cli/tool.h"

#include <string.h>

static const double SAVE_SECONDS = 10; /* at least, between two documents within a round */

typedef struct Session {
    RunCommand *command;
    int argc;
    char **argv;
    Run *run;
    DocumentContext context;
    double begin, seconds_before; /* when this session began, seconds of those before it */
    double save_at;
    bool had_games; /* there was a file for them before */
} Session;

static int fail(const Session *session, int status, const Error *error) {
    return tool_fail(session->argv[0], status, error);
}

/* Ends a session that has not begun to play: it was stopped while the run was opened, or this is wrong. */
static int end_early(const Session *session, int status, const Error *error) {
    return session->run && stop_flag_is_set(session->run->stop) ? run_tool_stopped(session->argc, session->argv)
                                                                : fail(session, status, error);
}

static double seconds_of(const Session *session) {
    return session->seconds_before + wall_seconds() - session->begin;
}

/* Writes the document of the whole run; a shard has one of its own. */
static bool save(Session *session, Error *error) {
    const double begin = wall_seconds();
    if (!shard_spec_whole(session->run->shard))
        return true;
    session->context.seconds = seconds_of(session);
    const bool good = run_write(session->run, &session->context, session->command->options->out, error);
    session->save_at = next_time(begin, SAVE_SECONDS);
    return good;
}

static bool progress(void *user, const RunProgress *now, Error *error) {
    Session *session = user;
    run_line_show(&session->command->line, now);
    return (now->record && wall_seconds() < session->save_at) || save(session, error);
}

static void say_opened(const Session *session, int played) {
    const RecordFile *records = &session->run->records;
    const char *name = session->argv[0];
    if (session->run->damage.text[0])
        fprintf(stderr, "%s: %s\n", name, session->run->damage.text);
    if (records->kept)
        fprintf(stderr,
                "%s: %d games have another number of simulations (such as game %s); they stay in %s, but %s leaves "
                "them out: to have them in it, name all rungs with --ladder\n",
                name, records->kept, records->kept_id, records->lines.path, session->command->options->out);
    if (session->run->dealt_away)
        fprintf(stderr, "%s: %s: other shards play %d of its games with these settings; they are dropped in the end\n",
                name, records->lines.path, session->run->dealt_away);
    run_tool_opened(name, records->lines.path, records->torn, records->repeated, played);
}

static RunEnd play(Session *session, Error *error) {
    const RunSession job = {
        .threads = session->command->options->common.threads, .progress = progress, .user = session};
    const RunEnd end = run_play(session->run, &job, error);
    run_line_clear();
    return end;
}

/* ---- A whole run ---- */

static int play_whole(Session *session) {
    Error error;
    Run *run = session->run;
    session->seconds_before = session->context.seconds;
    say_opened(session, run_counted(run));
    if (!save(session, &error)) { /* an output that cannot be written is found now, not after hours */
        line_file_remove_empty(&run->records.lines, NULL);
        return end_early(session, TOOL_FAILED, &error);
    }
    const RunEnd end = play(session, &error);
    if (end == RUN_FAILED) {
        save(session, NULL); /* what the games took is in no record */
        return fail(session, TOOL_FAILED, &error);
    }
    if (end == RUN_STOPPED)
        return run_tool_stopped(session->argc, session->argv);
    const RunCommand *command = session->command;
    if (!run_sort_records(run, &error) || !save(session, &error) ||
        (command->write_more && !command->write_more(command->options, run, &error)) ||
        !command->print_answer(run, &error))
        return fail(session, TOOL_FAILED, &error);
    printf("The result is in %s, the games are in %s%s.\n", command->options->out, run->records.lines.path,
           command->more ? command->more : "");
    return TOOL_DONE;
}

/* ---- A shard ---- */

/* Prints the command that merges all shards. */
static void print_merge(ShardSpec shard, const char *out) {
    char all[FILE_PATH_MAX];
    shard_spec_pattern(shard, out, ".json", all);
    char *star = strrchr(all, '*'); /* for the shell: not in quotes */
    *star = '\0';
    printf("stigmergy merge ");
    run_tool_print_word(stdout, out);
    printf(" ");
    run_tool_print_word(stdout, all);
    printf("*%s\n", star + 1);
}

static void say_finished(const Session *session, const ShardDocument *document, int games) {
    const ShardSpec shard = session->run->shard;
    if (document->round->child)
        printf("Shard %d of %d: all %d games of its share of this round are played.\n", shard.index, shard.count,
               games);
    else
        printf("The run is finished: nothing is left to play.\n");
    printf("When all shards are finished: ");
    print_merge(shard, session->command->options->out);
}

/* Ends a shard's session: finished, or stopped so that it can go on. */
static bool end_shard(const Session *session, ShardDocument *document, const char *path, bool finished, Error *error) {
    const Run *run = session->run;
    if (run->kind->timing) {
        cJSON_Delete(document->timing);
        document->timing = run->kind->timing(run);
    }
    document->finished = finished;
    document->context.seconds = seconds_of(session);
    return shard_document_write(document, path, error);
}

/* Plays the `left` of `games` games of the share. */
static int play_share(Session *session, ShardDocument *document, const char *path, int games, int left) {
    Error error;
    Run *run = session->run;
    RunEnd end = RUN_DONE;
    if (left < games)
        fprintf(stderr, "%s: shard %d of %d goes on after %d of %d games\n", session->argv[0], run->shard.index,
                run->shard.count, games - left, games);
    document->finished = false;
    session->seconds_before = document->context.seconds;
    if (run->kind->add_timing)
        run->kind->add_timing(run, document->timing);
    if (left > 0) {
        if (!shard_document_write(document, path, &error))
            return fail(session, TOOL_FAILED, &error);
        end = play(session, &error);
    }
    if (end == RUN_FAILED) {
        end_shard(session, document, path, false, NULL); /* as in play_whole */
        return fail(session, TOOL_FAILED, &error);
    }
    if ((end == RUN_DONE && !run_sort_records(run, &error)) ||
        !end_shard(session, document, path, end == RUN_DONE, &error))
        return fail(session, TOOL_FAILED, &error);
    if (end != RUN_DONE)
        return run_tool_stopped(session->argc, session->argv);
    say_finished(session, document, games);
    return TOOL_DONE;
}

/* Reads what an earlier session has left of the shard's document. */
static bool resume_document(const Session *session, ShardDocument *document, const char *path, Error *error) {
    Error damage;
    if (!shard_document_resume(path, document, &damage, error))
        return false;
    if (!damage.text[0])
        return true;
    if (!document_set_aside(path, "from the records", &damage, error))
        return false;
    fprintf(stderr, "%s: %s\n", session->argv[0], damage.text);
    return true;
}

/* Plays what is left for a shard, whose document this is, in the current round. In a finished run that is nothing, but
 * the document is written all the same: a merge needs that of every shard. */
static int play_shard(Session *session, ShardDocument *document, const char *path) {
    Error error;
    Run *run = session->run;
    int games, left;
    say_opened(session, 0);
    run_share(run, run->shard, &games, &left);
    snprintf(document->kind, sizeof document->kind, "%s", run->config->kind->name);
    strcpy(document->run, run->hash);
    document->round = run_round(run);
    document->config = run_config_to_json(run->config);
    if (!document->round || !document->config) {
        error_set(&error, "out of memory");
        return fail(session, TOOL_FAILED, &error);
    }
    if (!resume_document(session, document, path, &error))
        return fail(session, TOOL_USAGE, &error);
    if (!document->finished || left > 0)
        return play_share(session, document, path, games, left);
    say_finished(session, document, games);
    return TOOL_DONE;
}

/* A session that is refused leaves no new file for games. */
static int refuse(const Session *session, const Error *error) {
    if (session->run && !session->had_games)
        line_file_remove_empty(&session->run->records.lines, NULL);
    return end_early(session, TOOL_USAGE, error);
}

static int open_shard(Session *session, const char *merged) {
    Error error;
    Run *run = session->run;
    char path[FILE_PATH_MAX], records[FILE_PATH_MAX];
    ShardDocument document = {.shard = run->shard, .context = session->context};
    const bool good = shard_spec_path(run->shard, session->command->options->out, ".json", path, &error) &&
                      record_file_path(path, records, &error) &&
                      run_claim(run, session->command->options->out, records, &session->context, &error) &&
                      run_open_shard(run, merged, &error) && run_set_aside(run, session->command->options->out, &error);
    const int status = good ? play_shard(session, &document, path) : refuse(session, &error);
    shard_document_free(&document);
    return status;
}

/* Finds out before the work whether the document of the run, or that of the shard, can be written; and whether it has
 * games. */
static bool check_document(Session *session, Error *error) {
    const RunOptions *options = session->command->options;
    const char *schema =
        shard_spec_whole(options->shard) ? session->command->kind->schema.name : shard_document_schema.name;
    char path[FILE_PATH_MAX], games[FILE_PATH_MAX];
    if (!shard_spec_path(options->shard, options->out, ".json", path, error) || !record_file_path(path, games, error))
        return false;
    session->had_games = file_exists(games);
    return output_check(path, schema, error);
}

int run_session(RunCommand *command, int argc, char **argv) {
    Error error;
    char records[FILE_PATH_MAX];
    const RunCostPlayers players = {command->players, command->player_count, command->ends_early};
    if (command->options->dry_run)
        return run_cost_say(command->options, command->kind, run_cost_print, &players, argv[0]);
    Session session = {
        .command = command, .argc = argc, .argv = argv, .context = document_context(), .begin = wall_seconds()};
    run_tool_catch_signals();
    session.run = run_new(command->kind, command->options->config, command->options->shard, &error);
    if (session.run)
        session.run->stop = run_tool_stop();
    const bool good =
        session.run && record_file_path(command->options->out, records, &error) && check_document(&session, &error);
    int status;
    if (good && !shard_spec_whole(command->options->shard))
        status = open_shard(&session, records);
    else if (good && run_claim(session.run, command->options->out, records, &session.context, &error) &&
             run_open(session.run, &error) && run_set_aside(session.run, command->options->out, &error))
        status = play_whole(&session);
    else
        status = refuse(&session, &error);
    return run_tool_end(session.run, status, argv[0]);
}
