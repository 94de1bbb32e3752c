#if Media
internal import CGStreamer
internal import PipFrames

/// The input of a pipeline: one of its `appsrc` elements.
///
/// Thread: any. No call blocks.
@safe struct Inlet: ~Copyable, @unchecked Sendable {
    private let source: UnsafeMutablePointer<GstAppSrc>

    /// Finds the `appsrc` and sets it up.
    ///
    /// - Parameters:
    ///   - name: The name of the `appsrc` in the pipeline's description.
    ///   - pipeline: The pipeline.
    init(_ name: String, of pipeline: Pipeline) {
        unsafe source = unsafe pipeline.withElement(name) { unsafe Self.prepared($0) }
    }

    /// Finds an `appsrc` in a bin, and sets it up; nil if the bin has no element of that name.
    @unsafe init?(_ name: String, in bin: UnsafeMutablePointer<GstElement>) {
        let bin = unsafe UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstBin.self)
        guard let element = unsafe gst_bin_get_by_name(bin, name) else { return nil }
        defer { unsafe gst_object_unref(element) }
        unsafe source = unsafe Self.prepared(element)
    }

    private static func prepared(_ element: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstAppSrc> {
        let source = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstAppSrc.self)
        unsafe gst_object_ref(source)
        unsafe gst_app_src_set_stream_type(source, GST_APP_STREAM_TYPE_STREAM)
        unsafe gst_app_src_set_max_bytes(source, 0)
        for (property, value) in [("format", "time"), ("block", "false"), ("emit-signals", "false")] {
            unsafe gst_util_set_object_arg(gObject(element), property, value)
        }
        return unsafe source
    }

    deinit { unsafe gst_object_unref(source) }

    /// Sets the caps of the buffers pushed from now on.
    func use(_ format: PacketFormat) { unsafe gst_app_src_set_caps(source, format.caps) }

    /// Pushes a buffer, which the pipeline takes over.
    ///
    /// - Returns: False when the pipeline no longer accepts buffers.
    func push(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        unsafe gst_app_src_push_buffer(source, buffer) == GST_FLOW_OK
    }

    /// Requests that the next pushed buffer becomes a key frame; waiting buffers are not affected.
    func requestKeyFrame() {
        let none = GST_CLOCK_TIME_NONE_VALUE
        guard let event = unsafe gst_video_event_new_downstream_force_key_unit(none, none, none, 1, 0) else { return }
        let element = unsafe UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstElement.self)
        _ = unsafe gst_element_send_event(element, event)
    }

    /// Ends the stream after the waiting buffers.
    func end() { _ = unsafe gst_app_src_end_of_stream(source) }

    /// The time at which the pipeline's running time is 0, on `CLOCK_MONOTONIC`; nil before the pipeline plays.
    var start: Timestamp? {
        let element = unsafe UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstElement.self)
        let base = unsafe gst_element_get_base_time(element)
        return base == 0 ? nil : Timestamp(nanoseconds: Int64(clamping: base))
    }

    /// Calls a function for each request for a key frame that comes from the elements behind.
    func onKeyRequest(_ body: @escaping @Sendable () -> Void) {
        let element = unsafe UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstElement.self)
        guard let pad = unsafe gst_element_get_static_pad(element, "src") else { return }
        defer { unsafe gst_object_unref(pad) }
        unsafe PadProbe.add(to: pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM) { _, info in
            let event = unsafe gst_pad_probe_info_get_event(info)
            if let event = unsafe event, unsafe gst_video_event_is_force_key_unit(event) != 0 { body() }
            return GST_PAD_PROBE_OK
        }
    }

    /// The number of buffers in the queue.
    var level: Int { Int(unsafe gst_app_src_get_current_level_buffers(source)) }
}

/// The output of a pipeline: one of its `appsink` elements.
///
/// Thread: any.
@safe struct Outlet: ~Copyable, @unchecked Sendable {
    private let sink: UnsafeMutablePointer<GstAppSink>

    /// Finds the `appsink` and sets it up.
    ///
    /// - Parameters:
    ///   - name: The name of the `appsink` in the pipeline's description.
    ///   - pipeline: The pipeline.
    init(_ name: String, of pipeline: Pipeline) {
        unsafe sink = unsafe pipeline.withElement(name) { element in
            unsafe gst_object_ref(element)
            return unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstAppSink.self)
        }
        // With `wait-on-eos`, the end of a stream that comes before the pipeline plays would wait for a reader, which
        // waits for the pipeline to play.
        for (property, value) in [
            ("sync", "false"), ("async", "false"), ("emit-signals", "false"), ("wait-on-eos", "false"),
        ] {
            pipeline.set(property, of: name, to: value)
        }
    }

    deinit { unsafe gst_object_unref(sink) }

    /// A buffer with its caps and segment, as an outlet returns it.
    @safe struct Sample: ~Copyable {
        private let sample: OpaquePointer

        init(_ sample: OpaquePointer) { unsafe self.sample = unsafe sample }

        deinit { unsafe gst_sample_unref(sample) }

        var buffer: UnsafeMutablePointer<GstBuffer>? { unsafe gst_sample_get_buffer(sample) }

        var caps: UnsafeMutablePointer<GstCaps>? { unsafe gst_sample_get_caps(sample) }

        /// Converts a timestamp of the sample into running time, the time since the pipeline's start.
        ///
        /// Nil for a missing timestamp, and for a timestamp that the sample's segment cannot convert.
        func runningTime(_ time: GstClockTime) -> Duration? {
            guard time != GST_CLOCK_TIME_NONE_VALUE, let segment = unsafe gst_sample_get_segment(sample) else {
                return nil
            }
            var running = GstClockTime(0)
            // The result is signed: the first packets are decoded before time 0, at which the first picture is shown.
            let sign = unsafe gst_segment_to_running_time_full(segment, GST_FORMAT_TIME, time, &running)
            guard sign != 0 else { return nil }
            return .nanoseconds(sign > 0 ? Int64(running) : -Int64(running))
        }

        /// Converts a timestamp of the sample into stream time, the time since the file's beginning.
        ///
        /// Nil for a missing timestamp, and for a timestamp that the sample's segment cannot convert.
        func streamTime(_ time: GstClockTime) -> Duration? {
            guard time != GST_CLOCK_TIME_NONE_VALUE, let segment = unsafe gst_sample_get_segment(sample) else {
                return nil
            }
            var position = GstClockTime(0)
            let sign = unsafe gst_segment_to_stream_time_full(segment, GST_FORMAT_TIME, time, &position)
            guard sign != 0 else { return nil }
            return .nanoseconds(sign > 0 ? Int64(position) : -Int64(position))
        }
    }

    /// Waits for the next sample.
    ///
    /// - Returns: The sample. Nil when none came within `timeout`, or when none will follow.
    func pull(within timeout: Duration) -> Sample? {
        let time = GstClockTime(max(0, timeout.nanoseconds))
        guard let sample = unsafe gst_app_sink_try_pull_sample(sink, time) else { return nil }
        return unsafe Sample(sample)
    }

    /// True when the outlet has returned the stream's last sample, and while the pipeline is stopped.
    var isAtEnd: Bool { unsafe gst_app_sink_is_eos(sink) != 0 }
}
#endif
