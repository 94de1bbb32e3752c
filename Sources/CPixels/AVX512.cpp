#if defined(__x86_64__)
#include <immintrin.h>
#define PIP_SET avx512
#define PIP_TARGET "avx2,avx512f,avx512bw,avx512vl,avx512dq"
#define LANES 16
#define LANES_HAVE_FLOOR
#include "KernelSet.hpp"
#endif
