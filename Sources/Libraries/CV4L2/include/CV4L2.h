#pragma once
#include <linux/media.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdint.h>
#include <sys/types.h>

// ioctl request codes, as constants: Swift does not import macros that take a type.
static const unsigned long PIP_VIDIOC_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long PIP_VIDIOC_ENUM_FMT = VIDIOC_ENUM_FMT;
static const unsigned long PIP_VIDIOC_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long PIP_VIDIOC_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long PIP_VIDIOC_G_FMT = VIDIOC_G_FMT;
static const unsigned long PIP_VIDIOC_S_FMT = VIDIOC_S_FMT;
static const unsigned long PIP_VIDIOC_TRY_FMT = VIDIOC_TRY_FMT;
static const unsigned long PIP_VIDIOC_G_PARM = VIDIOC_G_PARM;
static const unsigned long PIP_VIDIOC_S_PARM = VIDIOC_S_PARM;
static const unsigned long PIP_VIDIOC_G_STD = VIDIOC_G_STD;
static const unsigned long PIP_VIDIOC_G_DV_TIMINGS = VIDIOC_G_DV_TIMINGS;
static const unsigned long PIP_VIDIOC_S_DV_TIMINGS = VIDIOC_S_DV_TIMINGS;
static const unsigned long PIP_VIDIOC_QUERY_DV_TIMINGS = VIDIOC_QUERY_DV_TIMINGS;
static const unsigned long PIP_VIDIOC_SUBSCRIBE_EVENT = VIDIOC_SUBSCRIBE_EVENT;
static const unsigned long PIP_VIDIOC_DQEVENT = VIDIOC_DQEVENT;
static const unsigned long PIP_VIDIOC_REQBUFS = VIDIOC_REQBUFS;
static const unsigned long PIP_VIDIOC_QUERYBUF = VIDIOC_QUERYBUF;
static const unsigned long PIP_VIDIOC_QBUF = VIDIOC_QBUF;
static const unsigned long PIP_VIDIOC_DQBUF = VIDIOC_DQBUF;
static const unsigned long PIP_VIDIOC_EXPBUF = VIDIOC_EXPBUF;
static const unsigned long PIP_VIDIOC_STREAMON = VIDIOC_STREAMON;
static const unsigned long PIP_VIDIOC_STREAMOFF = VIDIOC_STREAMOFF;
static const unsigned long PIP_VIDIOC_QUERY_EXT_CTRL = VIDIOC_QUERY_EXT_CTRL;
static const unsigned long PIP_VIDIOC_QUERYMENU = VIDIOC_QUERYMENU;
static const unsigned long PIP_VIDIOC_G_CTRL = VIDIOC_G_CTRL;
static const unsigned long PIP_VIDIOC_S_CTRL = VIDIOC_S_CTRL;
static const unsigned long PIP_VIDIOC_S_PRIORITY = VIDIOC_S_PRIORITY;
static const unsigned long PIP_VIDIOC_TRY_EXT_CTRLS = VIDIOC_TRY_EXT_CTRLS;
static const unsigned long PIP_VIDIOC_S_EXT_CTRLS = VIDIOC_S_EXT_CTRLS;
static const unsigned long PIP_VIDIOC_G_SELECTION = VIDIOC_G_SELECTION;
static const unsigned long PIP_VIDIOC_S_SELECTION = VIDIOC_S_SELECTION;

/// Analog video standards with 525 lines and 60 fields a second.
static const v4l2_std_id PIP_V4L2_STD_525_60 = V4L2_STD_525_60;

static const unsigned long PIP_MEDIA_IOC_DEVICE_INFO = MEDIA_IOC_DEVICE_INFO;
static const unsigned long PIP_MEDIA_IOC_G_TOPOLOGY = MEDIA_IOC_G_TOPOLOGY;

/// The functions of media entities.
static const uint32_t PIP_MEDIA_NODE = MEDIA_ENT_F_IO_V4L;
static const uint32_t PIP_MEDIA_SENSOR = MEDIA_ENT_F_CAM_SENSOR;
static const uint32_t PIP_MEDIA_FLASH = MEDIA_ENT_F_FLASH;
static const uint32_t PIP_MEDIA_LENS = MEDIA_ENT_F_LENS;

// The functions below return 0 or more, or `-errno`.

/// Opens a device node for reading and writing, with non-blocking calls and close-on-exec.
int pip_v4l2_open(const char *path);

int pip_v4l2_close(int descriptor);

int pip_v4l2_ioctl(int descriptor, unsigned long request, void *argument);

/// Maps a buffer as shared memory, for reading and writing.
int pip_v4l2_map(int descriptor, size_t length, int64_t offset, void **memory);

int pip_v4l2_unmap(void *memory, size_t length);

/// Waits at most `milliseconds` for an event on the descriptors; forever if `milliseconds` is negative.
int pip_v4l2_poll(struct pollfd *descriptors, unsigned long count, int milliseconds);

/// Makes an event descriptor (`eventfd`) with non-blocking reads.
int pip_v4l2_event_create(void);

int pip_v4l2_event_signal(int descriptor);

/// Resets the event descriptor to unsignalled.
int pip_v4l2_event_clear(int descriptor);
