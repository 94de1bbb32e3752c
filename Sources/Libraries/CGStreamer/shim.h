// GStreamer's core, its libraries for applications, video and session descriptions, and GLib's D-Bus.
#pragma once

#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/sdp/sdp.h>
#include <gst/video/video.h>

// The headers of GStreamer's WebRTC library come in a package that draws in OpenCV and GDAL, and the shim needs a
// structure and six numbers of them. Both are part of the library's ABI, which the 1.x series keeps.
//
// Source: GStreamer 1.22, gst/webrtc/webrtc_fwd.h and rtcsessiondescription.h.

// A session description: the layout of GstWebRTCSessionDescription. The message belongs to whoever made the value.
typedef struct {
    int type;  // PIP_WEBRTC_OFFER or PIP_WEBRTC_ANSWER
    GstSDPMessage *sdp;
} PipSessionDescription;

// GstWebRTCSDPType
static const int PIP_WEBRTC_OFFER = 1;
static const int PIP_WEBRTC_ANSWER = 3;
// GstWebRTCICEGatheringState
static const int PIP_WEBRTC_GATHERING_COMPLETE = 2;
// GstWebRTCRTPTransceiverDirection
static const int PIP_WEBRTC_SENDONLY = 2;
// GstWebRTCStatsType
static const int PIP_WEBRTC_STATS_OUTBOUND_RTP = 3;
static const int PIP_WEBRTC_STATS_REMOTE_INBOUND_RTP = 4;

// Swift calls no functions with a variable number of arguments: those that WebRTC needs, each with its arguments fixed.

// "create-offer", "create-answer" and "get-stats" of webrtcbin, which replies to `promise`. The caller still owns its
// reference, and may release it before the reply.
static inline void pip_webrtc_ask(GstElement *element, const char *action, GstPromise *promise) {
    g_signal_emit_by_name(element, action, NULL, promise);
}

// "set-local-description" and "set-remote-description" of webrtcbin, which replies to `promise`. The caller still owns
// its reference, and the description with its message: the signal copies them.
static inline void pip_webrtc_set_description(GstElement *element, const char *action,
                                              const PipSessionDescription *description, GstPromise *promise) {
    g_signal_emit_by_name(element, action, description, promise);
}

// "add-turn-server" of webrtcbin: false when the address is none.
static inline gboolean pip_webrtc_add_turn_server(GstElement *element, const char *address) {
    gboolean added = FALSE;
    g_signal_emit_by_name(element, "add-turn-server", address, &added);
    return added;
}

// The text of the session description in the property "local-description", which the caller frees with g_free. NULL
// when the element has no description yet.
static inline char *pip_webrtc_local_description(GstElement *element) {
    GValue value = G_VALUE_INIT;
    g_object_get_property(G_OBJECT(element), "local-description", &value);
    const PipSessionDescription *description = G_VALUE_HOLDS_BOXED(&value) ? g_value_get_boxed(&value) : NULL;
    char *text = description != NULL ? gst_sdp_message_as_text(description->sdp) : NULL;
    if (G_IS_VALUE(&value)) g_value_unset(&value);
    return text;
}

// The number in a field that is an enumeration, of whatever type; -1 when the structure has no such field.
static inline int pip_enumeration_field(const GstStructure *structure, const char *field) {
    const GValue *value = gst_structure_get_value(structure, field);
    return value != NULL && G_VALUE_HOLDS_ENUM(value) ? g_value_get_enum(value) : -1;
}

// A property that is an enumeration.
static inline int pip_enumeration(GstElement *element, const char *property) {
    int value = 0;
    g_object_get(element, property, &value, NULL);
    return value;
}

// Lets a connection ask no router for ports by UPnP, where its agent can be told so.
static inline void pip_webrtc_use_no_upnp(GstElement *element) {
    GObject *ice = NULL, *agent = NULL;
    g_object_get(element, "ice-agent", &ice, NULL);
    if (ice != NULL && g_object_class_find_property(G_OBJECT_GET_CLASS(ice), "agent") != NULL) {
        g_object_get(ice, "agent", &agent, NULL);
    }
    if (agent != NULL && g_object_class_find_property(G_OBJECT_GET_CLASS(agent), "upnp") != NULL) {
        g_object_set(agent, "upnp", FALSE, NULL);
    }
    g_clear_object(&agent);
    g_clear_object(&ice);
}

// Prepares a transceiver: its codec, and whether packets are sent again when they got lost.
static inline gboolean pip_webrtc_prepare(GstElement *element, int section, GstCaps *codec, gboolean repeats) {
    GstObject *transceiver = NULL;
    g_signal_emit_by_name(element, "get-transceiver", section, &transceiver);
    if (transceiver == NULL) return FALSE;
    g_object_set(transceiver, "codec-preferences", codec, "do-nack", repeats, "direction", PIP_WEBRTC_SENDONLY, NULL);
    gst_object_unref(transceiver);
    return TRUE;
}

