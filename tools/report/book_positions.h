/* The positions of an opening book, as its result document has them (selfplay/runs/book/result_internal.h). */
#ifndef STIGMERGY_TOOLS_REPORT_BOOK_POSITIONS_H
#define STIGMERGY_TOOLS_REPORT_BOOK_POSITIONS_H

#include "tools/report/source.h"

typedef struct BookPosition {
    int number;
    const char *line; /* the moves that lead there */
    GameState *state;
    int games; /* that were played through it; its own where the document says no more */
    KomiEstimate fair_komi;
    bool exact;
    const cJSON *children; /* an array, the best move first; NULL: the book ends here */
    int parent;            /* an index, by which it is first reached; -1 for the start */
} BookPosition;

typedef struct BookPositions {
    BookPosition *list; /* the start first */
    int count;
} BookPositions;

/* Reads the `nodes` of a book and checks their moves. `komi` is one of the book's parity. To be freed in any case. The
 * document must outlive the positions. */
void book_positions_read(ReportSource *source, const Game *game, const cJSON *nodes, int komi,
                         BookPositions *positions);
void book_positions_free(BookPositions *positions);

/* The index of the position that a child leads to, which is one of the `children` of a position. */
int book_positions_child(const BookPositions *positions, const cJSON *child);

#endif
