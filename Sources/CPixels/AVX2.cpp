#if defined(__x86_64__)
#include <immintrin.h>
#define PIP_SET avx2
#define PIP_TARGET "avx2"
#define LANES 8
#define LANES_HAVE_FLOOR
#include "KernelSet.hpp"
#endif
