/* A stream for people: lines that are too long for the terminal are broken between words. */
#ifndef STIGMERGY_TOOLS_PLAY_WRAP_H
#define STIGMERGY_TOOLS_PLAY_WRAP_H

#include <stdio.h>

/* A stream whose text goes on to `to`, which stays open when the stream is closed. *columns is the width of the
 * terminal and is read for each word; 0: lines stay as they are. Both must outlive the stream. Escape sequences have no
 * width, and each other character has one column. A word without room goes to the next line, which is indented by two
 * spaces more; a list of cells that is longer than a line is broken after a comma. NULL without memory. */
FILE *wrap_open(FILE *to, const int *columns);

#endif
