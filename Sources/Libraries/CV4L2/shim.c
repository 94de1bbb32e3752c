#define _GNU_SOURCE
#include "CV4L2.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? -errno : (int)value; }

int pip_v4l2_open(const char *path) { return result(open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)); }

int pip_v4l2_close(int descriptor) { return result(close(descriptor)); }

int pip_v4l2_ioctl(int descriptor, unsigned long request, void *argument)
{
	return result(ioctl(descriptor, request, argument));
}

int pip_v4l2_map(int descriptor, size_t length, int64_t offset, void **memory)
{
	*memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset);
	return *memory == MAP_FAILED ? -errno : 0;
}

int pip_v4l2_unmap(void *memory, size_t length) { return result(munmap(memory, length)); }

int pip_v4l2_poll(struct pollfd *descriptors, unsigned long count, int milliseconds)
{
	return result(poll(descriptors, count, milliseconds));
}

int pip_v4l2_event_create(void) { return result(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }

int pip_v4l2_event_signal(int descriptor) { return result(eventfd_write(descriptor, 1)); }

int pip_v4l2_event_clear(int descriptor)
{
	eventfd_t count;

	return result(eventfd_read(descriptor, &count));
}
