/* Lists of carriers (carriers.h): which of the proofs found so far hold on a position, or would if one cell were right.
 *
 * A search finds millions of proofs. Most of their carriers contain another one; those that do not are thousands, and
 * all of them are tried at every node. So a list is kept in bit slices, like the records of a signature file (Roberts,
 * "Partial-match retrieval via the method of superimposed codes", 1979): for each cell there is one bit a carrier that
 * says whether the cell is on it, and another that says whether the winner has to have a stone there. A vector of
 * carriers is tried by adding up the slices of the cells where something is wrong, with two bits a carrier: none wrong,
 * one, or more. */
#ifndef STIGMERGY_ENGINE_SOLVER_CARRIER_LIST_INTERNAL_H
#define STIGMERGY_ENGINE_SOLVER_CARRIER_LIST_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

enum { CARRIER_LIST = 8192, CARRIER_BLOCK = 512, CARRIER_BLOCK_WORDS = CARRIER_BLOCK / 64 };

/* The slices of a block of carriers, by cell. */
typedef struct CarrierBlock {
    uint64_t on[64][CARRIER_BLOCK_WORDS];  /* carriers that the cell is on */
    uint64_t own[64][CARRIER_BLOCK_WORDS]; /* those whose winner has to have a stone on it */
} CarrierBlock;

/* Carriers of proofs of one winner in one phase with one side to move. None of them contains another. Begins
 * zero-initialized. In a full list a new carrier replaces one that has not been used for long (by the clock algorithm
 * of operating systems: Corbato, "A paging experiment with the Multics system", 1968). */
typedef struct CarrierList {
    uint32_t count, hand; /* hand: the next one to be replaced if it has not been used */
    uint64_t any;         /* the cells of all carriers there have been */
    bool used[CARRIER_LIST];
    uint64_t own[CARRIER_LIST]; /* the cells of the carrier on which the winner has to have stones */
    uint64_t cells[CARRIER_LIST];
    CarrierBlock block[CARRIER_LIST / CARRIER_BLOCK];
} CarrierList;

/* Carriers that hold on a position, or would if the cell `wrong` were right: a stone of the winner is missing there, or
 * one of the loser is in the way. */
enum { CARRIERS_NEAR = 1024 };
typedef struct NearCarriers {
    CarrierList *list;
    int count;
    struct {
        uint64_t cells, wrong; /* wrong: a set of one cell or none */
        uint32_t at;           /* its place in the list; valid until the list changes */
    } carrier[CARRIERS_NEAR];
} NearCarriers;

/* Picks the first CARRIERS_NEAR carriers of a list that hold where the winner has the stones `own` and the loser the
 * stones `enemy`, or that would if one cell of the set `fixable` were right. All kernels pick the same. */
typedef void CarrierListNear(CarrierList *list, uint64_t own, uint64_t enemy, uint64_t fixable, NearCarriers *near);

typedef struct CarrierListKernel {
    const char *name;
    bool (*runs_here)(void);
    CarrierListNear *near;
} CarrierListKernel;

/* The kernels of this build, the fastest last, ended by NULL. The first one runs everywhere. */
extern const CarrierListKernel *const carrier_list_kernels[];
extern const CarrierListKernel carrier_list_plain, carrier_list_avx2;

/* The fastest kernel for this processor. */
const CarrierListKernel *carrier_list_kernel(void);

/* Notes that the i-th of the carriers picked has helped. */
static inline void carrier_used(const NearCarriers *near, int i) {
    near->list->used[near->carrier[i].at] = true;
}

/* Adds a carrier, not empty, of a proof that was found where the winner had the stones `own`. Carriers that contain it
 * leave the list; it is not added where it contains another one itself. `near`: any kernel. */
void carrier_list_add(CarrierList *list, CarrierListNear *near, uint64_t own, uint64_t carrier);

/* Takes all carriers out. */
void carrier_list_clear(CarrierList *list);

#endif
