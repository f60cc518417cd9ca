/* Simulated runs over several first moves whose fair komi is known, for the tests of the estimates and for the studies
 * of them. Their games are shared out as a run does, by the same functions. */
#ifndef STIGMERGY_TESTS_SUPPORT_ARMS_SIMULATION_H
#define STIGMERGY_TESTS_SUPPORT_ARMS_SIMULATION_H

#include "selfplay/stats/arms.h"

enum { SIMULATED_ARMS_MAX = 31, SIMULATED_NUMBERS = 3 };

typedef struct SimulatedBoard {
    int size;     /* of the board: its komi range, and the prior */
    int arms;     /* first moves */
    bool button;  /* the last of them is to take the button: no first move at even komi, and never one of the best */
    int best;     /* how many of them are worth `fair` */
    double fair;  /* the fair komi at even komi */
    double odd;   /* the fair komi at odd komi minus that at even komi, of each first move */
    double gap;   /* by how much all others are worse, at least */
    double loss;  /* the mean of an exponential number that each of the others loses besides */
    double scale; /* of the logistic of the win rate, in points */
    double lapse; /* share of the games that a coin decides */
    double guess_error; /* standard deviation of what the guesses are wrong by; 0: there are none */
    double blind;       /* by how much the guesses of the best ones are too low besides */
} SimulatedBoard;

typedef struct SimulatedRun {
    EstimateConfig config;
    int arm_count, komi_count;
    double location[SIMULATED_ARMS_MAX]; /* at even komi */
    KomiData *data;                      /* owned; that of arm a begins at a * komi_count */
    Arm arms[SIMULATED_ARMS_MAX];
} SimulatedRun;

/* Plays `games` games in rounds. The same seed gives the same games. Ends the program if that is not possible. */
SimulatedRun simulated_run(const SimulatedBoard *board, int games, uint64_t seed);
void simulated_run_free(SimulatedRun *run);

/* What an estimate should say: at even komi, at odd komi, together. */
void simulated_truth(const SimulatedBoard *board, double truth[SIMULATED_NUMBERS]);

/* The share of the games that the best first moves got. */
double simulated_run_share(const SimulatedRun *run, const SimulatedBoard *board);

#endif
