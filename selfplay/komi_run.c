/* See komi_run.h. In the order of a session: reading the records, planning a round, playing it, summing up. */
#include "komi_run.h"

#include "allocation.h"
#include "contest.h"
#include "json.h"
#include "rng.h"
#include "wall_time.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static const double PROGRESS_SECONDS = 0.5; /* at least, between two estimates for the progress line */

/* ---- Summing up ---- */

/* Black's minus White's cells: the margin without komi and button. Without the button the margin in half points is
 * 0 modulo 4 at odd komi, for the difference of the cells is odd; the button moves it by one. */
static int board_margin(const KomiGame *game) {
    const int button = game->margin % 2 == 0 ? 0 : ((game->margin % 4) + 4) % 4 == 1 ? 1 : -1;
    return (game->margin - button) / 2 + game->komi;
}

static int compare_games(const void *left, const void *right) {
    const KomiGame *a = *(const KomiGame *const *)left, *b = *(const KomiGame *const *)right;
    if (a->komi != b->komi)
        return a->komi - b->komi;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

static void add_game(KomiPoint *point, const KomiGame *game, bool repeats) {
    const double margin = 0.5 * game->margin, cells = board_margin(game);
    const bool black_won = game->margin > 0;
    point->games++;
    point->black_wins += black_won;
    point->margin_sum += margin;
    point->margin_squares += margin * margin;
    point->plies += game->plies;
    if (repeats)
        return;
    point->data.games += 1;
    point->data.black_wins += black_won;
    point->data.margin_games += 1;
    point->data.margin_sum += cells;
    point->data.margin_squares += cells * cells;
}

int komi_run_points(const KomiRun *run, int rung, KomiPoint **points, Error *error) {
    const KomiRung *self = &run->rung[rung];
    const KomiGame **sorted = malloc(((size_t)self->played + 1) * sizeof *sorted);
    *points = calloc((size_t)(run->config.komi_range[1] - run->config.komi_range[0]) + 1, sizeof **points);
    if (!sorted || !*points) {
        free(sorted);
        free(*points);
        *points = NULL;
        error_set(error, "out of memory for the results of %d games", self->played);
        return -1;
    }
    int played = 0, count = 0;
    for (int i = 0; i < self->planned; i++)
        if (self->games[i].played)
            sorted[played++] = &self->games[i];
    qsort(sorted, (size_t)played, sizeof sorted[0], compare_games);
    for (int i = 0; i < played; i++) {
        const bool new_komi = i == 0 || sorted[i]->komi != sorted[i - 1]->komi;
        if (new_komi)
            (*points)[count++].data.komi = sorted[i]->komi;
        add_game(&(*points)[count - 1], sorted[i], !new_komi && sorted[i]->hash == sorted[i - 1]->hash);
    }
    free(sorted);
    return count;
}

/* The points as the estimate and the allocation want them; returns their number or -1. */
static int gather_data(const KomiRun *run, int rung, KomiData **data, Error *error) {
    KomiPoint *points;
    const int count = komi_run_points(run, rung, &points, error);
    if (count < 0)
        return -1;
    *data = malloc(((size_t)count + 1) * sizeof **data);
    if (!*data) {
        free(points);
        error_set(error, "out of memory for %d komi values", count);
        return -1;
    }
    for (int i = 0; i < count; i++)
        (*data)[i] = points[i].data;
    free(points);
    return count;
}

bool komi_run_estimate(const KomiRun *run, int rung, FairKomi *fair, Error *error) {
    KomiData *data;
    const EstimateConfig config = komi_config_estimate(&run->config);
    const int count = gather_data(run, rung, &data, error);
    if (count < 0)
        return false;
    const bool good = estimate_fair_komi(data, count, &config, fair, error);
    free(data);
    return good;
}

/* ---- Rounds ---- */

static uint64_t rung_seed(const KomiRun *run, int rung) {
    uint64_t seed = rng_split(run->config.seed, (uint64_t)run->config.size);
    for (const char *c = run->rung[rung].name; *c; c++)
        seed = rng_split(seed, (uint64_t)(unsigned char)*c);
    return seed;
}

/* Games of the round that begins with game number `start`: rounds grow, so that there are not many of them. */
static int round_size(const KomiRun *run, int start) {
    const int first = (int)run->config.first_round;
    return start / 2 > first ? start / 2 : first;
}

static void shuffle(KomiGame *games, int count, uint64_t seed) {
    Rng rng = rng_seed(seed);
    for (int i = count - 1; i > 0; i--) {
        const int other = (int)rng_below(&rng, (uint32_t)i + 1);
        const int16_t komi = games[i].komi;
        games[i].komi = games[other].komi;
        games[other].komi = komi;
    }
}

/* Fixes the komi values of the next round; all games planned so far have been played. */
static bool plan_round(KomiRun *run, int rung, Error *error) {
    KomiRung *self = &run->rung[rung];
    const int lowest = (int)run->config.komi_range[0], values = (int)run->config.komi_range[1] - lowest + 1;
    const int start = self->planned, size = round_size(run, start);
    const EstimateConfig config = komi_config_estimate(&run->config);
    KomiData *data;
    const int count = gather_data(run, rung, &data, error);
    if (count < 0)
        return false;
    int *share = calloc((size_t)values, sizeof *share);
    KomiGame *games = realloc(self->games, (size_t)(start + size) * sizeof *games);
    if (games)
        self->games = games;
    bool good = share && games;
    if (!good)
        error_set(error, "out of memory for a round of %d games", size);
    good = good && allocate_games(data, count, &config, size, share, error);
    if (good) {
        memset(games + start, 0, (size_t)size * sizeof *games);
        for (int value = 0, next = start; value < values; value++)
            for (int i = 0; i < share[value]; i++)
                games[next++].komi = (int16_t)(lowest + value);
        shuffle(games + start, size, rng_split(rung_seed(run, rung), (uint64_t)start) ^ 1);
        self->planned = start + size;
    }
    free(share);
    free(data);
    return good;
}

/* ---- Records ---- */

static void summarize(const GameRecord *record, const Game *game, KomiGame *out) {
    out->hash = record_canonical_hash(record, game);
    out->margin = (int16_t)record->result.margin;
    out->plies = (uint16_t)record->count;
    out->played = true;
}

/* One line of the record file while it is read back: its game is entered once the round it belongs to is planned. */
typedef struct Loaded {
    int rung, number, komi;
    KomiGame summary;
    const char *line; /* in the text of the file */
    size_t length;
} Loaded;

static bool split_id(const KomiRun *run, const char *id, int *rung, int *number) {
    const char *dash = strrchr(id, '-');
    char *end;
    if (!dash || dash[1] < '0' || dash[1] > '9')
        return false;
    const long value = strtol(dash + 1, &end, 10);
    *number = (int)value;
    for (*rung = 0; *rung < run->rungs; ++*rung)
        if (strlen(run->rung[*rung].name) == (size_t)(dash - id) &&
            !strncmp(run->rung[*rung].name, id, (size_t)(dash - id)))
            return *end == '\0' && value < 1000000000;
    *rung = -1; /* a rung that this session does not ask for: kept, not counted */
    return *end == '\0';
}

static bool load_line(KomiRun *run, const char *source, const char *line, size_t length, Loaded *out, Error *error) {
    GameRecord record = {0};
    bool good = record_from_line(line, length, source, run->game, &record, error);
    if (good && strcmp(record.run, run->hash))
        good = error_set(
            error,
            "%s: game %s belongs to another run (other settings, seed or program version): expected run %s, found '%s'",
            source, record.id, run->hash, record.run);
    if (good && !split_id(run, record.id, &out->rung, &out->number))
        good = error_set(error, "%s: '%s' is no game of this run, expected an id such as 800-17", source, record.id);
    if (good) {
        summarize(&record, run->game, &out->summary);
        out->komi = record.komi;
        out->line = line;
        out->length = length;
    }
    record_free(&record);
    return good;
}

static int compare_loaded(const void *left, const void *right) {
    const Loaded *a = left, *b = right;
    return a->rung != b->rung ? a->rung - b->rung : (a->number > b->number) - (a->number < b->number);
}

/* Enters a loaded game where it belongs; its round must be the one that the games before it lead to. */
static bool enter(KomiRun *run, const char *source, const Loaded *loaded, Error *error) {
    KomiRung *rung = &run->rung[loaded->rung];
    while (loaded->number >= rung->planned) {
        if (rung->played < rung->planned)
            return error_set(error, "%s: game %s-%d is there, but the round before it is not complete", source,
                             rung->name, loaded->number);
        if (!plan_round(run, loaded->rung, error))
            return false;
    }
    KomiGame *game = &rung->games[loaded->number];
    if (game->komi != loaded->komi)
        return error_set(error, "%s: game %s-%d was played at komi %d, expected %d", source, rung->name, loaded->number,
                         loaded->komi, game->komi);
    if (game->played) {
        run->repeated++;
        return true;
    }
    const int16_t komi = game->komi;
    *game = loaded->summary;
    game->komi = komi;
    rung->played++;
    return true;
}

/* Whether a line is damaged as only a crash in mid-write leaves it: no JSON at all. */
static bool is_torn(const char *line, size_t length) {
    cJSON *json = json_parse(line, length, "", NULL);
    cJSON_Delete(json);
    return json == NULL;
}

/* Reads all lines of the record file into an array that the caller frees; their number, or -1. The last line may have
 * been torn with its newline in place, when power was lost before it was synced: then it is cut off. */
static int load_lines(KomiRun *run, const char *path, char *text, size_t length, Loaded **out, Error *error) {
    int count = 0, lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    Loaded *loaded = calloc((size_t)lines + 1, sizeof *loaded);
    if (!loaded) {
        error_set(error, "out of memory for %d records", lines);
        return -1;
    }
    for (char *line = text, *end; line < text + length; line = end + 1) {
        end = memchr(line, '\n', (size_t)(text + length - line));
        char source[FILE_PATH_MAX + 32];
        snprintf(source, sizeof source, "%s: line %d", path, count + 1);
        if (count > 0 && end + 1 == text + length && is_torn(line, (size_t)(end - line))) {
            if (line_file_cut(&run->records, (size_t)(line - text), error)) {
                run->torn = true;
                break;
            }
            free(loaded);
            return -1;
        }
        if (!load_line(run, source, line, (size_t)(end - line), &loaded[count], error)) {
            free(loaded);
            return -1;
        }
        count++;
    }
    qsort(loaded, (size_t)count, sizeof *loaded, compare_loaded);
    *out = loaded;
    return count;
}

static bool load_records(KomiRun *run, const char *path, Error *error) {
    size_t length;
    char *text = file_read(path, &length, error);
    if (!text)
        return false;
    Loaded *loaded = NULL;
    const int count = load_lines(run, path, text, length, &loaded, error);
    bool good = count >= 0;
    for (int i = 0; i < count && good; i++)
        good = loaded[i].rung < 0 || enter(run, path, &loaded[i], error);
    free(loaded);
    free(text);
    return good;
}

bool komi_run_open(KomiRun *run, const KomiConfig *config, const char *records_path, Error *error) {
    memset(run, 0, sizeof *run);
    run->records.descriptor = -1;
    if (!komi_config_check(config, error))
        return false;
    run->config = *config;
    const GameOptions options = {.name = config->game, .size = (int)config->size};
    run->game = game_new(&options, error);
    if (!run->game)
        return false;
    if (!run->game->has_points)
        return error_set(error, "komi: %s is played without komi; see `stigmergy openings` for its balance",
                         config->game);
    run->rungs = komi_config_rungs(config);
    for (int rung = 0; rung < run->rungs; rung++)
        komi_config_rung_name(config, rung, run->rung[rung].name);
    return komi_config_hash(config, run->hash, error) &&
           line_file_open(&run->records, records_path, &run->torn, error) && load_records(run, records_path, error);
}

void komi_run_close(KomiRun *run) {
    line_file_close(&run->records, NULL);
    for (int rung = 0; rung < run->rungs; rung++)
        free(run->rung[rung].games);
    game_free(run->game);
    memset(run, 0, sizeof *run);
    run->records.descriptor = -1;
}

bool komi_run_sort_records(KomiRun *run, Error *error) {
    size_t length;
    char *text = file_read(run->records.path, &length, error);
    Loaded *loaded = NULL;
    const int count = text ? load_lines(run, run->records.path, text, length, &loaded, error) : -1;
    bool good = count >= 0, sorted = true;
    char *ordered = good ? malloc(length + 1) : NULL, *end = ordered;
    if (good && !ordered)
        good = error_set(error, "out of memory to sort %d records", count);
    for (int i = 0; i < count && good; i++) {
        sorted = sorted && (i == 0 || loaded[i].line > loaded[i - 1].line);
        if (i > 0 && loaded[i].rung >= 0 && compare_loaded(&loaded[i], &loaded[i - 1]) == 0) {
            sorted = false;
            continue;
        }
        memcpy(end, loaded[i].line, loaded[i].length);
        end += loaded[i].length;
        *end++ = '\n';
    }
    if (good && !sorted) {
        char path[FILE_PATH_MAX];
        strcpy(path, run->records.path);
        bool torn;
        good = line_file_close(&run->records, error) && file_write(path, ordered, (size_t)(end - ordered), error) &&
               line_file_open(&run->records, path, &torn, error);
    }
    free(ordered);
    free(loaded);
    free(text);
    return good;
}

/* ---- Playing ---- */

/* What the threads of a session share. */
typedef struct Play {
    KomiRun *run;
    const KomiSession *session;
    int rung, wanted, played_now;
    int next; /* number of the first game that nobody has taken */
    Player player;
    double begin, deadline, estimate_due;
    FairKomi fair;
    bool has_fair;
    atomic_bool stop; /* no more games: asked from outside, time is up, or an error */
    bool failed;
    Error error;
} Play;

/* Whether the session is over; asked between games and after every move. */
static bool is_over(void *user) {
    Play *play = user;
    const atomic_bool *asked = play->session->stop;
    if ((asked && atomic_load(asked)) || (play->deadline > 0 && wall_seconds() >= play->deadline))
        atomic_store(&play->stop, true);
    return atomic_load(&play->stop);
}

/* Takes the next game that is not played yet; -1 where there is none or the session ends. */
static int take_game(Play *play) {
    const KomiRung *rung = &play->run->rung[play->rung];
    int number = -1;
#pragma omp critical(komi_play)
    {
        const int end = play->wanted < rung->planned ? play->wanted : rung->planned;
        while (play->next < end && rung->games[play->next].played)
            play->next++;
        if (!is_over(play) && play->next < end)
            number = play->next++;
    }
    return number;
}

static void show(Play *play, bool round_ended) {
    const KomiSession *session = play->session;
    if (!session->progress)
        return;
    const double begin = wall_seconds();
    if (round_ended || begin >= play->estimate_due) {
        play->has_fair = komi_run_estimate(play->run, play->rung, &play->fair, NULL);
        const double end = wall_seconds(), pause = 50 * (end - begin);
        play->estimate_due = end + (pause > PROGRESS_SECONDS ? pause : PROGRESS_SECONDS);
    }
    const KomiProgress progress = {.run = play->run,
                                   .rung = play->rung,
                                   .played = play->run->rung[play->rung].played,
                                   .wanted = play->wanted,
                                   .played_now = play->played_now,
                                   .seconds = wall_seconds() - play->begin,
                                   .fair = play->has_fair ? &play->fair : NULL,
                                   .round_ended = round_ended};
    session->progress(session->user, &progress);
}

/* Writes a finished game down and counts it. */
static void finish_game(Play *play, int number, const GameRecord *record) {
    KomiRung *rung = &play->run->rung[play->rung];
    Error error;
    char *line = record_to_line(record, play->run->game, &error);
#pragma omp critical(komi_play)
    {
        if (play->failed) {
            /* What stands behind a line that could not be written whole would be lost with it. */
        } else if (!line || !line_file_append(&play->run->records, line, strlen(line), true, &error)) {
            play->error = error;
            play->failed = true;
            atomic_store(&play->stop, true);
        } else {
            summarize(record, play->run->game, &rung->games[number]);
            rung->played++;
            play->played_now++;
            show(play, false);
        }
    }
    free(line);
}

/* Sets up the record of game `number` of the rung. */
static void begin_record(const Play *play, int number, GameRecord *record) {
    const KomiRun *run = play->run;
    record_clear(record);
    snprintf(record->id, sizeof record->id, "%s-%d", run->rung[play->rung].name, number);
    strcpy(record->run, run->hash);
    record->komi = run->rung[play->rung].games[number].komi;
    record->seed = rng_split(rung_seed(run, play->rung), (uint64_t)number);
    strcpy(record->players[BLACK], play->player.name);
    strcpy(record->players[WHITE], play->player.name);
}

static void fail(Play *play, const Error *error) {
#pragma omp critical(komi_play)
    {
        play->error = *error;
        play->failed = true;
        atomic_store(&play->stop, true);
    }
}

/* One thread: plays game after game on one search. */
static void play_games(Play *play) {
    Error error;
    Search *search = NULL;
    GameRecord record = {0};
    const ContestStop stop = {play->session->stop, is_over, play};
    for (int number; (number = take_game(play)) >= 0;) {
        if (!search && !(search = player_new_search(&play->player, play->run->game, 0, &error))) {
            fail(play, &error);
            break;
        }
        const Seat seat = {search, &play->player}, seats[2] = {seat, seat};
        begin_record(play, number, &record);
        const ContestEnd end = contest_play(play->run->game, seats, &stop, &record, &error);
        if (end == CONTEST_FINISHED)
            finish_game(play, number, &record);
        else if (end == CONTEST_FAILED)
            fail(play, &error);
    }
    record_free(&record);
    search_free(search);
}

/* Plays what is left of the planned games. */
static KomiEnd play_round(Play *play) {
    play->next = 0;
    play->begin = play->begin > 0 ? play->begin : wall_seconds();
#pragma omp parallel num_threads(play->session->threads)
    play_games(play);
    if (play->failed)
        return KOMI_FAILED;
    if (atomic_load(&play->stop))
        return play->session->stop && atomic_load(play->session->stop) ? KOMI_STOPPED : KOMI_TIME_UP;
    return KOMI_DONE;
}

static bool narrow_enough(const KomiRun *run, int rung, bool *narrow, Error *error) {
    FairKomi fair;
    if (run->config.until_width == 0 || run->rung[rung].played == 0)
        return true;
    if (!komi_run_estimate(run, rung, &fair, error))
        return false;
    *narrow = fair.combined_ci95.high - fair.combined_ci95.low < run->config.until_width;
    return true;
}

static KomiEnd play_rung(Play *play, Error *error) {
    KomiRun *run = play->run;
    KomiRung *rung = &run->rung[play->rung];
    for (;;) {
        if (rung->played == rung->planned) { /* between two rounds */
            bool narrow = false;
            if (!narrow_enough(run, play->rung, &narrow, error))
                return KOMI_FAILED;
            if (rung->played >= play->wanted || narrow)
                return KOMI_DONE;
            if (!plan_round(run, play->rung, error))
                return KOMI_FAILED;
        } else if (rung->played >= play->wanted) {
            return KOMI_DONE;
        }
        const KomiEnd end = play_round(play);
        if (play->failed)
            *error = play->error;
        else
            show(play, true);
        if (end != KOMI_FAILED && play->session->round_done &&
            !play->session->round_done(play->session->user, run, error))
            return KOMI_FAILED;
        if (end != KOMI_DONE)
            return end;
    }
}

/* The share of the session's time that rung number `rung` gets of what is left: by the square root of the effort, so
 * that the higher rungs get the most time and the lower ones the most games. */
static double time_share(const KomiConfig *config, int rung, int rungs) {
    double sum = 0;
    for (int i = rung; i < rungs; i++)
        sum += config->move_seconds > 0 ? 1 : __builtin_sqrt((double)config->ladder[i]);
    return (config->move_seconds > 0 ? 1 : __builtin_sqrt((double)config->ladder[rung])) / sum;
}

KomiEnd komi_run_play(KomiRun *run, const KomiSession *session, Error *error) {
    const double begin = wall_seconds(), limit = run->config.seconds;
    KomiEnd last = KOMI_DONE;
    omp_set_max_active_levels(2); /* games side by side, and search threads within each */
    for (int rung = 0; rung < run->rungs; rung++) {
        Play play = {.run = run,
                     .session = session,
                     .rung = rung,
                     .wanted = (int)run->config.games,
                     .player = komi_config_player(&run->config, rung)};
        atomic_init(&play.stop, false);
        if (limit > 0)
            play.deadline =
                wall_seconds() + (begin + limit - wall_seconds()) * time_share(&run->config, rung, run->rungs);
        const KomiEnd end = play_rung(&play, error);
        if (end == KOMI_FAILED || end == KOMI_STOPPED)
            return end;
        if (end == KOMI_TIME_UP)
            last = end;
    }
    return last;
}
