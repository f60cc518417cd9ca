/* Lists of claims in AVX2 registers (claim_list_lanes.h). */
#include "engine/base/cpu.h"

enum { CLAIM_LANES = 4 };
#include "engine/games/stigmergy/proof/claim_list_lanes.h"

const ClaimListKernel claim_list_avx2 = {"avx2", cpu_has_bmi2, lanes_near};
