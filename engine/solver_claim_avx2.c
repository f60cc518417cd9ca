/* Lists of claims in AVX2 registers (solver_claim_lanes.h). */
#include "cpu.h"

enum { CLAIM_LANES = 4 };
#include "solver_claim_lanes.h"

const ClaimListKernel claim_list_avx2 = {"avx2", cpu_has_bmi2, lanes_near};
