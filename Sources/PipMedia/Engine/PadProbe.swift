#if Media
internal import CGStreamer

extension Pipeline {
    /// Calls a function for everything of some types that passes a pad of a named element.
    ///
    /// - Parameters:
    ///   - pad: The pad's name, `sink` or `src`.
    ///   - name: The element's name.
    ///   - types: The types of data, events and queries.
    ///   - body: The function. Thread: the engine's threads.
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

/// A function that the engine calls for data, events and queries on a pad.
@safe final class PadProbe: Sendable {
    typealias Body =
        @Sendable (UnsafeMutablePointer<GstPad>, UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn

    private let body: Body

    private init(_ body: @escaping Body) { unsafe self.body = unsafe body }

    /// Calls a function for everything of some types that passes a pad, as long as the pad lives.
    @unsafe static func add(
        to pad: UnsafeMutablePointer<GstPad>, _ types: GstPadProbeType, _ body: @escaping Body
    ) {
        let probe = unsafe Unmanaged.passRetained(PadProbe(body)).toOpaque()
        unsafe gst_pad_add_probe(pad, types, call, probe) { probe in
            if let probe = unsafe probe { unsafe Unmanaged<PadProbe>.fromOpaque(probe).release() }
        }
    }

    // A constant without an actor, since the engine's threads call it.
    private static let call: GstPadProbeCallback = { pad, info, probe in
        guard let pad = unsafe pad, let info = unsafe info, let probe = unsafe probe else { return GST_PAD_PROBE_OK }
        return unsafe Unmanaged<PadProbe>.fromOpaque(probe).takeUnretainedValue().body(pad, info)
    }
}
#endif
