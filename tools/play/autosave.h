/* Saves a game that a person leaves without saving it. The next such game overwrites it. */
#ifndef STIGMERGY_TOOLS_PLAY_AUTOSAVE_H
#define STIGMERGY_TOOLS_PLAY_AUTOSAVE_H

#include "tools/play/session.h"

/* If the game has turns that are in no file, writes it to stigmergy/play.sgf below $XDG_STATE_HOME (XDG base directory
 * specification; default ~/.local/state). Prints to `out` how to go on with it, or why it could not be saved. */
void play_autosave(PlaySession *session, FILE *out);

#endif
