#pragma once
#include <libyuv/convert.h>
#include <libyuv/planar_functions.h>
#include <libyuv/scale.h>
#include <libyuv/scale_uv.h>
#include <libyuv/convert_argb.h>
#include <libyuv/rotate_argb.h>
