// Avahi, which announces services in the local network, loaded at run time: few outputs are announced.
//
// This header declares the functions that the project needs, so that no package with the library's headers is needed.
// The definitions call the loaded library. They must not be called unless `pip_load_avahi` has returned null.
//
// Source: Avahi 0.8, avahi-client/client.h, avahi-client/publish.h, avahi-common/simple-watch.h. The library's ABI is
// that of libavahi-client.so.3.
#ifndef PIP_AVAHI_H
#define PIP_AVAHI_H

#include <stdint.h>

typedef struct AvahiPoll AvahiPoll;
typedef struct AvahiSimplePoll AvahiSimplePoll;
typedef struct AvahiClient AvahiClient;
typedef struct AvahiEntryGroup AvahiEntryGroup;

// AvahiClientState
static const int pip_avahi_client_registering = 1;
static const int pip_avahi_client_running = 2;
static const int pip_avahi_client_collision = 3;
static const int pip_avahi_client_failure = 100;
static const int pip_avahi_client_connecting = 101;
// AvahiEntryGroupState
static const int pip_avahi_group_established = 2;
static const int pip_avahi_group_collision = 3;
static const int pip_avahi_group_failure = 4;
// Errors: another service has the name; the daemon has ended.
static const int pip_avahi_collision = -8;
static const int pip_avahi_disconnected = -23;
// AVAHI_CLIENT_NO_FAIL: a client waits for the daemon.
static const int pip_avahi_waits = 2;

typedef void (*pip_avahi_client_function)(AvahiClient *client, int state, void *context);
typedef void (*pip_avahi_group_function)(AvahiEntryGroup *group, int state, void *context);

/// Loads the library and its functions, at the first call in a process. Thread: any.
///
/// Returns null if the library is loaded, otherwise the dynamic linker's message.
const char *pip_load_avahi(void);

AvahiSimplePoll *avahi_simple_poll_new(void);
const AvahiPoll *avahi_simple_poll_get(AvahiSimplePoll *poll);
int avahi_simple_poll_iterate(AvahiSimplePoll *poll, int milliseconds);
void avahi_simple_poll_free(AvahiSimplePoll *poll);

AvahiClient *avahi_client_new(
    const AvahiPoll *poll, int flags, pip_avahi_client_function function, void *context, int *error);
void avahi_client_free(AvahiClient *client);
int avahi_client_errno(AvahiClient *client);

AvahiEntryGroup *avahi_entry_group_new(AvahiClient *client, pip_avahi_group_function function, void *context);
int avahi_entry_group_commit(AvahiEntryGroup *group);
int avahi_entry_group_reset(AvahiEntryGroup *group);

/// The name to try after a name that another service has; the caller must release it with `avahi_free`.
char *avahi_alternative_service_name(const char *name);
void avahi_free(void *memory);
const char *avahi_strerror(int error);

/// Adds a service of this machine, on all networks, with one text such as `path=/cam`.
///
/// Returns 0, or an error.
int pip_avahi_add_service(
    AvahiEntryGroup *group, const char *name, const char *type, uint16_t port, const char *text);

#endif
