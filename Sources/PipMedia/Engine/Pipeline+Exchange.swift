#if Media
internal import CGStreamer

extension Pipeline {
    /// Replaces a named `decodebin` whose stream has ended by a new `decodebin`, which decodes the next stream.
    ///
    /// Runs on the engine's thread that feeds the decoder.
    ///
    /// - Parameters:
    ///   - name: The name of the old decoder, and of the new decoder.
    ///   - output: The name of the element that takes decoded data.
    func renewDecoder(_ name: String, before output: String) {
        unlinkInput(of: output)
        unsafe withWhole { whole in
            unsafe withElement(name) { old in
                guard let new = unsafe gst_element_factory_make("decodebin", nil) else { return }
                let bin = unsafe UnsafeMutableRawPointer(whole).assumingMemoryBound(to: GstBin.self)
                unsafe copyFlag("force-sw-decoders", from: old, to: new)
                unsafe gst_element_set_state(old, GST_STATE_NULL)
                unsafe gst_bin_remove(bin, old)
                unsafe gst_object_set_name(
                    UnsafeMutableRawPointer(new).assumingMemoryBound(to: GstObject.self), name)
                unsafe gst_bin_add(bin, new)
                unsafe withElement(output) { unsafe linkDecoded(new, to: $0) }
                unsafe gst_element_sync_state_with_parent(new)
            }
        }
    }

    /// True while a named element's input is linked and active.
    func receives(_ name: String) -> Bool {
        unsafe withElement(name) { element in
            guard let sink = unsafe gst_element_get_static_pad(element, "sink") else { return false }
            defer { unsafe gst_object_unref(sink) }
            return unsafe gst_pad_is_linked(sink) != 0 && gst_pad_is_active(sink) != 0
        }
    }

    /// Unlinks a named element's input from the pad that feeds it.
    func unlinkInput(of name: String) {
        unsafe withElement(name) { element in
            guard let sink = unsafe gst_element_get_static_pad(element, "sink") else { return }
            defer { unsafe gst_object_unref(sink) }
            guard let peer = unsafe gst_pad_get_peer(sink) else { return }
            unsafe gst_pad_unlink(peer, sink)
            unsafe gst_object_unref(peer)
        }
    }
}

private func copyFlag(
    _ property: String, from old: UnsafeMutablePointer<GstElement>, to new: UnsafeMutablePointer<GstElement>
) {
    var value = GValue()
    unsafe g_object_get_property(gObject(old), property, &value)
    unsafe g_object_set_property(gObject(new), property, &value)
    unsafe g_value_unset(&value)
}

/// Links a decoder to an element as soon as the decoder has an output; the element must live as long as the decoder.
private func linkDecoded(
    _ decoder: UnsafeMutablePointer<GstElement>, to element: UnsafeMutablePointer<GstElement>
) {
    let added: PadAdded = { _, pad, element in
        guard let pad = unsafe pad, let element = unsafe element,
            let sink = unsafe gst_element_get_static_pad(element.assumingMemoryBound(to: GstElement.self), "sink")
        else { return }
        if unsafe gst_pad_is_linked(sink) == 0 { _ = unsafe gst_pad_link(pad, sink) }
        unsafe gst_object_unref(sink)
    }
    unsafe _ = g_signal_connect_data(
        decoder, "pad-added", unsafeBitCast(added, to: GCallback.self), UnsafeMutableRawPointer(element), nil,
        GConnectFlags(rawValue: 0))
}

private typealias PadAdded = @convention(c) (gpointer?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void
#endif
