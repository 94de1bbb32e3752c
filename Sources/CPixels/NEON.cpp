#if defined(__aarch64__)
#define PIP_SET neon
#define LANES 4
#define LANES_HAVE_FLOOR
#include "KernelSet.hpp"
#endif
