/* See run.h. Playing a run: what a thread keeps, the tasks of a round, round after round. */
#include "selfplay/runs/run_internal.h"

#include "engine/base/wall_time.h"
#include "selfplay/io/text.h"

#include <stdlib.h>

/* ---- What threads keep ---- */

static void free_worker(void *self) {
    RunWorker *worker = self;
    for (int i = 0; i < RUN_SEATS_MAX; i++) {
        search_free(worker->seats[i].search);
        gtp_player_free(worker->seats[i].engine);
        search_free(worker->referees[i]);
    }
    record_free(&worker->record);
    free(worker);
}

Seat *run_seat(RunWorker *worker, int number, const Player *player, const Game *game, Error *error) {
    Seat *seat = &worker->seats[number];
    seat->player = player;
    if (!seat->search && !seat->engine)
        seat->search = player_new_search(player, worker->run->networks, game, 0, error);
    return seat->search || seat->engine ? seat : NULL;
}

Search *run_referee(RunWorker *worker, int number, const Game *game, Error *error) {
    Search **referee = &worker->referees[number];
    return *referee ? *referee : (*referee = opening_referee(game, error));
}

bool run_begin_record(RunWorker *worker, GameId id, const Opening *opening, const char *const players[2],
                      Error *error) {
    GameRecord *record = &worker->record;
    record_clear(record);
    game_id_format(worker->run->groups[id.group].name, id.number, record->id);
    strcpy(record->run, worker->run->hash);
    record->komi = opening->komi;
    record->seed = run_seed(worker->run, id);
    for (Side side = BLACK; side <= WHITE; side++)
        text_copy(record->players[side], sizeof record->players[side], players[side]);
    for (int i = 0; i < opening->count; i++)
        if (!record_add(record, opening->actions[i], error))
            return false;
    record->opening_actions = opening->count;
    return true;
}

bool run_contest(RunWorker *worker, GameId id, Seat *black, Seat *white, Error *error) {
    return run_finish(worker, id,
                      contest_play(worker->run->game, (Seat *const[2]){black, white}, pool_stop(worker->pool),
                                   &worker->record, error));
}

bool run_finish(RunWorker *worker, GameId id, ContestEnd end) {
    if (end == CONTEST_FINISHED)
        pool_finish(worker->pool, id, &worker->record);
    return end != CONTEST_FAILED;
}

/* Plays a game that begins as planned: a player against itself on one search, or two players with a search each. */
static bool play_planned(RunWorker *worker, GameId id, Error *error) {
    const Run *run = worker->run;
    const RunStart *start = &worker->start;
    Seat *seats[2];
    worker->start = run_start(run, id);
    for (Side side = BLACK; side <= WHITE; side++) {
        const Side owner = start->plays_itself ? BLACK : side;
        if (!(seats[side] = run_seat(worker, owner, &start->players[owner], run->game, error)))
            return false;
    }
    return run_begin_record(worker, id, &start->opening,
                            (const char *[]){start->players[BLACK].name, start->players[WHITE].name}, error) &&
           run_contest(worker, id, seats[BLACK], seats[WHITE], error);
}

/* ---- Playing ---- */

/* A session on one group, or on all of them side by side. */
typedef struct Play {
    Run *run;
    const RunSession *session;
    int first, count; /* groups */
    int64_t next;     /* the first task of these groups, in turn, that nobody has taken */
    RunProgress progress;
    double begin;
} Play;

static GameId first_of(const Play *play, int64_t task) {
    return (GameId){play->first + (int)(task % play->count),
                    (int)(task / play->count) * run_task_games(play->run->kind)};
}

/* Whether a game of this task is left for this process. */
static bool is_left(const Run *run, GameId first) {
    for (int i = 0; i < run_task_games(run->kind); i++)
        if (!run_has_game(run, (GameId){first.group, first.number + i}))
            return run_is_of_share(run, run->shard, first);
    return false;
}

/* Takes the next task of which a game is not played yet. */
static int take_task(void *user, Error *error) {
    Play *play = user;
    Run *run = play->run;
    for (; play->next < INT32_MAX; play->next++) {
        const GameId id = first_of(play, play->next);
        RunGroup *group = &run->groups[id.group];
        if (id.number >= group->round_end)
            return POOL_NO_TASK;
        if (!is_left(run, id))
            continue;
        if (!run->kind->store && !run_make_room(group, id.number + run_task_games(run->kind), error))
            return POOL_TASK_FAILED;
        return (int)play->next++;
    }
    return POOL_NO_TASK;
}

static bool play_task(GamePool *pool, void **self, int task, Error *error) {
    const Play *play = pool_user(pool);
    if (!*self && !(*self = calloc(1, sizeof(RunWorker))))
        return error_set(error, "out of memory");
    RunWorker *worker = *self;
    worker->run = play->run;
    worker->pool = pool;
    const RunPlanByNumber *by_number = play->run->kind->by_number;
    return (by_number ? by_number->play : play_planned)(worker, first_of(play, task), error);
}

