// One pixel at a time, for any machine.
#define PIP_SET scalar
#define LANES 1
#include "KernelSet.hpp"
