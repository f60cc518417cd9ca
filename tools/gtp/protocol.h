/* A Go Text Protocol engine (version 2, Farnebäck 2002) as an object: bytes of commands go in, answers come out.
 *
 * It follows the protocol as far as the games allow. Vertices are cell names (c3), flips (c3x), pass and take-button.
 * The letters of rows are not skipped: row i is i, unless GtpOptions.vertices says otherwise. Players take turns, so
 * `play` and `genmove` accept only the colour to move. There are further commands, for example `game NAME`, `all_legal
 * COLOR`, `board_score`, `kata-analyze`, and those by which GoGui learns the rules; `list_commands` lists all. A
 * command that fails leaves the position as it was (loadsgf: an empty board, if memory runs out on the way).
 *
 * A session accepts any input: binary data, lines of any length, input that ends within a line. */
#ifndef STIGMERGY_TOOLS_GTP_PROTOCOL_H
#define STIGMERGY_TOOLS_GTP_PROTOCOL_H

#include "selfplay/players/player.h"
#include "tools/gtp/input.h"

#include <stdio.h>

/* How vertices are spelled: as in the rules, or as GoGui and other clients for Go spell them (see vertices.c). */
typedef enum GtpVertices { GTP_VERTICES_RULES, GTP_VERTICES_GOGUI } GtpVertices;

typedef struct GtpOptions {
    GameOptions game;   /* at the start; `game` keeps the variants if the name stays the same */
    int komi;           /* at the start */
    Player player;      /* who plays the session's own turns; it is settled for each game */
    bool clock_decides; /* a running clock replaces the player's limits; else whichever limit is met first counts */
    bool ponder;        /* search during the opponent's turns; needs `input` */
    double resign;      /* genmove resigns if its chance to win is below this; 0: never */
    uint64_t seed;
    GtpVertices vertices; /* GTP_VERTICES_GOGUI: Stigmergy only */
    bool no_files;        /* refuse commands that name files, for input that is not trusted */
    GtpInput *input; /* where the input comes from, so that searches can end when there is more of it. NULL: there is
                        only what is fed, and stigmergy-analyze searches as long as for a move */
} GtpOptions;

/* Whether turns of this game can be spelled so. False with an error. */
bool gtp_check_vertices(GtpVertices vertices, const char *game, Error *error);

typedef struct Gtp Gtp;

/* Starts a session that answers to `out`, to be freed by gtp_free. NULL with an error if an option is out of range, or
 * without memory. */
Gtp *gtp_new(const GtpOptions *options, FILE *out, Error *error);
void gtp_free(Gtp *gtp);

/* Takes the next bytes of input and runs the commands that end in them. A session that ponders then does so until there
 * is more input. False when the session is over: after `quit`, or if `out` cannot be written (ferror(out) tells which).
 */
bool gtp_feed(Gtp *gtp, const char *bytes, size_t count);

/* Ends the input: a last command without a newline is run too. */
void gtp_end(Gtp *gtp);

/* Prints all commands with their arguments, one on a line. */
void gtp_print_commands(FILE *out);

#endif
