#if defined(__x86_64__)
#define PIP_SET sse2
#define LANES 4
#include "KernelSet.hpp"
#endif
