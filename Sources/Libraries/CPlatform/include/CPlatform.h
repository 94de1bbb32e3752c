#pragma once
#include <linux/can.h>
#include <linux/genetlink.h>
#include <linux/gpio.h>
#include <linux/input.h>
#include <linux/netlink.h>
#include <linux/thermal.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

/// Sets the calling thread's name, as shown by `top -H` (15 bytes at most).
void pip_set_thread_name(const char *name);

/// Renames a file unless the new name exists. Returns -1 with `errno`: `EINVAL` on a file system that cannot refuse.
int pip_rename_to_new(const char *from, const char *to);

/// The number of processors that the process may run on.
int pip_usable_processors(void);

/// True when a program such as one of NTP keeps the machine's clock right, as the kernel knows.
bool pip_clock_is_synchronized(void);

/// The time of CLOCK_MONOTONIC in nanoseconds.
int64_t pip_monotonic_nanoseconds(void);

/// Waits on a condition until `nanoseconds` of CLOCK_MONOTONIC; returns `ETIMEDOUT` if that time passes first.
int pip_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t nanoseconds);

/// Makes an event descriptor (`eventfd`), non-blocking and close-on-exec; -1 if the process has no descriptors left.
int pip_event_descriptor(void);

/// Makes a pipe that other programs do not inherit; returns 0 or an error code.
///
/// The first descriptor is for reading, without waiting; the second one is for writing.
int pip_pipe(int descriptors[2]);

/// Adds an action to `posix_spawn` that closes all descriptors from `first` up; returns 0 or an error code.
int pip_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// Initializes a condition whose timed waits use CLOCK_MONOTONIC.
int pip_condition_init(pthread_cond_t *condition);

/// Starts writing a file's dirty pages to the disk, after waiting for pages whose writing began earlier.
///
/// Returns 0, or `-errno` if the disk failed to write pages.
int pip_write_back(int descriptor);

/// Resources that the process has used since its start.
struct pip_usage {
	int64_t user_microseconds;
	int64_t system_microseconds;
	/// The peak resident set size.
	int64_t peak_kibibytes;
};

/// The CPU time and peak memory of the process; all zero if the kernel reports none.
struct pip_usage pip_process_usage(void);

/// Opens a generic netlink socket, non-blocking and close-on-exec; returns `-errno` on failure.
int pip_generic_netlink_socket(void);

/// Subscribes a netlink socket to a multicast group; 0 or `-errno`.
int pip_netlink_join(int socket, uint32_t group);

/// The bytes allocated by malloc, in all arenas and in separate mappings.
int64_t pip_allocated_bytes(void);

/// Opens a path below an open folder, as an `O_PATH` descriptor.
///
/// Returns `-errno` on failure: `EXDEV` if the path leads out of the folder, also by a symbolic link; `ENOSYS` before
/// Linux 5.6.
int pip_find_beneath(int folder, const char *path);

/// Asks a Raspberry Pi's firmware for its throttling flags through the mailbox device at `path`, such as `/dev/vcio`.
///
/// Returns 0 or `-errno`.
int pip_firmware_throttled(const char *path, uint32_t *flags);

/// Keeps reads of a file's mapping from killing the process (SIGBUS) if the file is truncated or its disk fails.
///
/// Pages that cannot be read then contain zeros. Returns the guard's ID for `pip_guard_end`, or -1 if too many mappings
/// are guarded.
int pip_guard_mapping(const void *start, size_t length);

/// Returns true if a page of the guarded mapping could not be read.
bool pip_guard_has_faulted(int place);

/// Ends the guard. Call this before unmapping the file.
void pip_guard_end(int place);

/// Reads the bitmap of the keys that an event device has; returns the number of its bytes, or `-errno`.
int pip_keys_present(int device, uint8_t *bits, size_t size);

/// Has an event device report the given keys only, with times of CLOCK_MONOTONIC; returns 0 or `-errno`.
///
/// `size` is a multiple of 8. Linux before 4.4 cannot leave out events; the function then returns 0, too.
int pip_keys_select(int device, const uint8_t *bits, size_t size);

/// Takes an event device for this descriptor alone, until the descriptor is closed; returns 0 or `-errno`.
int pip_keys_grab(int device);

/// Reads the name, the label and the number of lines of a GPIO chip; returns 0 or `-errno`.
int pip_gpio_chip(int chip, struct gpiochip_info *info);

/// Reads the name, the user and the flags of a GPIO line; returns 0 or `-errno`.
int pip_gpio_line(int chip, uint32_t line, struct gpio_v2_line_info *info);

/// Requests a GPIO line as an input; returns a descriptor for its events, non-blocking and close-on-exec, or `-errno`.
///
/// `flags` are those of `gpio_v2_line_flag`. A `debounce` of 0 microseconds leaves the line's filter as it is.
int pip_gpio_request(int chip, uint32_t line, uint64_t flags, uint32_t debounce);

/// Opens a socket for the messages of a CAN bus, non-blocking and close-on-exec; returns it, or `-errno`.
///
/// The socket receives the messages that pass one of at most `CAN_RAW_FILTER_MAX` filters, as `struct can_frame` or
/// `struct canfd_frame`. When the controller leaves the bus, a message with `CAN_ERR_FLAG` comes.
int pip_can_open(const char *interface, const struct can_filter *filters, size_t count);
