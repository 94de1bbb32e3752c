// The shaders that compute tables run lane by lane: they count, which vector code does not speed up.
#include "CPixels.h"

#pragma clang fp contract(off) reassociate(off)
#pragma clang diagnostic ignored "-Wpsabi"
#define LANES 1
namespace tables {
#include "Lanes/Lanes.hpp"
#include "Lanes/TableAccess.hpp"
#include "Generated/Tables.inc"
}

extern "C" const PipTableMaker *pip_table_makers(int32_t *count)
{
    *count = (int32_t)(sizeof tables::tableMakers / sizeof tables::tableMakers[0]);
    return tables::tableMakers;
}
