#include "CRTSPServer.h"
#include "../Loading.h"

// The functions to load with `dlsym`: F(result, name, parameters, arguments).
#define FUNCTIONS(F) \
    F(GstRTSPServer *, gst_rtsp_server_new, (void), ()) \
    F(void, gst_rtsp_server_set_address, (GstRTSPServer *server, const gchar *address), (server, address)) \
    F(void, gst_rtsp_server_set_service, (GstRTSPServer *server, const gchar *service), (server, service)) \
    F(void, gst_rtsp_server_set_backlog, (GstRTSPServer *server, gint backlog), (server, backlog)) \
    F(GSource *, gst_rtsp_server_create_source, \
        (GstRTSPServer *server, GCancellable *cancellable, GError **error), (server, cancellable, error)) \
    F(GstRTSPMountPoints *, gst_rtsp_server_get_mount_points, (GstRTSPServer *server), (server)) \
    F(GstRTSPSessionPool *, gst_rtsp_server_get_session_pool, (GstRTSPServer *server), (server)) \
    F(void, gst_rtsp_server_set_auth, (GstRTSPServer *server, GstRTSPAuth *auth), (server, auth)) \
    F(void, gst_rtsp_mount_points_add_factory, \
        (GstRTSPMountPoints *mounts, const gchar *path, GstRTSPMediaFactory *factory), (mounts, path, factory)) \
    F(void, gst_rtsp_mount_points_remove_factory, (GstRTSPMountPoints *mounts, const gchar *path), (mounts, path)) \
    F(void, gst_rtsp_session_pool_set_max_sessions, (GstRTSPSessionPool *pool, guint limit), (pool, limit)) \
    F(GstRTSPThreadPool *, gst_rtsp_server_get_thread_pool, (GstRTSPServer *server), (server)) \
    F(void, gst_rtsp_thread_pool_set_max_threads, (GstRTSPThreadPool *pool, gint count), (pool, count)) \
    F(GstRTSPMediaFactory *, gst_rtsp_media_factory_new, (void), ()) \
    F(void, gst_rtsp_media_factory_set_launch, (GstRTSPMediaFactory *factory, const gchar *description), \
        (factory, description)) \
    F(void, gst_rtsp_media_factory_set_shared, (GstRTSPMediaFactory *factory, gboolean shared), (factory, shared)) \
    F(void, gst_rtsp_media_factory_set_protocols, (GstRTSPMediaFactory *factory, int protocols), \
        (factory, protocols)) \
    F(void, gst_rtsp_auth_set_tls_certificate, (GstRTSPAuth *auth, GTlsCertificate *certificate), \
        (auth, certificate)) \
    F(GstElement *, gst_rtsp_media_get_element, (GstRTSPMedia *media), (media)) \
    F(GstRTSPAuth *, gst_rtsp_auth_new, (void), ())

// Further functions, which only this file calls.
typedef int (*Filter)(GstRTSPServer *server, GstRTSPClient *client, gpointer context);
GList *gst_rtsp_server_client_filter(GstRTSPServer *server, Filter filter, gpointer context);
typedef int (*SessionFilter)(GstRTSPClient *client, gpointer session, gpointer context);
GList *gst_rtsp_client_session_filter(GstRTSPClient *client, SessionFilter filter, gpointer context);
guint gst_rtsp_session_pool_cleanup(GstRTSPSessionPool *pool);
// Of `GstRTSPConnection`: the library of RTSP, which the server's needs, finds it through the same handle.
gpointer gst_rtsp_client_get_connection(GstRTSPClient *client);
GSocket *gst_rtsp_connection_get_read_socket(gconstpointer connection);
void gst_rtsp_auth_add_digest(GstRTSPAuth *auth, const gchar *user, const gchar *password, GstRTSPToken *token);
void gst_rtsp_auth_set_supported_methods(GstRTSPAuth *auth, int methods);
void gst_rtsp_auth_set_default_token(GstRTSPAuth *auth, GstRTSPToken *token);
GstRTSPToken *gst_rtsp_token_new(const gchar *field, ...);
void gst_rtsp_media_factory_add_role(GstRTSPMediaFactory *factory, const gchar *role, const gchar *field, ...);

#define OTHER_FUNCTIONS(F) \
    F(, gst_rtsp_server_client_filter, , ) \
    F(, gst_rtsp_client_session_filter, , ) \
    F(, gst_rtsp_session_pool_cleanup, , ) \
    F(, gst_rtsp_client_get_connection, , ) \
    F(, gst_rtsp_connection_get_read_socket, , ) \
    F(, gst_rtsp_auth_add_digest, , ) \
    F(, gst_rtsp_auth_set_supported_methods, , ) \
    F(, gst_rtsp_auth_set_default_token, , ) \
    F(, gst_rtsp_token_new, , ) \
    F(, gst_rtsp_media_factory_add_role, , )

