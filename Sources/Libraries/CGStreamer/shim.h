// GStreamer's core, its app, video and SDP libraries, and GLib's D-Bus.
#pragma once

// GLib 2.88 marks its enumerations of flags. Swift would import them as option sets, and those of older versions as
// constants: without the mark they are constants in each version.
#define __GLIB_H_INSIDE__
#include <glib/gmacros.h>
#undef __GLIB_H_INSIDE__
#undef G_GNUC_FLAG_ENUM
#define G_GNUC_FLAG_ENUM

#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/sdp/sdp.h>
#include <gst/video/video.h>

#include "MuxerPads.h"

// Declarations from the headers of GStreamer's WebRTC library, whose package depends on OpenCV and GDAL.
//
// The shim needs one structure and six constants. They are part of the library's ABI, which the 1.x series keeps.
//
// Source: GStreamer 1.22, gst/webrtc/webrtc_fwd.h and rtcsessiondescription.h.

// A session description, in the layout of GstWebRTCSessionDescription. The creator owns `sdp`.
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

// Swift cannot call variadic functions: the functions below wrap the calls that WebRTC needs.

// Emits "create-offer", "create-answer" or "get-stats" on webrtcbin, which replies to `promise`.
//
// The caller keeps its reference to the promise, and may release the reference before the reply.
static inline void pip_webrtc_ask(GstElement *element, const char *action, GstPromise *promise) {
    g_signal_emit_by_name(element, action, NULL, promise);
}

// Emits "set-local-description" or "set-remote-description" on webrtcbin, which replies to `promise`.
//
// The caller keeps its reference to the promise, and ownership of the description: the signal copies the description.
static inline void pip_webrtc_set_description(GstElement *element, const char *action,
                                              const PipSessionDescription *description, GstPromise *promise) {
    g_signal_emit_by_name(element, action, description, promise);
}

// Emits "add-turn-server" on webrtcbin; returns false if the address is invalid.
static inline gboolean pip_webrtc_add_turn_server(GstElement *element, const char *address) {
    gboolean added = FALSE;
    g_signal_emit_by_name(element, "add-turn-server", address, &added);
    return added;
}

// The SDP text of the property "local-description", which the caller must free with g_free. NULL if the element has no
// description yet.
static inline char *pip_webrtc_local_description(GstElement *element) {
    GValue value = G_VALUE_INIT;
    g_object_get_property(G_OBJECT(element), "local-description", &value);
    const PipSessionDescription *description = G_VALUE_HOLDS_BOXED(&value) ? g_value_get_boxed(&value) : NULL;
    char *text = description != NULL ? gst_sdp_message_as_text(description->sdp) : NULL;
    if (G_IS_VALUE(&value)) g_value_unset(&value);
    return text;
}

// The value of a structure's field of any enumeration type; -1 if the structure has no such field.
static inline int pip_enumeration_field(const GstStructure *structure, const char *field) {
    const GValue *value = gst_structure_get_value(structure, field);
    return value != NULL && G_VALUE_HOLDS_ENUM(value) ? g_value_get_enum(value) : -1;
}

// The value of an element's property of any enumeration type.
static inline int pip_enumeration(GstElement *element, const char *property) {
    int value = 0;
    g_object_get(element, property, &value, NULL);
    return value;
}

// Turns off UPnP port mapping, if the ICE agent has that property.
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

// Makes the transceiver of a media section send-only, and sets its codec and whether lost packets are retransmitted
// (NACK). Returns false if the section has no transceiver.
static inline gboolean pip_webrtc_prepare(GstElement *element, int section, GstCaps *codec, gboolean repeats) {
    GstObject *transceiver = NULL;
    g_signal_emit_by_name(element, "get-transceiver", section, &transceiver);
    if (transceiver == NULL) return FALSE;
    g_object_set(transceiver, "codec-preferences", codec, "do-nack", repeats, "direction", PIP_WEBRTC_SENDONLY, NULL);
    gst_object_unref(transceiver);
    return TRUE;
}

