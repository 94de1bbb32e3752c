#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>

void pip_set_thread_name(const char *name) { pthread_setname_np(pthread_self(), name); }

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
