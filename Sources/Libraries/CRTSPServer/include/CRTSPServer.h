// GStreamer's RTSP server, loaded at run time: few programs serve RTSP.
//
// This header declares the functions that the project needs, so that no package with the library's headers is needed.
// The definitions call the loaded library. They must not be called unless `pip_load_rtsp_server` has returned null.
//
// Source: GStreamer 1.22, gst/rtsp-server/*.h. The library's ABI is kept in the 1.x series.
#ifndef PIP_RTSP_SERVER_H
#define PIP_RTSP_SERVER_H

#include <gio/gio.h>
#include <gst/gst.h>

typedef struct _GstRTSPServer GstRTSPServer;
typedef struct _GstRTSPClient GstRTSPClient;
typedef struct _GstRTSPMedia GstRTSPMedia;
typedef struct _GstRTSPMediaFactory GstRTSPMediaFactory;
typedef struct _GstRTSPMountPoints GstRTSPMountPoints;
typedef struct _GstRTSPSessionPool GstRTSPSessionPool;
typedef struct _GstRTSPThreadPool GstRTSPThreadPool;
typedef struct _GstRTSPAuth GstRTSPAuth;
typedef struct _GstRTSPToken GstRTSPToken;

/// Loads the library and its functions, at the first call in a process. Thread: any.
///
/// Returns null if the library is loaded, otherwise the dynamic linker's message.
const char *pip_load_rtsp_server(void);

GstRTSPServer *gst_rtsp_server_new(void);
void gst_rtsp_server_set_address(GstRTSPServer *server, const gchar *address);
void gst_rtsp_server_set_service(GstRTSPServer *server, const gchar *service);
void gst_rtsp_server_set_backlog(GstRTSPServer *server, gint backlog);
GSource *gst_rtsp_server_create_source(GstRTSPServer *server, GCancellable *cancellable, GError **error);
GstRTSPMountPoints *gst_rtsp_server_get_mount_points(GstRTSPServer *server);
GstRTSPSessionPool *gst_rtsp_server_get_session_pool(GstRTSPServer *server);
void gst_rtsp_server_set_auth(GstRTSPServer *server, GstRTSPAuth *auth);

void gst_rtsp_mount_points_add_factory(
    GstRTSPMountPoints *mounts, const gchar *path, GstRTSPMediaFactory *factory);
void gst_rtsp_mount_points_remove_factory(GstRTSPMountPoints *mounts, const gchar *path);

GstRTSPThreadPool *gst_rtsp_server_get_thread_pool(GstRTSPServer *server);
// With 0 threads, clients are served on the thread of the context to which the server is attached.
void gst_rtsp_thread_pool_set_max_threads(GstRTSPThreadPool *pool, gint count);

void gst_rtsp_session_pool_set_max_sessions(GstRTSPSessionPool *pool, guint limit);

GstRTSPMediaFactory *gst_rtsp_media_factory_new(void);
void gst_rtsp_media_factory_set_launch(GstRTSPMediaFactory *factory, const gchar *description);
void gst_rtsp_media_factory_set_shared(GstRTSPMediaFactory *factory, gboolean shared);
// GST_RTSP_LOWER_TRANS_TCP
static const int pip_rtsp_by_tcp = 4;
void gst_rtsp_media_factory_set_protocols(GstRTSPMediaFactory *factory, int protocols);

/// The bin with the media's elements; the caller must release it.
GstElement *gst_rtsp_media_get_element(GstRTSPMedia *media);

GstRTSPAuth *gst_rtsp_auth_new(void);
void gst_rtsp_auth_set_tls_certificate(GstRTSPAuth *auth, GTlsCertificate *certificate);

/// Closes the connections of all clients.
void pip_rtsp_close_clients(GstRTSPServer *server);

/// Ends a client's connection, also while its TLS begins; the client ends itself then.
void pip_rtsp_hang_up(GstRTSPClient *client);

/// Ends the sessions of silent clients, and the connections of clients that have had no session for 10 seconds, on the
/// thread of `context`, until the context is freed.
void pip_rtsp_end_silence(GstRTSPServer *server, GMainContext *context);

/// Lets clients play without a user, where a factory allows that.
void pip_rtsp_admit_anybody(GstRTSPAuth *auth);

/// Adds a user, who sends the password as a digest.
void pip_rtsp_add_user(GstRTSPAuth *auth, const gchar *user, const gchar *password);

/// Lets a user alone play a factory, or everybody if the user is null.
void pip_rtsp_allow(GstRTSPMediaFactory *factory, const gchar *user);

#endif
