#include "CMosquitto.h"
#include "../Loading.h"
#include <errno.h>

// The functions to load with `dlsym`: F(result, name, parameters, arguments).
#define FUNCTIONS(F) \
    F(int, mosquitto_lib_init, (void), ()) \
    F(struct mosquitto *, mosquitto_new, (const char *id, bool clean_session, void *context), \
        (id, clean_session, context)) \
    F(void, mosquitto_destroy, (struct mosquitto *client), (client)) \
    F(int, mosquitto_username_pw_set, (struct mosquitto *client, const char *user, const char *password), \
        (client, user, password)) \
    F(int, mosquitto_will_set, \
        (struct mosquitto *client, const char *topic, int payloadlen, const void *payload, int qos, bool retain), \
        (client, topic, payloadlen, payload, qos, retain)) \
    F(int, mosquitto_tls_set, \
        (struct mosquitto *client, const char *cafile, const char *capath, const char *certfile, \
            const char *keyfile, int (*password)(char *buffer, int size, int mode, void *context)), \
        (client, cafile, capath, certfile, keyfile, password)) \
    F(int, mosquitto_int_option, (struct mosquitto *client, int option, int value), (client, option, value)) \
    F(void, mosquitto_connect_callback_set, (struct mosquitto *client, pip_mosquitto_answer function), \
        (client, function)) \
    F(void, mosquitto_publish_callback_set, (struct mosquitto *client, pip_mosquitto_answer function), \
        (client, function)) \
    F(void, mosquitto_message_callback_set, (struct mosquitto *client, pip_mosquitto_receiver function), \
        (client, function)) \
    F(int, mosquitto_loop, (struct mosquitto *client, int timeout, int max_packets), \
        (client, timeout, max_packets)) \
    F(bool, mosquitto_want_write, (struct mosquitto *client), (client)) \
    F(int, mosquitto_publish, \
        (struct mosquitto *client, int *mid, const char *topic, int payloadlen, const void *payload, int qos, \
            bool retain), \
        (client, mid, topic, payloadlen, payload, qos, retain)) \
    F(int, mosquitto_subscribe, (struct mosquitto *client, int *mid, const char *pattern, int qos), \
        (client, mid, pattern, qos)) \
    F(int, mosquitto_disconnect, (struct mosquitto *client), (client)) \
    F(const char *, mosquitto_strerror, (int result), (result))

// A further function, which only this file calls.
int mosquitto_connect_async(struct mosquitto *client, const char *host, int port, int keepalive);
#define OTHER_FUNCTIONS(F) F(, mosquitto_connect_async, , )

static struct {
    FUNCTIONS(POINTER)
    OTHER_FUNCTIONS(POINTER)
} functions;

FUNCTIONS(FORWARD)

LOADER(pip_load_mosquitto, OPEN("libmosquitto.so.1") FUNCTIONS(FIND) OTHER_FUNCTIONS(FIND))

int pip_mosquitto_connect(struct mosquitto *client, const char *host, int port, int keepalive)
{
    int result = functions.mosquitto_connect_async(client, host, port, keepalive);
    // MOSQ_ERR_ERRNO
    return result == 14 && errno > 0 ? -errno : result;
}
