// Chooses the instruction set at run time.
#include "CPixels.h"

#include <stdlib.h>
#include <string.h>

struct PipKernelSet {
    const PipRowFunctions *rows;
    const PipEffect *effects;
    int32_t effectCount;
};

extern const PipKernelSet pip_kernels_scalar;
#if defined(__x86_64__)
extern const PipKernelSet pip_kernels_sse2, pip_kernels_avx2, pip_kernels_avx512;
#elif defined(__aarch64__)
extern const PipKernelSet pip_kernels_neon;
#endif

static const PipKernelSet *kernelsOf(PipInstructionSet set)
{
    switch (set) {
#if defined(__x86_64__)
    case PipSSE2: return &pip_kernels_sse2;
    case PipAVX2: return __builtin_cpu_supports("avx2") ? &pip_kernels_avx2 : nullptr;
    case PipAVX512: {
        bool isThere = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
        return isThere ? &pip_kernels_avx512 : nullptr;
    }
#elif defined(__aarch64__)
    case PipNEON: return &pip_kernels_neon;
#endif
    case PipScalar: return &pip_kernels_scalar;
    default: return nullptr;
    }
}

static const struct {
    PipInstructionSet set;
    const char *name, *word;
} sets[] = {
    {PipAVX512, "AVX-512", "avx512"}, {PipAVX2, "AVX2", "avx2"}, {PipSSE2, "SSE2", "sse2"}, {PipNEON, "NEON", "neon"},
    {PipScalar, "scalar code", "scalar"},
};

static PipInstructionSet chosen(void)
{
    const char *wanted = getenv("PIP_COMPOSE_VECTORS");
    for (const auto &known : sets)
        if (wanted && strcmp(wanted, known.word) == 0 && kernelsOf(known.set))
            return known.set;
    for (const auto &known : sets)
        if (kernelsOf(known.set))
            return known.set;
    return PipScalar;
}

extern "C" PipInstructionSet pip_instruction_set(void)
{
    static const PipInstructionSet set = chosen();
    return set;
}

extern "C" int32_t pip_can_run(PipInstructionSet set) { return kernelsOf(set) != nullptr; }

extern "C" const char *pip_instruction_set_name(PipInstructionSet set)
{
    for (const auto &known : sets)
        if (known.set == set)
            return known.name;
    return "scalar code";
}

extern "C" const PipRowFunctions *pip_row_functions(PipInstructionSet set)
{
    const PipKernelSet *kernels = kernelsOf(set);
    return (kernels ? kernels : &pip_kernels_scalar)->rows;
}

extern "C" const PipEffect *pip_effects(PipInstructionSet set, int32_t *count)
{
    const PipKernelSet *kernels = kernelsOf(set);
    if (!kernels)
        kernels = &pip_kernels_scalar;
    *count = kernels->effectCount;
    return kernels->effects;
}

extern "C" const PipEffect *pip_effect(PipInstructionSet set, uint64_t identity)
{
    int32_t low = 0, high = 0;
    const PipEffect *effects = pip_effects(set, &high);
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (effects[middle].identity == identity)
            return &effects[middle];
        if (effects[middle].identity < identity)
            low = middle + 1;
        else
            high = middle;
    }
    return nullptr;
}
