/* See run_line.h. */
#include "tools/cli/run_line.h"

#include "engine/base/wall_time.h"
#include "tools/cli/next_time.h"

#include <stdio.h>
#include <unistd.h>

static const double DESCRIBE_SECONDS = 0.5; /* at least, between two estimates for the line */

/* A group of games: "800 simulations a move", "even komi". */
static void print_group(const Run *run, int group) {
    const char *name = run->groups[group].name, *what = run->kind->groups_name;
    char effort[EFFORT_TEXT_MAX];
    effort_text(effort_of_name(name), effort);
    fprintf(stderr, ", %s %s", what ? name : effort, what ? what : "a move");
}

static void print_where(const RunProgress *now) {
    const Run *run = now->run;
    fprintf(stderr, "%s", run->config->game);
    if (run->config->size)
        fprintf(stderr, ", hexhex-%lld", (long long)run->config->size);
    if (!shard_spec_whole(run->shard))
        fprintf(stderr, ", shard %d of %d", run->shard.index, run->shard.count);
    if (now->group >= 0)
        print_group(run, now->group);
}

static void print_rate(const RunProgress *now) {
    const double rate = now->seconds > 0 ? now->played_now / now->seconds : 0;
    fprintf(stderr, ": %d", now->played);
    if (now->wanted)
        fprintf(stderr, "/%lld", (long long)now->wanted);
    fprintf(stderr, " games");
    if (rate > 0)
        fprintf(stderr, ", %.2f a second", rate);
    if (rate > 0 && now->wanted) {
        const long left = (long)((double)(now->wanted - now->played) / rate + 0.5);
        fprintf(stderr, ", %ld:%02ld left", left / 60, left % 60);
    }
}

/* Estimates anew what the line ends with, where it is time. */
static void describe(RunLine *line, const RunProgress *now) {
    const double begin = wall_seconds();
    if (!line->describe || !shard_spec_whole(now->run->shard) || (now->record && begin < line->described_until))
        return;
    line->describe(now->run, now->group < 0 ? 0 : now->group, line->known, sizeof line->known);
    line->described_until = next_time(begin, DESCRIBE_SECONDS);
}

bool run_line_due(double *shown_at) {
    const double now = wall_seconds();
    if (now < *shown_at + (isatty(STDERR_FILENO) ? 0.2 : 10))
        return false;
    *shown_at = now;
    return true;
}

void run_line_show(RunLine *line, const RunProgress *now) {
    const bool terminal = isatty(STDERR_FILENO);
    const GameRecord *record = now->record;
    if (line->failures && record && end_is_failure(record->reason))
        fprintf(stderr, "%sgame %s: %s loses (%s): %s\n", terminal ? "\r\033[K" : "", record->id,
                record->players[side_opponent(record->result.winner)], end_reason_names[record->reason], record->note);
    if (!record && now->group >= 0) /* a round of a group has ended */
        line->shown_at = 0;
    if (!run_line_due(&line->shown_at))
        return;
    describe(line, now);
    run_line_clear();
    print_where(now);
    print_rate(now);
    fprintf(stderr, "%s%s", line->known, terminal ? "" : "\n");
    fflush(stderr);
}

void run_line_clear(void) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}
