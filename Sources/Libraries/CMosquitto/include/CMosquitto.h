// libmosquitto, the client of MQTT, loaded at run time: few programs have a broker.
//
// This header declares the functions that the project needs, so that no package with the library's headers is needed.
// The definitions call the loaded library. They must not be called unless `pip_load_mosquitto` has returned null.
//
// Source: Mosquitto 2.0, lib/mosquitto.h. The library's ABI is kept in the 2.x series.
#ifndef PIP_MOSQUITTO_H
#define PIP_MOSQUITTO_H

#include <stdbool.h>

struct mosquitto;

/// A received message, which the library owns.
struct mosquitto_message {
    int mid;
    char *topic;
    void *payload;
    int payloadlen;
    int qos;
    bool retain;
};

// The results of functions: `MOSQ_ERR_` in the library's header.
static const int pip_mosquitto_success = 0;
static const int pip_mosquitto_tls_failed = 8;
static const int pip_mosquitto_no_host = 15;

// `MOSQ_OPT_TLS_USE_OS_CERTS`: the broker's certificate is checked with the system's authorities.
static const int pip_mosquitto_use_system_authorities = 13;

typedef void (*pip_mosquitto_answer)(struct mosquitto *client, void *context, int number);
typedef void (*pip_mosquitto_receiver)(
    struct mosquitto *client, void *context, const struct mosquitto_message *message);

/// Loads the library and its functions, at the first call in a process. Thread: any.
///
/// Returns null if the library is loaded, otherwise the dynamic linker's message.
const char *pip_load_mosquitto(void);

int mosquitto_lib_init(void);
struct mosquitto *mosquitto_new(const char *id, bool clean_session, void *context);
void mosquitto_destroy(struct mosquitto *client);
int mosquitto_username_pw_set(struct mosquitto *client, const char *user, const char *password);
int mosquitto_will_set(
    struct mosquitto *client, const char *topic, int payloadlen, const void *payload, int qos, bool retain);
int mosquitto_tls_set(
    struct mosquitto *client, const char *cafile, const char *capath, const char *certfile, const char *keyfile,
    int (*password)(char *buffer, int size, int mode, void *context));
int mosquitto_int_option(struct mosquitto *client, int option, int value);
void mosquitto_connect_callback_set(struct mosquitto *client, pip_mosquitto_answer function);
void mosquitto_publish_callback_set(struct mosquitto *client, pip_mosquitto_answer function);
void mosquitto_message_callback_set(struct mosquitto *client, pip_mosquitto_receiver function);
int mosquitto_loop(struct mosquitto *client, int timeout, int max_packets);
bool mosquitto_want_write(struct mosquitto *client);
int mosquitto_publish(
    struct mosquitto *client, int *mid, const char *topic, int payloadlen, const void *payload, int qos, bool retain);
int mosquitto_subscribe(struct mosquitto *client, int *mid, const char *pattern, int qos);
int mosquitto_disconnect(struct mosquitto *client);
const char *mosquitto_strerror(int result);

/// Begins to connect; blocks for the lookup of the host's name only.
///
/// Returns a result of the library, or the negated `errno` of a failed system call.
int pip_mosquitto_connect(struct mosquitto *client, const char *host, int port, int keepalive);

#endif
