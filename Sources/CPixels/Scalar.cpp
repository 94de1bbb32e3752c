// Processes one pixel at a time, on any machine.
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#define PIP_SET scalar
#define LANES 1
#include "KernelSet.hpp"
