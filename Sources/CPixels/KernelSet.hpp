// All loops and effects for one instruction set. PIP_SET is the namespace, and LANES the number of pixels that are
// processed at once.
#include "CPixels.h"

// The code for one instruction set.
struct PipKernelSet {
    const PipRowFunctions *rows;
    const PipEffect *effects;
    int32_t effectCount;
};

// All instruction sets must round alike, so the compiler neither contracts nor reorders operations.
#pragma clang fp contract(off) reassociate(off)
// Functions that take vectors are always inlined, so the warning about the passing of vectors does not matter.
#pragma clang diagnostic ignored "-Wpsabi"
#ifdef PIP_TARGET
#pragma clang attribute push(__attribute__((target(PIP_TARGET))), apply_to = function)
#endif
namespace PIP_SET {
#include "Lanes/Lanes.hpp"
#include "Rows/Shorts.hpp"
#include "Rows/Scaling.hpp"
#include "Rows/Shades.hpp"
#include "Rows/Warps.hpp"
#include "Rows/Rows.hpp"
#include "Generated/Effects.inc"
}
#ifdef PIP_TARGET
#pragma clang attribute pop
#endif

#define PIP_JOINED(A, B) A##B
#define PIP_NAME(SET) PIP_JOINED(pip_kernels_, SET)
extern const PipKernelSet PIP_NAME(PIP_SET);
const PipKernelSet PIP_NAME(PIP_SET) = {
    &PIP_SET::rowFunctions, PIP_SET::effects, (int32_t)(sizeof PIP_SET::effects / sizeof PIP_SET::effects[0])};
