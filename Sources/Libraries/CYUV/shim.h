#pragma once
#include <libyuv/convert.h>
#include <libyuv/planar_functions.h>
#include <libyuv/scale.h>
#include <libyuv/scale_uv.h>
#include <libyuv/convert_argb.h>
#include <libyuv/rotate_argb.h>

// Pointers to libyuv's constants. libyuv reads them with aligned loads, and Swift would pass pointers to unaligned
// copies.
static const struct YuvConstants *const pip_yuv_bt601_limited = &kYuvI601Constants;
static const struct YuvConstants *const pip_yuv_bt601_full = &kYuvJPEGConstants;
static const struct YuvConstants *const pip_yuv_bt709_limited = &kYuvH709Constants;
static const struct YuvConstants *const pip_yuv_bt709_full = &kYuvF709Constants;
