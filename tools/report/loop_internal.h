/* What a report knows of a training loop, and its pictures. */
#ifndef STIGMERGY_TOOLS_REPORT_LOOP_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_LOOP_INTERNAL_H

#include "engine/game/game.h"
#include "tools/report/source.h"

#include <stdio.h>

/* What the judged rows say: train.py's losses, and how often the network prefers the best move. */
typedef enum LoopMeasure { LOOP_POLICY, LOOP_WIN, LOOP_SCORE, LOOP_OWNER, LOOP_BEST_MOVE, LOOP_MEASURES } LoopMeasure;

typedef struct LoopGeneration {
    const char *network_hash; /* NULL: unknown */
    bool promoted;
    double games, rows; /* of its self-play; 0: unknown */
    double seconds[3];  /* of self-play, training and the gate; 0: unknown */
    ReportRating gate;  /* the gates' differences added up, see from_network */
    bool judged[HEXHEX_MAX_SIZE + 1];
    double measures[HEXHEX_MAX_SIZE + 1][LOOP_MEASURES]; /* of a judged board; NAN: no row said anything of it */
} LoopGeneration;

enum { LOOP_TABLES_MAX = 3 };

/* A rating of generations against each other, from another document of the page. */
typedef struct LoopTable {
    int size;              /* of the board */
    ReportRating *ratings; /* of each generation */
} LoopTable;

typedef struct LoopReport {
    LoopGeneration *generations;
    int count;
    int best;          /* -1: none yet */
    bool from_network; /* the loop began with a network, which has 0 Elo; else generation 0 has */
    LoopTable tables[LOOP_TABLES_MAX];
    int table_count;
} LoopReport;

/* Where the Elo of the gates begins: "generation 0", or "the network that the loop began with". */
const char *report_loop_zero(const LoopReport *report);

/* Elo by generation: the gates added up, and the ratings. */
void report_loop_elo(FILE *out, const LoopReport *report);

/* One measure by generation, a curve for each board size. Nothing if it is known of no generation. */
void report_loop_measure(FILE *out, const LoopReport *report, LoopMeasure measure, const char *caption,
                         const char *label);

#endif