// Tags of a file that is written, for a muxer that has them: a text, and a moment.
static inline void pip_tag_text(GstElement *muxer, const char *tag, const char *text) {
    if (GST_IS_TAG_SETTER(muxer)) gst_tag_setter_add_tags(GST_TAG_SETTER(muxer), GST_TAG_MERGE_REPLACE, tag, text, NULL);
}

static inline void pip_tag_time(GstElement *muxer, const char *tag, GstDateTime *time) {
    if (GST_IS_TAG_SETTER(muxer)) gst_tag_setter_add_tags(GST_TAG_SETTER(muxer), GST_TAG_MERGE_REPLACE, tag, time, NULL);
}

// The text of a tag that has come to an element with what it takes; the caller frees it.
static inline char *pip_received_text(GstElement *element, const char *tag) {
    GstPad *pad = gst_element_get_static_pad(element, "sink");
    if (pad == NULL) return NULL;
    char *text = NULL;
    GstEvent *event;
    for (guint index = 0; text == NULL && (event = gst_pad_get_sticky_event(pad, GST_EVENT_TAG, index)) != NULL; index++) {
        GstTagList *list = NULL;
        gst_event_parse_tag(event, &list);
        if (!gst_tag_list_get_string(list, tag, &text)) text = NULL;
        gst_event_unref(event);
    }
    gst_object_unref(pad);
    return text;
}

// A property that is an object of GLib's.
static inline void pip_set_boxed(GstElement *element, const char *property, gpointer value) {
    g_object_set(element, property, value, NULL);
}

// Links an element to a new stream of an rtspclientsink, whose packets are made by an element of the given kind.
static inline gboolean pip_rtsp_publish(GstElement *source, const char *payloader, GstElement *sink) {
    GstElement *maker = gst_element_factory_make(payloader, NULL);
    if (maker == NULL) return FALSE;
    GstPad *input = gst_element_request_pad_simple(sink, "sink_%u");
    GstPad *output = gst_element_get_static_pad(source, "src");
    if (input == NULL || output == NULL) {
        gst_object_unref(gst_object_ref_sink(maker));
        if (input != NULL) gst_object_unref(input);
        if (output != NULL) gst_object_unref(output);
        return FALSE;
    }
    g_object_set(input, "payloader", maker, NULL);
    gboolean linked = GST_PAD_LINK_SUCCESSFUL(gst_pad_link(output, input));
    gst_object_unref(output);
    gst_object_unref(input);
    return linked;
}

// The arguments of a portal's call that has options only: `handle_token`, or none for NULL.
static inline GVariant *pip_portal_options(const char *handle_token) {
    GVariantBuilder options;
    g_variant_builder_init(&options, G_VARIANT_TYPE_VARDICT);
    if (handle_token != NULL) {
        g_variant_builder_add(&options, "{sv}", "handle_token", g_variant_new_string(handle_token));
    }
    return g_variant_new("(a{sv})", &options);
}

// The arguments of org.freedesktop.DBus.Properties.Get.
static inline GVariant *pip_property_name(const char *interface, const char *property) {
    return g_variant_new("(ss)", interface, property);
}

// A provider of its own, which lists what a PipeWire connection shows; NULL where its plug-in is not installed. The one
// that gst_device_provider_factory_get_by_name gives is shared by the whole process, its descriptor, too.
static inline GstDeviceProvider *pip_pipewire_provider(int descriptor) {
    GstDeviceProviderFactory *factory = gst_device_provider_factory_find("pipewiredeviceprovider");
    if (factory == NULL) return NULL;
    GstPluginFeature *loaded = gst_plugin_feature_load(GST_PLUGIN_FEATURE(factory));
    gst_object_unref(factory);
    if (loaded == NULL) return NULL;
    GType type = gst_device_provider_factory_get_device_provider_type(GST_DEVICE_PROVIDER_FACTORY(loaded));
    GstDeviceProvider *provider = g_object_new(type, "fd", descriptor, NULL);
    gst_object_unref(loaded);
    return gst_object_ref_sink(provider);
}

static const int PIP_MUTABLE_WHILE_PLAYING = GST_PARAM_MUTABLE_PLAYING;

// Macros with casts, which Swift does not import.
static const GstElementFactoryListType PIP_FACTORIES_OF_DECODERS = GST_ELEMENT_FACTORY_TYPE_DECODER;
static const GstElementFactoryListType PIP_FACTORIES_OF_DEMUXERS = GST_ELEMENT_FACTORY_TYPE_DEMUXER;
static const GstElementFactoryListType PIP_FACTORIES_OF_HARDWARE = GST_ELEMENT_FACTORY_TYPE_HARDWARE;
static const GstElementFactoryListType PIP_FACTORIES_OF_SOUND = GST_ELEMENT_FACTORY_TYPE_MEDIA_AUDIO;
static const GstElementFactoryListType PIP_FACTORIES_OF_PICTURES =
    GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO | GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE;
