/* Power that is lost: what a cut may leave of the files in the fixtures' folder.
 *
 * The calls that change the disk are wrapped (-Wl,--wrap in tests/CMakeLists.txt) and written into a log. Then every
 * state is made in which a cut behind any call of the log may leave the folder, by what POSIX promises and no more: a
 * file has at least what its last fsync covered; of the writes and cuts after it, any beginning may have come to the
 * disk, and the last write of it in part or as zeros, or the last one or two whole without the one before them. A
 * folder has at least the names that its last fsync covered; of the later ones any beginning. Files and folders are
 * independent of each other. Folders inside the folder count, too: one that was made and may be lost is empty.
 *
 * Only one thread at a time may change the disk. Nothing is really synced. */
#ifndef STIGMERGY_TESTS_SUPPORT_POWER_LOSS_H
#define STIGMERGY_TESTS_SUPPORT_POWER_LOSS_H

/* Begins a log. The files that are in the folder have been on the disk for long. */
void power_loss_begin(void);

/* Says that what was promised up to here, in the caller's numbers from 1 on, must be there whatever happens. */
void power_loss_promise(int number);

/* Ends the log. */
void power_loss_end(void);

typedef struct PowerLoss {
    int promise;   /* what had been promised before the cut; 0: nothing */
    char text[96]; /* which state it is, for messages */
} PowerLoss;

/* Makes one state after the other in the folder and calls `visit`, which may change it. Each different state is made
 * once. Returns how many there were. Leaves no file in the folder, and forgets the log. */
int power_loss_each(void (*visit)(void *user, const PowerLoss *state), void *user);

#endif
