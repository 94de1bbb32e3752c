#if defined(__x86_64__)
#include <emmintrin.h>
#define PIP_SET sse2
#define LANES 4
#include "KernelSet.hpp"
#endif
