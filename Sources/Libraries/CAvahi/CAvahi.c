#include "CAvahi.h"
#include "../Loading.h"
#include <stddef.h>

// The functions to load with `dlsym`: F(result, name, parameters, arguments).
#define FUNCTIONS(F) \
    F(AvahiSimplePoll *, avahi_simple_poll_new, (void), ()) \
    F(const AvahiPoll *, avahi_simple_poll_get, (AvahiSimplePoll *poll), (poll)) \
    F(int, avahi_simple_poll_iterate, (AvahiSimplePoll *poll, int milliseconds), (poll, milliseconds)) \
    F(void, avahi_simple_poll_free, (AvahiSimplePoll *poll), (poll)) \
    F(AvahiClient *, avahi_client_new, \
        (const AvahiPoll *poll, int flags, pip_avahi_client_function function, void *context, int *error), \
        (poll, flags, function, context, error)) \
    F(void, avahi_client_free, (AvahiClient *client), (client)) \
    F(int, avahi_client_errno, (AvahiClient *client), (client)) \
    F(AvahiEntryGroup *, avahi_entry_group_new, \
        (AvahiClient *client, pip_avahi_group_function function, void *context), (client, function, context)) \
    F(int, avahi_entry_group_commit, (AvahiEntryGroup *group), (group)) \
    F(int, avahi_entry_group_reset, (AvahiEntryGroup *group), (group)) \
    F(char *, avahi_alternative_service_name, (const char *name), (name)) \
    F(void, avahi_free, (void *memory), (memory)) \
    F(const char *, avahi_strerror, (int error), (error))

// A further function, which only this file calls.
int avahi_entry_group_add_service(
    AvahiEntryGroup *group, int interface, int protocol, int flags, const char *name, const char *type,
    const char *domain, const char *host, uint16_t port, ...);
#define OTHER_FUNCTIONS(F) F(, avahi_entry_group_add_service, , )

static struct {
    FUNCTIONS(POINTER)
    OTHER_FUNCTIONS(POINTER)
} functions;

FUNCTIONS(FORWARD)

// The client's library needs libavahi-common, whose functions are found through it.
LOADER(pip_load_avahi, OPEN("libavahi-client.so.3") FUNCTIONS(FIND) OTHER_FUNCTIONS(FIND))

int pip_avahi_add_service(
    AvahiEntryGroup *group, const char *name, const char *type, uint16_t port, const char *text)
{
    // AVAHI_IF_UNSPEC and AVAHI_PROTO_UNSPEC
    return functions.avahi_entry_group_add_service(
        group, -1, -1, 0, name, type, NULL, NULL, port, text, NULL);
}
