/* A study, not a test: how often does the winner change in the games of a komi run, and by whose mistakes? Build the
 * target study_winners.
 *
 *     study_winners SIZE RECORDS.jsonl GROUP EVERY SECONDS
 *
 * Takes every EVERYth game of the rung GROUP ("12800"). Asks the solver who wins at the komi of the game with perfect
 * play, from the last position back to the first one, until it fails three times in succession (SECONDS of a core for
 * each position). A move after which the other side wins is a mistake. Prints, by ten turns played: positions that were
 * asked and decided, how many of the decided ones the winner of the game was winning, and the mistakes of each side.
 *
 * Games of equal players say what komi is fair for them. They say it of perfect players if both sides lose won
 * positions equally often: this counts how far they do. */
#include "engine/games/registry.h"
#include "engine/solver/solver.h"
#include "selfplay/io/line_file.h"
#include "selfplay/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BIN_TURNS = 10, BINS = 32, FAILURES = 3 };

typedef struct Counts {
    int asked, decided, agreed;
    int mistakes[2]; /* by the side that made them */
} Counts;

typedef struct Study {
    const Game *game;
    Solver *solver;
    double seconds;
    int games;
    Counts bins[BINS];
} Study;

static bool black_wins(Study *study, const GameState *state, int komi, bool *wins) {
    const SolverLimits limits = {.seconds = study->seconds};
    const SolverResult result = solver_compare(study->solver, state, 2 * komi + 1, &limits);
    *wins = result.lower_half_points > 2 * komi;
    return result.proved;
}

/* Looks at a game from its end. What follows the current position is decided: `after` won. */
static bool look_at(Study *study, const GameRecord *record, Error *error) {
    const GameRules *rules = study->game->rules;
    GameState *states = calloc((size_t)record->count + 1, sizeof *states);
    if (!states)
        return error_set(error, "out of memory");
    rules->start(study->game, &states[0], record->komi);
    for (int i = 0; i < record->count; i++) {
        states[i + 1] = states[i];
        rules->apply(study->game, &states[i + 1], record->actions[i]);
    }
    const bool black = record->result.winner == BLACK;
    bool after = black;
    solver_clear(study->solver);
    study->games++;
    for (int i = record->count - 1, failures = 0; i >= record->opening_actions && failures < FAILURES; i--) {
        Counts *bin = &study->bins[i / BIN_TURNS < BINS ? i / BIN_TURNS : BINS - 1];
        bool wins;
        bin->asked++;
        if (!black_wins(study, &states[i], record->komi, &wins)) {
            failures++;
            continue;
        }
        failures = 0;
        bin->decided++;
        bin->agreed += wins == black;
        if (wins != after)
            bin->mistakes[wins ? BLACK : WHITE]++;
        after = wins;
    }
    free(states);
    return true;
}

static bool read_games(Study *study, const char *path, const char *group, int every, Error *error) {
    size_t length;
    char *text = line_file_read(path, &length, error);
    GameRecord record = {0};
    bool good = text != NULL;
    int seen = 0;
    for (char *line = text; good && line && line < text + length;) {
        char *end = strchr(line, '\n');
        good = record_from_line(line, (size_t)(end - line), path, study->game, &record, error);
        const size_t name = strlen(group);
        if (good && !strncmp(record.id, group, name) && record.id[name] == '-' && seen++ % every == 0)
            good = look_at(study, &record, error);
        line = end + 1;
    }
    record_free(&record);
    free(text);
    return good;
}

static void print_counts(const Study *study) {
    printf("%d games\nturns, asked, decided, of these won by the game's winner, mistakes of Black, of White\n",
           study->games);
    for (int i = 0; i < BINS; i++) {
        const Counts *bin = &study->bins[i];
        if (bin->asked)
            printf("%3d-%-3d %6d %6d %6d %6d %6d\n", i * BIN_TURNS, (i + 1) * BIN_TURNS - 1, bin->asked, bin->decided,
                   bin->agreed, bin->mistakes[BLACK], bin->mistakes[WHITE]);
    }
}

int main(int argc, char **argv) {
    Error error;
    if (argc != 6) {
        fprintf(stderr, "usage: study_winners SIZE RECORDS.jsonl GROUP EVERY SECONDS\n");
        return 2;
    }
    Study study = {.seconds = atof(argv[5])};
    Game *game = game_new(&(GameOptions){.size = atoi(argv[1])}, &error);
    study.game = game;
    study.solver = game ? solver_new(game, &(SolverOptions){.memory = (size_t)512 << 20, .threads = 1}, &error) : NULL;
    const bool good = study.solver && read_games(&study, argv[2], argv[3], atoi(argv[4]), &error);
    if (good)
        print_counts(&study);
    else
        fprintf(stderr, "study_winners: %s\n", error.text);
    solver_free(study.solver);
    game_free(game);
    return good ? 0 : 1;
}
