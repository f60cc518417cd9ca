/* Lists of carriers in AVX2 registers (carrier_list_lanes_internal.h). */
#include "engine/base/cpu.h"

enum { CARRIER_LANES = 4 };
#include "engine/solver/carrier_list_lanes_internal.h"

const CarrierListKernel carrier_list_avx2 = {"avx2", cpu_has_avx2, lanes_near};