static struct {
    FUNCTIONS(POINTER)
    OTHER_FUNCTIONS(POINTER)
} functions;

FUNCTIONS(FORWARD)

LOADER(pip_load_rtsp_server, OPEN("libgstrtspserver-1.0.so.0") FUNCTIONS(FIND) OTHER_FUNCTIONS(FIND))

void pip_rtsp_hang_up(GstRTSPClient *client)
{
    gpointer connection = functions.gst_rtsp_client_get_connection(client);
    GSocket *socket = connection ? functions.gst_rtsp_connection_get_read_socket(connection) : NULL;
    if (socket) g_socket_shutdown(socket, TRUE, TRUE, NULL);
}

static int removed(GstRTSPServer *server, GstRTSPClient *client, gpointer context)
{
    pip_rtsp_hang_up(client);
    return 0;  // GST_RTSP_FILTER_REMOVE
}

void pip_rtsp_close_clients(GstRTSPServer *server)
{
    g_list_free_full(functions.gst_rtsp_server_client_filter(server, removed, NULL), g_object_unref);
}

static int count(GstRTSPClient *client, gpointer session, gpointer sessions)
{
    ++*(int *)sessions;
    return 1;  // GST_RTSP_FILTER_KEEP
}

// Hangs up on a client that has had no session for 10 seconds: one that does not ask for anything, whose TLS does not
// begin, or that does not leave after its session.
static int end_idle(GstRTSPServer *server, GstRTSPClient *client, gpointer context)
{
    gint64 now = g_get_monotonic_time() / G_USEC_PER_SEC;
    int sessions = 0;
    g_list_free(functions.gst_rtsp_client_session_filter(client, count, &sessions));
    gint64 seen = (gint64)(gintptr)g_object_get_data(G_OBJECT(client), "pip-seen");
    if (sessions > 0 || seen == 0) g_object_set_data(G_OBJECT(client), "pip-seen", (gpointer)(gintptr)now);
    if (sessions == 0 && seen > 0 && now - seen >= 10) pip_rtsp_hang_up(client);
    return 1;  // GST_RTSP_FILTER_KEEP: the client ends itself.
}

static gboolean end_silence(gpointer server)
{
    GstRTSPSessionPool *pool = functions.gst_rtsp_server_get_session_pool(server);
    functions.gst_rtsp_session_pool_cleanup(pool);
    g_object_unref(pool);
    g_list_free_full(functions.gst_rtsp_server_client_filter(server, end_idle, NULL), g_object_unref);
    return G_SOURCE_CONTINUE;
}

void pip_rtsp_end_silence(GstRTSPServer *server, GMainContext *context)
{
    GSource *source = g_timeout_source_new_seconds(2);
    g_source_set_callback(source, end_silence, g_object_ref(server), g_object_unref);
    g_source_attach(source, context);
    g_source_unref(source);
}

// The role of a user, or of clients without a user. Roles are names of structures, which have letters and digits: the
// bytes of a user's name are written as numbers.
static gchar *role_of(const gchar *user)
{
    GString *role = g_string_new(user ? "user-" : "anybody");
    for (; user && *user; user++) g_string_append_printf(role, "%02x", (unsigned char)*user);
    return g_string_free(role, FALSE);
}

static GstRTSPToken *token(const gchar *user)
{
    gchar *role = role_of(user);
    GstRTSPToken *token = functions.gst_rtsp_token_new("media.factory.role", G_TYPE_STRING, role, NULL);
    g_free(role);
    return token;
}

void pip_rtsp_admit_anybody(GstRTSPAuth *auth)
{
    GstRTSPToken *anybody = token(NULL);
    functions.gst_rtsp_auth_set_default_token(auth, anybody);
    gst_mini_object_unref(GST_MINI_OBJECT_CAST(anybody));
    // GST_RTSP_AUTH_DIGEST: a password does not cross the network in plain text.
    functions.gst_rtsp_auth_set_supported_methods(auth, 2);
}

void pip_rtsp_add_user(GstRTSPAuth *auth, const gchar *user, const gchar *password)
{
    GstRTSPToken *own = token(user);
    functions.gst_rtsp_auth_add_digest(auth, user, password, own);
    gst_mini_object_unref(GST_MINI_OBJECT_CAST(own));
}

static void allow(GstRTSPMediaFactory *factory, const gchar *user, gboolean is_allowed)
{
    gchar *role = role_of(user);
    // Without access, the library would say that there is nothing, and would not ask for a user.
    functions.gst_rtsp_media_factory_add_role(factory, role, "media.factory.access", G_TYPE_BOOLEAN, TRUE,
        "media.factory.construct", G_TYPE_BOOLEAN, is_allowed, NULL);
    g_free(role);
}

void pip_rtsp_allow(GstRTSPMediaFactory *factory, const gchar *user)
{
    allow(factory, NULL, user == NULL);
    if (user) allow(factory, user, TRUE);
}
