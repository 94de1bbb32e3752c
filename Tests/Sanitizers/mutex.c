// Reports contended locking and unlocking of Swift's `Mutex` to the thread sanitizer.
//
// The sanitizer sees the fast paths, which are inlined in the program. The slow paths are in a library compiled without
// the sanitizer, and end in system calls.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
// Mangled names of `Synchronization._MutexHandle._lockSlow(UInt32)`, `_tryLockSlow() -> Bool` and `_unlockSlow()`.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void lockSlow(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT bool tryLockSlow(SELF void *handle) __asm__(TRY_LOCK);
SWIFT void unlockSlow(SELF void *handle) __asm__(UNLOCK);

SWIFT void lockSlow(uint32_t thread, SELF void *handle)
{
    SWIFT void (*real)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
    real(thread, handle);
    __tsan_acquire(handle);
}

SWIFT bool tryLockSlow(SELF void *handle)
{
    SWIFT bool (*real)(SELF void *) = dlsym(RTLD_NEXT, TRY_LOCK);
    bool isLocked = real(handle);
    if (isLocked) __tsan_acquire(handle);
    return isLocked;
}

SWIFT void unlockSlow(SELF void *handle)
{
    SWIFT void (*real)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
    __tsan_release(handle);
    real(handle);
}
