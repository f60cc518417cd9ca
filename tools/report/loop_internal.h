/* What a report knows of a training loop, and its pictures. */
#ifndef STIGMERGY_TOOLS_REPORT_LOOP_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_LOOP_INTERNAL_H

#include "engine/game/game.h"
#include "selfplay/stats/interval.h"

#include <stdio.h>

/* What the judged rows say: train.py's losses, and how often the network prefers the best move. */
typedef enum LoopMeasure { LOOP_POLICY, LOOP_WIN, LOOP_SCORE, LOOP_OWNER, LOOP_BEST_MOVE, LOOP_MEASURES } LoopMeasure;

/* An Elo rating of a generation. */
typedef struct LoopRating {
    bool known;
    double estimate;
    Interval ci95;
} LoopRating;

typedef struct LoopGeneration {
    const char *network_hash; /* NULL: unknown */
    bool promoted;
    double games, rows; /* of its self-play; 0: unknown */
    double seconds[3];  /* of self-play, training and the gate; 0: unknown */
    LoopRating gate;    /* the gates' differences added up; the first generation has 0 */
    bool judged[HEXHEX_MAX_SIZE + 1];
    double measures[HEXHEX_MAX_SIZE + 1][LOOP_MEASURES];
} LoopGeneration;

enum { LOOP_TABLES_MAX = 3 };

/* A rating of generations against each other, from another document of the page. */
typedef struct LoopTable {
    int size;            /* of the board */
    LoopRating *ratings; /* of each generation */
} LoopTable;

typedef struct LoopReport {
    LoopGeneration *generations;
    int count;
    int best; /* -1: none yet */
    LoopTable tables[LOOP_TABLES_MAX];
    int table_count;
} LoopReport;

/* Elo by generation: the gates added up, and the ratings. */
void report_loop_elo(FILE *out, const LoopReport *report);

/* One measure by generation, a curve for each board size. Nothing if no generation was judged. */
void report_loop_measure(FILE *out, const LoopReport *report, LoopMeasure measure, const char *caption,
                         const char *label);

#endif
