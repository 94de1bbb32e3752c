#pragma once
#include <libv4lconvert.h>
