#if Media
internal import CGStreamer

extension Pipeline {
    /// Adds a probe to a pad of a named element.
    ///
    /// - Parameters:
    ///   - pad: The pad's name, `sink` or `src`.
    ///   - name: The element's name.
    ///   - types: The types of data, events and queries to probe.
    ///   - body: Called for each item of these types. Thread: any of GStreamer's threads.
    @unsafe func addProbe(
        to pad: String, of name: String, _ types: GstPadProbeType, _ body: @escaping PadProbe.Body
    ) {
        unsafe withElement(name) { element in
            guard let pad = unsafe gst_element_get_static_pad(element, pad) else { return }
            defer { unsafe gst_object_unref(pad) }
            unsafe PadProbe.add(to: pad, types, body)
        }
    }
}

/// The function of a pad probe, which GStreamer calls for data, events or queries on a pad.
@safe final class PadProbe: Sendable {
    typealias Body =
        @Sendable (UnsafeMutablePointer<GstPad>, UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn

    private let body: Body

    private init(_ body: @escaping Body) { unsafe self.body = unsafe body }

    /// Adds a probe to a pad: GStreamer calls `body` for data, events and queries of the given types until the pad is
    /// freed.
    @unsafe static func add(
        to pad: UnsafeMutablePointer<GstPad>, _ types: GstPadProbeType, _ body: @escaping Body
    ) {
        let probe = unsafe Unmanaged.passRetained(PadProbe(body)).toOpaque()
        unsafe gst_pad_add_probe(pad, types, call, probe) { probe in
            if let probe = unsafe probe { unsafe Unmanaged<PadProbe>.fromOpaque(probe).release() }
        }
    }

    // A constant that belongs to no actor, because GStreamer's threads call it.
    private static let call: GstPadProbeCallback = { pad, info, probe in
        guard let pad = unsafe pad, let info = unsafe info, let probe = unsafe probe else { return GST_PAD_PROBE_OK }
        return unsafe Unmanaged<PadProbe>.fromOpaque(probe).takeUnretainedValue().body(pad, info)
    }
}
#endif
