#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames

/// Waits until FFmpeg's video decoders are idle, before a pipeline stops.
///
/// At the end of its data, such a decoder returns the pictures that it has held back. A decoder that then gets no
/// memory, because the elements after it have stopped, crashes the process. The cause is in gst-libav 1.22: while
/// draining, `gst_ffmpegviddec_video_frame` drops a frame that does not exist.
final class DecoderDrain: Sendable {
    /// The longest wait for the decoders, each of whose pictures may take long.
    ///
    /// A decoder whose next element does not accept pictures never becomes idle.
    private static let timeout = Duration.seconds(1)

    private let busy = Monitor(0)

    /// Blocks the decoders' inputs, and waits until the decoders have processed their data, for at most a second.
    ///
    /// Meanwhile the pipeline's outlets must accept samples. Data that waits before a decoder is released when the
    /// pipeline stops.
    ///
    /// - Parameter pipeline: The pipeline of the decoders.
    static func wait(for pipeline: Pipeline) {
        let drain = DecoderDrain()
        unsafe pipeline.forEachElement { element in
            guard unsafe isDecoder(element), unsafe !isHeldBack(element),
                let sink = unsafe gst_element_get_static_pad(element, "sink")
            else {
                return
            }
            defer { unsafe gst_object_unref(sink) }
            if let feed = unsafe gst_pad_get_peer(sink) {
                unsafe drain.hold(feed)
                unsafe gst_object_unref(feed)
            }
        }
        _ = drain.busy.wait(until: MonotonicClock().now.advanced(by: timeout)) { $0 == 0 ? true : nil }
    }

    /// Blocks a pad as soon as no data passes through it.
    private func hold(_ pad: UnsafeMutablePointer<GstPad>) {
        busy.withLock { $0 += 1 }
        let types = GST_PAD_PROBE_TYPE_IDLE.rawValue | GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM.rawValue
        let isIdle = Monitor(false)
        // GStreamer may call the probe more than once.
        unsafe PadProbe.add(to: pad, GstPadProbeType(rawValue: types)) { [self] _, _ in
            let isFirst = isIdle.withLock { isIdle in
                defer { isIdle = true }
                return !isIdle
            }
            if isFirst { busy.update { $0 -= 1 } }
            return GST_PAD_PROBE_OK
        }
    }

    /// True while the decoder's output is blocked, because not all streams of its input are known yet.
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
}
#endif
