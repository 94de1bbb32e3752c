#if defined(__aarch64__)
#include <arm_neon.h>
#define PIP_SET neon
#define LANES 4
#define LANES_HAVE_FLOOR
#define LANES_ARE_NEON
#include "KernelSet.hpp"
#endif
