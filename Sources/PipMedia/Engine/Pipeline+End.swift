#if Media
internal import CGStreamer

extension Pipeline {
    /// Makes the end of a stream bypass an element: the next element receives it, the named element does not.
    ///
    /// The end of the stream still follows earlier frames. Frames that the named element still holds are lost.
    func passEndAround(_ name: String) {
        unsafe addProbe(to: "sink", of: name, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { pad, info in
            guard let event = unsafe gst_pad_probe_info_get_event(info),
                unsafe event.pointee.type == GST_EVENT_EOS, let element = unsafe gst_pad_get_parent_element(pad)
            else { return GST_PAD_PROBE_OK }
            defer { unsafe gst_object_unref(element) }
            guard let output = unsafe gst_element_get_static_pad(element, "src") else { return GST_PAD_PROBE_OK }
            defer { unsafe gst_object_unref(output) }
            _ = unsafe gst_pad_push_event(output, gst_event_new_eos())
            return GST_PAD_PROBE_DROP
        }
    }
}
#endif
