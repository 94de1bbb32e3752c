#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/// A guarded range of addresses. The entry is free while `end` is 0.
struct guarded {
	_Atomic uintptr_t start, end;
	atomic_bool has_faulted;
};

static struct guarded guarded[256];
static struct sigaction previous;
static uintptr_t page_size;

static struct guarded *guarded_at(uintptr_t address)
{
	for (size_t i = 0; i < sizeof guarded / sizeof *guarded; i++)
		if (address < atomic_load(&guarded[i].end) && address >= atomic_load(&guarded[i].start))
			return &guarded[i];
	return NULL;
}

/// Maps a page of zeros over a page of a guarded mapping that cannot be read; the kernel then repeats the read.
static void on_bus_error(int signal, siginfo_t *info, void *context)
{
	int error = errno;
	uintptr_t address = (uintptr_t)info->si_addr;
	struct guarded *found = info->si_code > 0 ? guarded_at(address) : NULL;

	if (found &&
	    mmap((void *)(address & ~(page_size - 1)), page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
		    MAP_FAILED) {
		atomic_store(&found->has_faulted, true);
		errno = error;
	} else if (previous.sa_flags & SA_SIGINFO) {
		previous.sa_sigaction(signal, info, context);
	} else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
		previous.sa_handler(signal);
	} else {
		// Restore the previous action. A faulting read then faults again; a signal sent by a process is raised again.
		sigaction(signal, &previous, NULL);
		if (info->si_code <= 0)
			raise(signal);
	}
}

static void install(void)
{
	struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &previous);
}

int pip_guard_mapping(const void *start, size_t length)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, install);
	for (size_t i = 0; i < sizeof guarded / sizeof *guarded; i++) {
		uintptr_t none = 0;

		// An `end` of 1 reserves the entry without matching any address.
		if (!atomic_compare_exchange_strong(&guarded[i].end, &none, 1))
			continue;
		atomic_store(&guarded[i].has_faulted, false);
		atomic_store(&guarded[i].start, (uintptr_t)start);
		atomic_store(&guarded[i].end, (uintptr_t)start + length);
		return (int)i;
	}
	return -1;
}

bool pip_guard_has_faulted(int place) { return atomic_load(&guarded[place].has_faulted); }

void pip_guard_end(int place) { atomic_store(&guarded[place].end, 0); }
