#if Media
internal import CGStreamer

extension Pipeline {
    /// Sends the end of the stream to the element after a named one, which does not see the end.
    ///
    /// The end comes after all frames, as in the named element. Frames that the element still holds are lost.
    func passEndAround(_ name: String) {
        unsafe withElement(name) { element in
            guard let pad = unsafe gst_element_get_static_pad(element, "sink") else { return }
            defer { unsafe gst_object_unref(pad) }
            _ = unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, passEnd, nil, nil)
        }
    }
}

/// Sends the end of a stream out of the element whose input the end has reached.
private func passEnd(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ context: gpointer?
) -> GstPadProbeReturn {
    guard let event = unsafe gst_pad_probe_info_get_event(info), unsafe event.pointee.type == GST_EVENT_EOS,
        let element = unsafe gst_pad_get_parent_element(pad)
    else { return GST_PAD_PROBE_OK }
    defer { unsafe gst_object_unref(element) }
    guard let output = unsafe gst_element_get_static_pad(element, "src") else { return GST_PAD_PROBE_OK }
    defer { unsafe gst_object_unref(output) }
    _ = unsafe gst_pad_push_event(output, gst_event_new_eos())
    return GST_PAD_PROBE_DROP
}
#endif
