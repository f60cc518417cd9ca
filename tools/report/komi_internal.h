/* A fair-komi run as a report has read it, and its pictures. */
#ifndef STIGMERGY_TOOLS_REPORT_KOMI_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_KOMI_INTERNAL_H

#include "tools/report/games_internal.h"

/* What was played at one komi. */
typedef struct KomiRow {
    int komi;
    double games, distinct, black_wins; /* distinct: up to symmetry */
    double rate;
    Interval ci95;
    double mean_margin, mean_plies;
} KomiRow;

/* The estimate of even komi, or of odd komi with the button. */
typedef struct KomiCurve {
    double estimate, games;
    Interval ci95;
    bool bracket; /* ci95 is one of neighbouring komi values */
    double firth, isotonic;
    bool firth_defined, isotonic_defined;
} KomiCurve;

/* What players of one strength have found. */
typedef struct KomiRung {
    char effort[32]; /* "800 simulations" */
    char group[24];  /* its name in the ids of records */
    int games;
    KomiRow *rows; /* by komi, ascending */
    int count;
    KomiCurve curve[2]; /* even, odd */
    double combined;
    Interval combined_ci95;
    int recommended;
    double win_rate; /* there */
    Interval win_rate_ci95;
    double slope, lapse;
} KomiRung;

typedef struct KomiReport {
    Game *game;
    KomiRung *rungs; /* the strongest last */
    int count;
    double duplicate_share; /* of the strongest rung's games */
    bool has_exact, has_drift;
    double exact[2], drift; /* even, odd; of the two strongest rungs */
    Interval drift_ci95;
    ReportGames games; /* of the strongest rung */
} KomiReport;

/* Black's chance over komi: what was played, the curves, their crossings with one half and the checks. */
void report_komi_rates(FILE *out, const KomiRung *rung);

/* The posterior of the fair komi, computed anew from the wins. */
void report_komi_posterior(FILE *out, int size, const KomiRung *rung);

/* The estimate by strength; nothing where there is one rung only. */
void report_komi_ladder(FILE *out, const KomiReport *report);

/* Where the games began; nothing without records. */
void report_komi_first_moves(FILE *out, const KomiReport *report);

#endif
