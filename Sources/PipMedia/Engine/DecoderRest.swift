#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames

/// The end of what FFmpeg's decoders of pictures are at, before a pipeline stops.
///
/// At the end of its data such a decoder gives the pictures that it has held back. One that finds no memory then, since
/// the elements after it have stopped already, takes the process down: gst-libav 1.22, `gst_ffmpegviddec_video_frame`,
/// which drops a frame that there is none of while it drains.
final class DecoderRest: Sendable {
    /// The longest that is waited: for the pictures that a decoder has, of which each may take long.
    ///
    /// One whose pictures an element after it does not take yet never rests.
    private static let patience = Duration.seconds(1)

    private let busy = Monitor(0)

    /// Lets nothing more into the decoders, and waits until they have worked off what they have.
    ///
    /// The outlets must take all that comes. What waits before a decoder is let go of when the pipeline stops.
    ///
    /// - Parameter pipeline: Every element's owner.
    static func reach(_ pipeline: Pipeline) {
        let rest = DecoderRest()
        unsafe pipeline.forEachElement { element in
            guard unsafe isDecoder(element), unsafe !isHeldBack(element),
                let sink = unsafe gst_element_get_static_pad(element, "sink")
            else {
                return
            }
            defer { unsafe gst_object_unref(sink) }
            if let feed = unsafe gst_pad_get_peer(sink) {
                unsafe rest.hold(feed)
                unsafe gst_object_unref(feed)
            }
        }
        _ = rest.busy.wait(until: MonotonicClock().now.advanced(by: patience)) { $0 == 0 ? true : nil }
    }

    /// Blocks a pad as soon as nothing passes it.
    private func hold(_ pad: UnsafeMutablePointer<GstPad>) {
        busy.withLock { $0 += 1 }
        let types = GST_PAD_PROBE_TYPE_IDLE.rawValue | GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM.rawValue
        let feed = unsafe Unmanaged.passRetained(Feed(self)).toOpaque()
        unsafe gst_pad_add_probe(pad, GstPadProbeType(rawValue: types), Self.noteRest, feed) { feed in
            if let feed = unsafe feed { unsafe Unmanaged<Feed>.fromOpaque(feed).release() }
        }
    }

    /// True while nothing that it gives is let through: what it plays is not known whole yet.
    private static func isHeldBack(_ decoder: UnsafeMutablePointer<GstElement>) -> Bool {
        guard let source = unsafe gst_element_get_static_pad(decoder, "src") else { return false }
        defer { unsafe gst_object_unref(source) }
        return unsafe gst_pad_is_blocking(source) != 0
    }

    private static func isDecoder(_ element: UnsafeMutablePointer<GstElement>) -> Bool {
        guard let factory = unsafe gst_element_get_factory(element),
            unsafe gst_element_factory_list_is_type(factory, PIP_FACTORIES_OF_DECODERS | PIP_FACTORIES_OF_PICTURES) != 0
        else { return false }
        let name = unsafe gst_plugin_feature_get_plugin_name(factory)
        return unsafe name.map { unsafe String(cString: $0) } == "libav"
    }

    /// What one decoder is fed through.
    private final class Feed: Sendable {
        private let rest: DecoderRest
        private let isAtRest = Monitor(false)

        init(_ rest: DecoderRest) { self.rest = rest }

        /// Notes that nothing passes any more; told more than once.
        func stop() {
            let isFirst = isAtRest.withLock { isAtRest in
                defer { isAtRest = true }
                return !isAtRest
            }
            if isFirst { rest.busy.update { $0 -= 1 } }
        }
    }

    // Called on the engine's threads, it belongs to no actor.
    private static let noteRest: GstPadProbeCallback = { _, _, feed in
        if let feed = unsafe feed { unsafe Unmanaged<Feed>.fromOpaque(feed).takeUnretainedValue().stop() }
        return GST_PAD_PROBE_OK
    }
}
#endif
