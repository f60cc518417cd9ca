/* A fair-komi run as a report has read it (komi.c), its pictures (komi_charts.c), its command (komi_command.c), and the
 * atlas of several (atlas.c). */
#ifndef STIGMERGY_TOOLS_REPORT_KOMI_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_KOMI_INTERNAL_H

#include "selfplay/runs/config.h"
#include "selfplay/stats/fairest.h"
#include "tools/report/first_moves_internal.h"
#include "tools/report/games_internal.h"

/* What was played at one komi. */
typedef struct KomiRow {
    int komi;
    double games, black_wins;
    double lines;     /* games that are different, symmetry taken into account */
    double effective; /* how many independent games they are worth */
    double rate;      /* Black's win rate */
    Interval ci95;
    double mean_margin, mean_plies;
} KomiRow;

/* The estimate from even komi, or from odd komi with the button. */
typedef struct KomiCurve {
    KomiEstimate fair_komi;
    double games; /* without games the estimate is only a guess, and not shown */
    CurveShape shape;
    double fit;             /* p of the goodness of fit; below 0: the document does not say */
    double dispersion;      /* each komi counts less by this factor, as its games do not fit the curve; 1: they do */
    double firth, isotonic; /* estimates by two other methods, as checks */
    bool firth_defined, isotonic_defined;
} KomiCurve;

/* What games between players of one strength have shown. */
typedef struct KomiRung {
    char effort[EFFORT_TEXT_MAX]; /* "800 simulations" */
    double simulations;           /* a move; 0 if the player's time is limited instead */
    char group[EFFORT_NAME_MAX];  /* the ids of its records begin with this and a dash */
    int games;
    KomiRow *rows; /* by komi, ascending */
    int count;
    KomiCurve curve[2];     /* even, odd */
    KomiEstimate fair_komi; /* of both curves */
    bool gap_known;         /* how far apart the curves are, even minus odd */
    double gap;
    Interval gap_ci95;
    int recommended;
    double win_rate; /* Black's at the recommended komi */
    Interval win_rate_ci95;
    KomiProbability fairest[FAIREST_MAX];
    int fairest_count; /* 0: the document does not say */
} KomiRung;

/* What another family of players says (selfplay/runs/komi/second.h). */
typedef struct KomiSecond {
    const char *source; /* its document; NULL: none was compared */
    bool has_network, agrees;
    KomiEstimate fair_komi;
} KomiSecond;

typedef struct KomiReport {
    const Game *game;
    const char *path; /* of the document */
    int order;        /* its place on the command line, from 0 */
    KomiRung *rungs;  /* the strongest players last */
    int count;
    double duplicate_share; /* of the strongest rung's games */
    bool without_chance;    /* the player's equal games are one draw */
    bool has_exact, has_drift;
    double exact[2]; /* the exact value: without and with the button */
    bool has_bounds; /* what is proved of a board that is not solved, without the button */
    Interval bounds;
    double drift; /* from the second strongest to the strongest rung */
    Interval drift_ci95;
    const char *convergence; /* the status of the ladder; NULL: the document does not say */
    const cJSON *reasons;    /* an array, why it has not converged */
    const char *bound;       /* "at least" or "at most", if it has not converged; else NULL */
    KomiSecond second;
    const char *network;      /* of the player; NULL: it evaluates with playouts */
    const char *network_hash; /* NULL: the document does not say */
    const char *upgrade;      /* the side with more effort, "black" or "white"; NULL: both have the same */
    const char *version; /* the first one that plays these games with this network; NULL: the document does not say */
    const char *player;  /* its name */
    const cJSON *description; /* of the player; NULL: the document does not say */
    const cJSON *first_round; /* the games of a rung's first round; NULL: the document does not say */
    const char *seed;
    const char *parity;      /* of the komi played: "both", "even" or "odd" */
    const cJSON *komi_range; /* an array of the lowest and the highest; NULL: the document does not say */

    ReportGames games;      /* of the strongest rung */
    ReportFirstMoves first; /* of the strongest rung, if games began with each of them; else none */
} KomiReport;

/* The rung of the strongest players. */
const KomiRung *report_komi_last(const KomiReport *report);

/* Where a curve of its games, of even or of odd komi, crosses one half. Of forced first moves these are the games after
 * the best one, while the rung has the fair komi of the board, which looks at all of them. */
KomiEstimate report_komi_crossing(const KomiReport *report, int odd);

/* The komi that a rung's games were played at: "even komi", "odd komi", or both together. */
const char *report_komi_parities(const KomiRung *rung);

/* Black's chance over komi in the strongest rung: the games, the fitted curves, where they cross one half, and the
 * checks. Of forced first moves the best one's. */
void report_komi_rates(FILE *out, const KomiReport *report);

/* The posterior of the fair komi, computed from the wins of the strongest rung. */
void report_komi_posterior(FILE *out, const KomiReport *report);

/* How likely each whole komi is to be the fairest. Nothing if the document does not say. */
void report_komi_fairest(FILE *out, const KomiRung *rung);

/* The estimate by strength of the players. Nothing if there is only one rung. */
void report_komi_ladder(FILE *out, const KomiReport *report);

/* A note with the command that plays these games again, with the version that it names. Nothing if none plays the games
 * of all rungs: time limited the players, or rungs were extended. */
void report_komi_command(FILE *out, const KomiReport *report);

/* The atlas: what all documents say of the boards, as charts over board size and over effort, and as a table. Nothing
 * for a single document. `reports` are pointers to KomiReports, by board size. */
void report_komi_atlas(FILE *out, const void *const *reports, int count);

/* An element with what is proved of a board that is not solved, empty where nothing is. */
void report_komi_bounds(FILE *out, const char *tag, const KomiReport *report);

/* Whether players of a rung can play with its recommended komi; never on a solved board, or where one side had more
 * effort. */
bool report_komi_is_fair(const KomiReport *report, const KomiRung *rung);

/* A cell with that komi, or "none"; empty without games, and where one side had more effort. */
void report_komi_play_with(FILE *out, const KomiReport *report, const KomiRung *rung);

/* A cell with what a rung says of the fair komi: the pair that is known, or the estimate; empty without games. */
void report_komi_cell(FILE *out, const KomiRung *rung);

/* Where the players chose to begin. Nothing without records, or where they did not choose. */
void report_komi_first_moves(FILE *out, const KomiReport *report);

#endif