static bool show(Play *play, const GameRecord *record, Error *error) {
    const RunSession *session = play->session;
    play->progress.seconds = wall_seconds() - play->begin;
    play->progress.record = record;
    return !session->progress || session->progress(session->user, &play->progress, error);
}

/* Writes a finished game down and counts it. */
static bool finish_game(void *user, GameId id, const GameRecord *record, bool *wanted, Error *error) {
    Play *play = user;
    Run *run = play->run;
    bool more = true;
    if (run->kind->store) {
        if (!run->kind->store->write(run, id, record, error))
            return false;
        run->groups[id.group].played++;
    } else {
        if (!record_file_append(&run->records, record, error))
            return false;
        run_enter_game(run, id, record, &more);
    }
    *wanted = more || !shard_spec_whole(run->shard); /* a shard plays its whole share */
    play->progress.played++;
    play->progress.played_now++;
    return show(play, record, error);
}

/* Plays what is left of the current round. */
static RunEnd play_round(Play *play, Error *error) {
    const PoolJob job = {.threads = play->session->threads,
                         .stop = play->run->stop,
                         .deadline = play->run->deadline,
                         .take = take_task,
                         .play_task = play_task,
                         .finished = finish_game,
                         .leave = free_worker,
                         .user = play};
    play->next = (int64_t)(play->run->groups[play->first].round_start / run_task_games(play->run->kind)) * play->count;
    const PoolEnd end = pool_run(&job, error);
    if (end == POOL_FAILED || !show(play, NULL, error))
        return RUN_FAILED;
    return end == POOL_DONE ? RUN_DONE : end == POOL_STOPPED ? RUN_STOPPED : RUN_TIME_UP;
}

/* How far the groups of a session are, and how far they are to go. */
static void begin_progress(Play *play) {
    const Run *run = play->run;
    int games = 0, left = 0, played = 0;
    for (int group = play->first; group < play->first + play->count; group++) {
        played += run->groups[group].played;
        if (!shard_spec_whole(run->shard))
            run_count_share(run, run->shard, group, &games, &left);
    }
    const bool all = shard_spec_whole(run->shard);
    play->progress = (RunProgress){.run = run,
                                   .group = run->kind->by_results ? play->first : -1,
                                   .played = all ? played : games - left,
                                   .wanted = all ? run->config->games * play->count : games};
}

/* How a group ends whose next round could not be planned. */
static RunEnd end_unplanned(const Run *run) {
    if (stop_flag_is_set(run->stop))
        return RUN_STOPPED;
    return run->deadline > 0 && wall_seconds() >= run->deadline ? RUN_TIME_UP : RUN_FAILED;
}

/* Plays groups round after round; of a shard its share of one round. */
static RunEnd play_groups(Play *play, Error *error) {
    Run *run = play->run;
    const bool all = shard_spec_whole(run->shard);
    RunEnd end;
    play->begin = wall_seconds();
    begin_progress(play);
    if (!all && play->progress.played == play->progress.wanted)
        return RUN_DONE;
    do {
        bool open = false;
        for (int group = play->first; group < play->first + play->count; group++) {
            if (all && !run_settle(run, group, 0, error))
                return end_unplanned(run);
            open |= run->groups[group].round_start < run->groups[group].round_end;
        }
        if (!open)
            return RUN_DONE;
        end = play_round(play, error);
    } while (all && end == RUN_DONE);
    return end;
}

/* If groups are played one by one: the leg-th of them. Of a shard the longest games come first. */
static int group_of(const Run *run, int leg) {
    return shard_spec_whole(run->shard) ? leg : run->group_count - 1 - leg;
}

/* The share of the remaining time that the leg-th group gets, of all that are still to come. */
static double time_share(const Run *run, int leg) {
    double sum = 0;
    if (!run->kind->time_weight)
        return 1.0 / (run->group_count - leg);
    for (int i = leg; i < run->group_count; i++)
        sum += run->kind->time_weight(run, group_of(run, i));
    return run->kind->time_weight(run, group_of(run, leg)) / sum;
}

RunEnd run_play(Run *run, const RunSession *session, Error *error) {
    const double begin = wall_seconds(), limit = run->config->seconds;
    const int legs = run->kind->by_results ? run->group_count : 1;
    RunEnd last = RUN_DONE;
    for (int leg = 0; leg < legs; leg++) {
        Play play = {.run = run, .session = session, .count = run->group_count};
        if (run->kind->by_results) {
            play.first = group_of(run, leg);
            play.count = 1;
        }
        const double share = run->kind->by_results ? time_share(run, leg) : 1;
        run->deadline = limit > 0 ? wall_seconds() + (begin + limit - wall_seconds()) * share : 0;
        const RunEnd end = play_groups(&play, error);
        if (end == RUN_FAILED || end == RUN_STOPPED)
            return end;
        if (end == RUN_TIME_UP)
            last = end;
    }
    return last;
}
