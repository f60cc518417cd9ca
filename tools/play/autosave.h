/* The game that somebody leaves without saving it: kept in a file that the next one overwrites. */
#ifndef STIGMERGY_TOOLS_PLAY_AUTOSAVE_H
#define STIGMERGY_TOOLS_PLAY_AUTOSAVE_H

#include "tools/play/session.h"

/* Where a person has turns that no file has: writes the game to stigmergy/play.sgf under $XDG_STATE_HOME (the XDG base
 * directory specification; default ~/.local/state), and says on `out` how to go on with it, or why it could not be
 * kept. */
void play_autosave(PlaySession *session, FILE *out);

#endif
