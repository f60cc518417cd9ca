/* Openings of a game: random turns from a seed, kept if both sides have a chance; or all ways to begin.
 *
 * A random opening is some turns of uniformly random legal actions. A referee, which is a short search by a fixed
 * player (below), says how good it is for Black. If one side would win more often than a limit allows, the next random
 * turns are tried. The komi is given, or it is chosen for every opening so that the game is as even as possible. The
 * choice starts at the margin that the referee expects. Komi then moves by one point at a time until Black's chance
 * passes that of an even game, and the nearer one of the last two values is taken (odd ones with the button). So an
 * opening depends on the game, its settings and the seed alone.
 *
 * With `all` the openings are the classes of the first `turns` turns (engine/game/beginnings.h): the empty board, all
 * first turns, or all of the first two. None is rejected, however good it is for one side. They come in rounds: each
 * round has every class once, in an order shuffled by the seed.
 *
 * Between strong players a game is even where the referee gives Black a chance of 0.42: the referee underrates Black,
 * however much it searches. selfplay/docs/match.md has the figures.
 *
 * The referee's player never changes with the program's defaults: plain RAVE-UCT with 8 light playouts a simulation,
 * one thread, seeded by the opening's seed. */
#ifndef STIGMERGY_SELFPLAY_RUNS_OPENING_H
#define STIGMERGY_SELFPLAY_RUNS_OPENING_H

#include "engine/game/beginnings.h"
#include "engine/search/search.h"

enum {
    OPENING_TURNS_MAX = 20,
    OPENING_ALL_TURNS_MAX = 2,
    OPENING_ACTIONS_MAX = 8 * OPENING_TURNS_MAX, /* room for 8 actions a turn on average */
    OPENING_TRIES = 200
};

typedef struct OpeningSettings {
    int64_t turns; /* random turns, 0 to OPENING_TURNS_MAX; with `all` to OPENING_ALL_TURNS_MAX */
    bool all;      /* all classes of this number of turns, not random ones */
    double limit;  /* neither side's chance may be further from an even one than this is from one half; 0.5 to 1. 1:
                      everything is allowed with a fixed komi, unless the game is over. Not used with `all` */
    int64_t simulations; /* of the referee, for each position and komi */
    bool auto_komi;      /* choose komi; only in games with points */
    double even;         /* with auto_komi: the chance that the referee gives Black in a game that is even */
    int64_t komi;        /* else this one */
} OpeningSettings;

/* 2 turns, a limit of 0.85, even at 0.42, 400 simulations, komi 0. */
OpeningSettings opening_default_settings(void);

typedef struct Opening {
    Action actions[OPENING_ACTIONS_MAX];
    int count;
    int komi;
    double black; /* Black's chance, by the referee */
} Opening;

/* The words for `all` with 0, 1 and 2 turns: "empty", "first", "second". */
extern const char *const opening_words[OPENING_ALL_TURNS_MAX + 1];

/* The referee, to be freed by search_free. */
Search *opening_referee(const Game *game, Error *error);

/* Whether the opening's turns are legal at this komi. The button may make a difference. */
bool opening_legal_at(const Game *game, const Opening *opening, int komi);

/* Chooses the komi at which given turns are nearest to even (games with points): fills in `komi` and `black`. */
void opening_even_out(const Game *game, Search *referee, const OpeningSettings *settings, uint64_t seed,
                      Opening *opening);

/* Draws the opening of a seed. False with an error if none of OPENING_TRIES random openings is within the limit, or all
 * of them end the game. */
bool opening_draw(const Game *game, Search *referee, const OpeningSettings *settings, uint64_t seed, Opening *opening,
                  Error *error);

/* With `all`: lists the classes. At a komi chosen for each, they are turns that are legal with and without the button.
 * To be freed by beginnings_free. False with an error. */
bool opening_list(const Game *game, const OpeningSettings *settings, Beginnings *all, Error *error);

/* The opening `number`, from 0 on, of a run with this seed, from such a list, which is not empty. */
void opening_take(const Game *game, Search *referee, const OpeningSettings *settings, const Beginnings *all,
                  uint64_t seed, int number, Opening *opening);

#endif
