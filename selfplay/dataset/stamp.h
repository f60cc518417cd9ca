/* Texts that tell whether somebody has changed them: a text holds its own SHA-256, made with zeros in place of the
 * digits. So a text that the program wrote is known as such, by whatever command, and whatever became of the manifest
 * that names it. */
#ifndef STIGMERGY_SELFPLAY_DATASET_STAMP_H
#define STIGMERGY_SELFPLAY_DATASET_STAMP_H

#include <stdbool.h>

/* Room for the stamp, to be written somewhere into the text. */
#define DATASET_STAMP "text-sha256:0000000000000000000000000000000000000000000000000000000000000000"

/* Fills in the stamp of a text that has room for one. */
void dataset_stamp(char *text);

/* *good: whether the text holds its stamp and is as it was when it got it. False without memory. */
bool dataset_stamp_check(const char *text, bool *good);

#endif
