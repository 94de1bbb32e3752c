// A leak of GStreamer's muxer of MP4 and QuickTime, mended from outside.
//
// In the mode `first-moov-then-finalise`, each fragment of each track allocates an array of 4 KiB that is not used, and
// forgets the one before: a recording with sound in fragments of 500 ms loses 58 MB an hour. The arrays are freed here,
// between fragments, by the thread that makes them. Nothing is done unless the plug-in's version and the size of its
// pads are the known ones: 1.22 to 1.28.6 have the same pads and the same leak. Pads of 1.28.8 have another member; its
// muxer loses the arrays of all tracks but one.
//
// Source: gst-plugins-good 1.22.0, 1.24.0, 1.26.2 and 1.28.6, gst/isomp4/gstqtmux.h and gstqtmux.c.
#pragma once

#include <gst/gst.h>
#include <stdio.h>

// The part of a GstQTMuxPad behind its GstAggregatorPad.
typedef struct {
    guint32 timescale, fourcc;
    gboolean isOutOfOrder;
    guint sampleSize;
    gboolean isSynced, isSparse;
    guint32 averageBitRate, largestBitRate;
    guint expectedDuration[2];
    guint64 totalBytes, totalDuration;
    gpointer lastBuffer;
    GstClockTime lastTime;
    guint64 sampleOffset;
    gboolean hasWarned;
    GstClockTime adjustment, firstTimes[2];
    gint64 time;
    gpointer atoms[3];
    gpointer fragment;
    struct {
        guint size, count;
        gpointer buffers;
    } array;
    gint64 fragmentDuration;
    gpointer index;
    gboolean haveTagsChanged;
    gpointer tags, functions[3], firstTimecode;
    GstClockTime firstPresentation;
    guint64 timecodePosition;
    gpointer samples;
    guint firstSize;
    gpointer adapter;
    guint64 adapterOffset;
    GstClockTime adapterTime;
    GstFlowReturn flow;
    gpointer caps;
} PipMuxerPad;

// Frees the arrays of pads that are between two fragments; `data` is the place of a PipMuxerPad in its pad.
static inline GstPadProbeReturn pip_muxer_free_arrays(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)info;
    GstElement *muxer = gst_pad_get_parent_element(pad);
    if (muxer == NULL) return GST_PAD_PROBE_OK;
    GST_OBJECT_LOCK(muxer);
    for (GList *each = muxer->sinkpads; each != NULL; each = each->next) {
        PipMuxerPad *own = (PipMuxerPad *)((char *)each->data + GPOINTER_TO_SIZE(data));
        if (own->fragment != NULL || own->array.size != 512 || own->array.count != 0) continue;
        g_free(own->array.buffers);
        own->array.buffers = NULL;
        own->array.size = 0;
    }
    GST_OBJECT_UNLOCK(muxer);
    gst_object_unref(muxer);
    return GST_PAD_PROBE_OK;
}

// Keeps a muxer with tracks from losing memory, if it is known to lose any.
static inline void pip_muxer_mend(GstElement *muxer) {
    GstPlugin *plugin = gst_plugin_feature_get_plugin(GST_PLUGIN_FEATURE(gst_element_get_factory(muxer)));
    if (plugin == NULL) return;
    guint version[2] = {0};
    gboolean isKnown = g_strcmp0(gst_plugin_get_name(plugin), "isomp4") == 0 &&
        sscanf(gst_plugin_get_version(plugin), "%u.%u.", &version[0], &version[1]) == 2 && version[0] == 1 &&
        version[1] >= 22 && version[1] <= 28;
    gst_object_unref(plugin);
    GTypeQuery own = {0}, base = {0};
    g_type_query(g_type_from_name("GstQTMuxPad"), &own);
    g_type_query(g_type_from_name("GstAggregatorPad"), &base);
    if (!isKnown || base.type == 0 || own.instance_size != base.instance_size + sizeof(PipMuxerPad)) return;
    GstPad *pad = gst_element_get_static_pad(muxer, "src");
    if (pad == NULL) return;
    gpointer place = GSIZE_TO_POINTER(base.instance_size);
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, pip_muxer_free_arrays, place, NULL);
    gst_object_unref(pad);
}