// Sets a tag of the file being written, to a text or a time; has no effect on muxers without tags.
static inline void pip_tag_text(GstElement *muxer, const char *tag, const char *text) {
    if (GST_IS_TAG_SETTER(muxer)) gst_tag_setter_add_tags(GST_TAG_SETTER(muxer), GST_TAG_MERGE_REPLACE, tag, text, NULL);
}

static inline void pip_tag_time(GstElement *muxer, const char *tag, GstDateTime *time) {
    if (GST_IS_TAG_SETTER(muxer)) gst_tag_setter_add_tags(GST_TAG_SETTER(muxer), GST_TAG_MERGE_REPLACE, tag, time, NULL);
}

// The text of a tag that the element has received on its sink pad; NULL if none. The caller must free the text.
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

// The time of a tag that the element has received on its sink pad, in microseconds since 1970; -1 if none.
static inline gint64 pip_received_time(GstElement *element, const char *tag) {
    GstPad *pad = gst_element_get_static_pad(element, "sink");
    if (pad == NULL) return -1;
    gint64 time = -1;
    GstEvent *event;
    for (guint index = 0; time < 0 && (event = gst_pad_get_sticky_event(pad, GST_EVENT_TAG, index)) != NULL; index++) {
        GstTagList *list = NULL;
        GstDateTime *value = NULL;
        gst_event_parse_tag(event, &list);
        if (gst_tag_list_get_date_time(list, tag, &value)) {
            GDateTime *date = gst_date_time_to_g_date_time(value);
            if (date != NULL) {
                time = g_date_time_to_unix(date) * 1000000 + g_date_time_get_microsecond(date);
                g_date_time_unref(date);
            }
            gst_date_time_unref(value);
        }
        gst_event_unref(event);
    }
    gst_object_unref(pad);
    return time;
}

// Sets a property of a boxed or object type.
static inline void pip_set_boxed(GstElement *element, const char *property, gpointer value) {
    g_object_set(element, property, value, NULL);
}

// Links `source` to a new stream of an rtspclientsink, with a payloader of the given element type.
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

// The arguments of a portal's method that takes only options: `handle_token`, or no option if NULL.
static inline GVariant *pip_portal_options(const char *handle_token) {
    GVariantBuilder options;
    g_variant_builder_init(&options, G_VARIANT_TYPE_VARDICT);
    if (handle_token != NULL) {
        g_variant_builder_add(&options, "{sv}", "handle_token", g_variant_new_string(handle_token));
    }
    return g_variant_new("(a{sv})", &options);
}

// The arguments of the D-Bus method org.freedesktop.DBus.Properties.Get.
static inline GVariant *pip_property_name(const char *interface, const char *property) {
    return g_variant_new("(ss)", interface, property);
}

// Makes a device provider that lists the nodes of one PipeWire connection; NULL if the PipeWire plug-in is missing.
//
// gst_device_provider_factory_get_by_name would return the provider that the whole process shares, with its descriptor.
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

// Constants with the macros' values: Swift does not import macros with casts.
static const GstElementFactoryListType PIP_FACTORIES_OF_DECODERS = GST_ELEMENT_FACTORY_TYPE_DECODER;
static const GstElementFactoryListType PIP_FACTORIES_OF_DEMUXERS = GST_ELEMENT_FACTORY_TYPE_DEMUXER;
static const GstElementFactoryListType PIP_FACTORIES_OF_HARDWARE = GST_ELEMENT_FACTORY_TYPE_HARDWARE;
static const GstElementFactoryListType PIP_FACTORIES_OF_SOUND = GST_ELEMENT_FACTORY_TYPE_MEDIA_AUDIO;
static const GstElementFactoryListType PIP_FACTORIES_OF_PICTURES =
    GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO | GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE;
