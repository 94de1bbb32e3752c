#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

int pip_rename_to_new(const char *from, const char *to)
{
	return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

bool pip_clock_is_synchronized(void)
{
	struct timex state = { 0 };

	return adjtimex(&state) >= 0 && !(state.status & STA_UNSYNC);
}

void pip_set_thread_name(const char *name) { pthread_setname_np(pthread_self(), name); }

int pip_usable_processors(void)
{
	cpu_set_t set;

	/* The kernel refuses if the machine has more processors than the set has bits. */
	if (sched_getaffinity(0, sizeof set, &set) < 0)
		return (int)sysconf(_SC_NPROCESSORS_ONLN);
	return CPU_COUNT(&set);
}

int64_t pip_monotonic_nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int pip_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t nanoseconds)
{
	struct timespec until = { nanoseconds / 1000000000LL, nanoseconds % 1000000000LL };

	return pthread_cond_timedwait(condition, mutex, &until);
}

int pip_event_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int pip_pipe(int descriptors[2])
{
	if (pipe2(descriptors, O_CLOEXEC) < 0)
		return errno;
	return fcntl(descriptors[0], F_SETFL, O_NONBLOCK) < 0 ? errno : 0;
}

int pip_spawn_close_from(posix_spawn_file_actions_t *actions, int first)
{
	return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int pip_condition_init(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;
	int error = pthread_condattr_init(&attributes);

	if (error)
		return error;
	error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	if (!error)
		error = pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
	return error;
}

int pip_write_back(int descriptor)
{
	return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE) ? -errno : 0;
}

struct pip_usage pip_process_usage(void)
{
	struct rusage usage;
	struct pip_usage result = { 0 };

	if (getrusage(RUSAGE_SELF, &usage) == 0) {
		result.user_microseconds = usage.ru_utime.tv_sec * 1000000LL + usage.ru_utime.tv_usec;
		result.system_microseconds = usage.ru_stime.tv_sec * 1000000LL + usage.ru_stime.tv_usec;
		result.peak_kibibytes = usage.ru_maxrss;
	}
	return result;
}

int pip_generic_netlink_socket(void)
{
	int result = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_GENERIC);

	return result < 0 ? -errno : result;
}

int pip_netlink_join(int socket, uint32_t group)
{
	int value = (int)group;

	return setsockopt(socket, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &value, sizeof value) < 0 ? -errno : 0;
}

int pip_firmware_throttled(const char *path, uint32_t *flags)
{
	/* Size, request, one tag with room for one word, end. Source: the firmware wiki's "Mailbox property interface". */
	uint32_t message[7] = { sizeof message, 0, 0x00030046, 4, 0, 0, 0 };
	int error = 0;
	int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);

	if (file < 0)
		return -errno;
	if (ioctl(file, _IOWR(100, 0, char *), message) < 0)
		error = -errno;
	else if (message[1] != 0x80000000)
		error = -EIO;
	close(file);
	*flags = message[5];
	return error;
}

int64_t pip_allocated_bytes(void)
{
	const struct mallinfo2 info = mallinfo2();

	return (int64_t)(info.uordblks + info.hblkhd);
}

int pip_find_beneath(int folder, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_BENEATH };
	long found = syscall(SYS_openat2, folder, path, &how, sizeof how);

	return found < 0 ? -errno : (int)found;
}
