/* A Go Text Protocol engine (version 2, Farnebäck 2002) as an object: bytes of commands go in, answers come out.
 *
 * The protocol is followed as far as the game allows: there are no vertices of Go but cell names (c3), flips (c3x),
 * pass and take-button, the letters of rows are not skipped (row i is i), and as turns alternate, `play` and `genmove`
 * take only the colour whose turn it is. Beside the standard commands: `game NAME`, `all_legal COLOR`, `board_score`,
 * `stigmergy-analyze`, and the commands by which GoGui learns the rules. A command that fails leaves the position as it
 * was.
 *
 * A session may be fed anything: binary data, lines of any length, input that ends within a line. */
#ifndef STIGMERGY_TOOLS_GTP_PROTOCOL_H
#define STIGMERGY_TOOLS_GTP_PROTOCOL_H

#include "selfplay/players/player.h"
#include "tools/gtp/input.h"

#include <stdio.h>

typedef struct GtpOptions {
    const char *game; /* the game, board size and komi at the start */
    int size, komi;
    GameCapture capture; /* its variants; `game` keeps them where the name stays the same */
    GamePie pie;
    Player player;      /* who moves */
    bool clock_decides; /* whether a running clock replaces the player's limits; else the first limit met counts */
    bool ponder;        /* search in the opponent's time; only with `input` */
    double resign;      /* genmove resigns where its chance to win is below this; 0: never */
    uint64_t seed;
    bool no_files;   /* refuse commands that name files: for input that is not trusted */
    GtpInput *input; /* where what is fed comes from, so that searches learn what comes in meanwhile; NULL: what has
                        been fed is all that there is, and stigmergy-analyze searches as long as a move would take */
} GtpOptions;

typedef struct Gtp Gtp;

/* Starts a session that answers to `out`, to be freed by gtp_free; NULL with an error for options out of range or
 * without memory. */
Gtp *gtp_new(const GtpOptions *options, FILE *out, Error *error);
void gtp_free(Gtp *gtp);

/* Takes the next bytes of input and carries out the commands that end in them; a session that ponders then does so
 * until there is more input. False when the session is over: after `quit`, or when `out` cannot be written (ferror(out)
 * tells which). */
bool gtp_feed(Gtp *gtp, const char *bytes, size_t count);

/* Says that the input has ended: a command without a newline is carried out too. */
void gtp_end(Gtp *gtp);

/* The names of all commands, each with its arguments, a line each. */
void gtp_print_commands(FILE *out);

#endif
