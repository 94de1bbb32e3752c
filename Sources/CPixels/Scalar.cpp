// Processes one pixel at a time, on any machine.
#define PIP_SET scalar
#define LANES 1
#include "KernelSet.hpp"
