#pragma once
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/thermal.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/// Names the calling thread, as shown by `top -H` (15 bytes at most).
void pip_set_thread_name(const char *name);

/// The processors that the process may run on.
int pip_usable_processors(void);

/// CLOCK_MONOTONIC in nanoseconds.
int64_t pip_monotonic_nanoseconds(void);

/// Waits on a condition until a moment of CLOCK_MONOTONIC; `ETIMEDOUT` when it passed.
int pip_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t nanoseconds);

/// An event counter (`eventfd`) that does not block and is not inherited; -1 when there are no descriptors left.
int pip_event_descriptor(void);

/// Closes all descriptors from one on in a program that is started with these actions; 0 or an error's number.
int pip_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// Prepares a condition that waits by CLOCK_MONOTONIC.
int pip_condition_init(pthread_cond_t *condition);

/// Sends what was written to a file on its way to the disk, and waits for what was sent before; `-errno` when the disk
/// did not take it.
int pip_write_back(int descriptor);

/// What the process has used since it started.
struct pip_usage {
	int64_t user_microseconds;
	int64_t system_microseconds;
	/// The most memory that it held at once.
	int64_t peak_kibibytes;
};

/// CPU time and memory of the process; all zero when they cannot be told.
struct pip_usage pip_process_usage(void);

/// A socket of generic netlink that does not block and is not inherited; `-errno` when there is none.
int pip_generic_netlink_socket(void);

/// Subscribes a netlink socket to a multicast group; 0 or `-errno`.
int pip_netlink_join(int socket, uint32_t group);

/// Bytes that are allocated, in all arenas of the heap and in pages of their own.
int64_t pip_allocated_bytes(void);

/// Finds a path below an open folder, as a descriptor of the place alone (`O_PATH`).
///
/// `-errno`: `EXDEV` when the path leads out of the folder, also by a symbolic link; `ENOSYS` before Linux 5.6.
int pip_find_beneath(int folder, const char *path);

/// Asks a Raspberry Pi's firmware for its throttling flags through the mailbox at a path (`/dev/vcio`); 0 or `-errno`.
int pip_firmware_throttled(const char *path, uint32_t *flags);

/// Keeps reads of a file's mapping from ending the process (SIGBUS) when the file is cut off or its disk fails: pages
/// that cannot be had read as zeros. The place for `pip_guard_end`; -1 when too many mappings are guarded.
int pip_guard_mapping(const void *start, size_t length);

/// True when pages of a guarded mapping could not be had.
bool pip_guard_has_faulted(int place);

/// Ends the guard, before the mapping is taken away.
void pip_guard_end(int place);
