/* Lists of claims (claim.h), and which of them hold on a position or would but for one cell.
 *
 * A search that proves for hours finds millions of claims, most of which contain others; thousands remain, and all are
 * tried at every node. So they stand in bit slices, too, like the records of a signature file (Roberts, "Partial-match
 * retrieval via the method of superimposed codes", 1979): for each cell, a bit a claim says whether the cell is on it,
 * and another whether a stone has to stand there. To try a vector of claims is to add up the slices of the cells
 * where something is wrong, with two bits a claim: none, one, or more. */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_CLAIM_LIST_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_CLAIM_LIST_H

#include <stdbool.h>
#include <stdint.h>

enum { CLAIM_LIST = 8192, CLAIM_BLOCK = 512, CLAIM_BLOCK_WORDS = CLAIM_BLOCK / 64 };

/* The slices of a block of claims, by cell. */
typedef struct ClaimBlock {
    uint64_t on[64][CLAIM_BLOCK_WORDS];  /* claims that the cell is on */
    uint64_t own[64][CLAIM_BLOCK_WORDS]; /* those whose side has to have a stone on it */
} ClaimBlock;

/* Claims of one side in one phase with one side to move, none of which contains another; zero-initialized. When it is
 * full, a hand goes round, and the first claim that has not been used since it last came by makes room (the clock of
 * operating systems: Corbato, "A paging experiment with the Multics system", 1968). */
typedef struct ClaimList {
    uint32_t count, hand;
    uint64_t any; /* the cells of all claims there have been */
    bool used[CLAIM_LIST];
    uint64_t own[CLAIM_LIST]; /* the cells of the claim on which its side has to have stones */
    uint64_t cells[CLAIM_LIST];
    ClaimBlock block[CLAIM_LIST / CLAIM_BLOCK];
} ClaimList;

/* Claims that hold on a position, or would but for one cell: `wrong`, where a stone is missing or an enemy's stands. */
enum { CLAIMS_NEAR = 1024 };
typedef struct NearClaims {
    ClaimList *list;
    int count;
    struct {
        uint64_t cells, wrong; /* wrong: of one cell or none */
        uint32_t at;           /* in the list, until that changes */
    } claim[CLAIMS_NEAR];
} NearClaims;

/* Picks from a list the first CLAIMS_NEAR claims that hold where their side has the stones `own` and the other one
 * `enemy`, or would but for one cell of the set `but`. All kernels pick the same. */
typedef void ClaimListNear(ClaimList *list, uint64_t own, uint64_t enemy, uint64_t but, NearClaims *near);

typedef struct ClaimListKernel {
    const char *name;
    bool (*runs_here)(void);
    ClaimListNear *near;
} ClaimListKernel;

/* The kernels of this build, the fastest last, then NULL. The first one runs everywhere. */
extern const ClaimListKernel *const claim_list_kernels[];
extern const ClaimListKernel claim_list_plain, claim_list_avx2;

/* The fastest kernel for this processor. */
const ClaimListKernel *claim_list_kernel(void);

/* Notes that one of them has been of use. */
static inline void claim_used(const NearClaims *near, int i) {
    near->list->used[near->claim[i].at] = true;
}

/* Adds a claim, not empty, that was found where its side had the stones `own`. */
void claim_list_add(ClaimList *list, ClaimListNear *near, uint64_t own, uint64_t claim);

/* Takes all claims out. */
void claim_list_clear(ClaimList *list);

#endif
