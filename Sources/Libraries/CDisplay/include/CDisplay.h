#pragma once
#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>
#include <stddef.h>
#include <stdint.h>

// ioctl request codes, as constants: Swift does not import macros that take a type.
static const unsigned long PIP_DRM_SET_MASTER = DRM_IOCTL_SET_MASTER;
static const unsigned long PIP_DRM_DROP_MASTER = DRM_IOCTL_DROP_MASTER;
static const unsigned long PIP_DRM_GET_CAP = DRM_IOCTL_GET_CAP;
static const unsigned long PIP_DRM_GET_RESOURCES = DRM_IOCTL_MODE_GETRESOURCES;
static const unsigned long PIP_DRM_GET_CONNECTOR = DRM_IOCTL_MODE_GETCONNECTOR;
static const unsigned long PIP_DRM_GET_ENCODER = DRM_IOCTL_MODE_GETENCODER;
static const unsigned long PIP_DRM_GET_CRTC = DRM_IOCTL_MODE_GETCRTC;
static const unsigned long PIP_DRM_SET_CRTC = DRM_IOCTL_MODE_SETCRTC;
static const unsigned long PIP_DRM_PAGE_FLIP = DRM_IOCTL_MODE_PAGE_FLIP;
static const unsigned long PIP_DRM_ADD_FRAMEBUFFER = DRM_IOCTL_MODE_ADDFB;
static const unsigned long PIP_DRM_GET_FRAMEBUFFER = DRM_IOCTL_MODE_GETFB;
static const unsigned long PIP_DRM_REMOVE_FRAMEBUFFER = DRM_IOCTL_MODE_RMFB;
static const unsigned long PIP_DRM_CREATE_DUMB = DRM_IOCTL_MODE_CREATE_DUMB;
static const unsigned long PIP_DRM_MAP_DUMB = DRM_IOCTL_MODE_MAP_DUMB;
static const unsigned long PIP_DRM_DESTROY_DUMB = DRM_IOCTL_MODE_DESTROY_DUMB;

// The functions below return 0 or more, or `-errno`. They open descriptors with close-on-exec.

/// Opens a device node for reading and writing, with non-blocking reads.
int pip_display_open(const char *path);

int pip_display_ioctl(int descriptor, unsigned long request, void *argument);

/// Allocates memory that other processes can map through the returned descriptor.
int pip_display_memory(size_t length);

/// Maps shared memory for reading and writing.
int pip_display_map(int descriptor, size_t length, int64_t offset, void **memory);

/// Connects to a Unix domain socket, without blocking; a path that begins with `@` is an abstract name.
int pip_display_connect(const char *path);

/// Connects to a TCP port of a host.
///
/// Looks the host's name up, and waits at most `milliseconds` for each of its addresses. The returned descriptor is
/// non-blocking.
int pip_display_connect_host(const char *host, int port, int milliseconds);

/// Sends as many bytes as the socket accepts now, and the descriptor `passed` unless it is negative.
int64_t pip_display_send(int descriptor, const void *bytes, size_t count, int passed);

/// Reads the bytes that have arrived; 0 at the end of the stream.
///
/// Closes descriptors that arrived with the bytes.
int64_t pip_display_receive(int descriptor, void *bytes, size_t count);
