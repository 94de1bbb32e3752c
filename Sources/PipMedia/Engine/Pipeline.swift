#if Media
internal import CGStreamer
internal import PipFrames

/// A GStreamer pipeline: elements that run together on GStreamer's threads, such as an encoder or a connection.
///
/// A pipeline plays once. Thread: any; but only one thread at a time may read messages.
@safe final class Pipeline: @unchecked Sendable {
    private let element: UnsafeMutablePointer<GstElement>
    private let messages: PipelineMessages
    private let gate = PluggingGate()

    /// Creates a pipeline.
    ///
    /// - Parameter description: The elements in the notation of `gst-launch-1.0`. The text must contain nothing that a
    ///   user has entered: set such values with ``set(_:of:to:)``.
    /// - Throws: ``MediaError`` when an element is missing, or GStreamer cannot start or make the pipeline.
    init(_ description: String) throws(MediaError) {
        try GStreamer.start()
        var error: UnsafeMutablePointer<GError>?
        let context = unsafe gst_parse_context_new()
        defer { unsafe gst_parse_context_free(context) }
        let made = unsafe gst_parse_launch_full(description, context, GST_PARSE_FLAG_FATAL_ERRORS, &error)
        defer { unsafe g_clear_error(&error) }
        guard let made = unsafe made else {
            let missing = unsafe Self.missing(in: context)
            if !missing.isEmpty { throw GStreamer.missing(missing) }
            let reason = unsafe error.map { unsafe String(cString: $0.pointee.message) } ?? "GStreamer gives no reason"
            throw MediaError(kind: .failed, reason: "GStreamer cannot make a pipeline: \(reason)")
        }
        unsafe gst_object_ref_sink(made)
        unsafe element = unsafe made
        unsafe messages = PipelineMessages(of: element)
        gate.follow(self)
    }

    deinit {
        stop()
        unsafe gst_object_unref(element)
    }

    /// The next failure, warning or end of stream; nil when none came within the timeout.
    func nextMessage(within timeout: Duration = .zero) -> PipelineMessages.Message? { messages.next(within: timeout) }

    /// Removes messages up to the next failure, and returns that failure; nil when the queue contains none.
    func nextFailure() -> MediaError? { messages.nextFailure() }

    private static func missing(in context: OpaquePointer?) -> [String] {
        guard let names = unsafe gst_parse_context_get_missing_elements(context) else { return [] }
        defer { unsafe g_strfreev(names) }
        var missing: [String] = []
        var index = 0
        while let name = unsafe names[index] {
            unsafe missing.append(String(cString: name))
            index += 1
        }
        return missing
    }

    /// Calls `body` with a named element; the name must occur in the pipeline's description.
    func withElement<R>(_ name: String, _ body: (UnsafeMutablePointer<GstElement>) -> R) -> R {
        let bin = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstBin.self)
        guard let found = unsafe gst_bin_get_by_name(bin, name) else { preconditionFailure("no element \(name)") }
        defer { unsafe gst_object_unref(found) }
        return unsafe body(found)
    }

    /// Calls `body` with the pipeline itself, as an element.
    func withWhole<R>(_ body: (UnsafeMutablePointer<GstElement>) -> R) -> R { unsafe body(element) }

    /// Sets a property of a named element; `text` is the value as `gst-launch-1.0` accepts it.
    func set(_ property: String, of name: String, to text: String) {
        unsafe withElement(name) { unsafe gst_util_set_object_arg(gObject($0), property, text) }
    }

    /// Links the output of a named element to an RTSP sink, as one more stream of the publication.
    ///
    /// - Parameters:
    ///   - name: The element, which has one output.
    ///   - payloader: The element that makes RTP packets of the output.
    ///   - sink: The `rtspclientsink`.
    /// - Throws: ``MediaError`` when the sink refuses the stream.
    func publish(_ name: String, by payloader: String, to sink: String) throws(MediaError) {
        let isLinked = unsafe withElement(name) { source in
            unsafe withElement(sink) { unsafe pip_rtsp_publish(source, payloader, $0) }
        }
        if isLinked == 0 { throw MediaError(kind: .failed, reason: "the RTSP sink accepts no sound from \(payloader)") }
    }

    /// True when the named element has the property.
    func has(_ property: String, of name: String) -> Bool { flags(of: property, of: name) != nil }

    /// True when the named element's property can change while the pipeline plays.
    func canChange(_ property: String, of name: String) -> Bool {
        flags(of: property, of: name).map { $0 & PIP_MUTABLE_WHILE_PLAYING != 0 } ?? false
    }

    /// The flags of a named element's property; nil when the element has no such property.
    private func flags(of property: String, of name: String) -> Int32? {
        unsafe withElement(name) { element in
            let type = unsafe gObject(element).pointee.g_type_instance.g_class
            guard let type = unsafe type else { return nil }
            let all = unsafe UnsafeMutableRawPointer(type).assumingMemoryBound(to: GObjectClass.self)
            return unsafe g_object_class_find_property(all, property).map {
                unsafe Int32($0.pointee.flags.rawValue)
            }
        }
    }

    /// The current caps of a named element's input; nil before the first data.
    ///
    /// - Returns: The caps, which the caller must release.
    func inputCaps(of name: String) -> UnsafeMutablePointer<GstCaps>? {
        unsafe withElement(name) { element in
            guard let pad = unsafe gst_element_get_static_pad(element, "sink") else { return nil }
            defer { unsafe gst_object_unref(pad) }
            return unsafe gst_pad_get_current_caps(pad)
        }
    }

    /// Reads a property of a named element that holds a structure, such as statistics.
    ///
    /// - Parameters:
    ///   - property: The name of the property.
    ///   - name: The element's name.
    ///   - body: Reads the structure.
    /// - Returns: The result of `body`. Nil when the property holds no structure.
    func withStructure<R>(
        _ property: String, of name: String, _ body: (UnsafePointer<GstStructure>) -> R?
    ) -> R? {
        unsafe withElement(name) { element in
            var value = GValue()
            unsafe g_value_init(&value, gst_structure_get_type())
            defer { unsafe g_value_unset(&value) }
            unsafe g_object_get_property(gObject(element), property, &value)
            return unsafe gst_value_get_structure(&value).flatMap { unsafe body($0) }
        }
    }

    /// Starts the pipeline.
    ///
    /// - Parameter base: The time of running time 0, on `CLOCK_MONOTONIC`, and not in the future. Nil lets GStreamer
    ///   choose.
    /// - Throws: ``MediaError`` when an element refuses to start.
    func play(base: Timestamp? = nil) throws(MediaError) {
        if let base {
            let clock = unsafe gst_system_clock_obtain()
            defer { unsafe gst_object_unref(clock) }
            let whole = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstPipeline.self)
            unsafe gst_pipeline_use_clock(whole, clock)
            unsafe gst_element_set_start_time(element, GST_CLOCK_TIME_NONE_VALUE)
            unsafe gst_element_set_base_time(element, GstClockTime(max(0, base.nanoseconds)))
        }
        let change = withRoomInOutlets { unsafe gst_element_set_state(element, GST_STATE_PLAYING) }
        guard change == GST_STATE_CHANGE_FAILURE else { return }
        defer { stop() }
        throw nextFailure() ?? MediaError(kind: .failed, reason: "the GStreamer pipeline does not start")
    }

    /// Discards the data in the pipeline, and continues with the last key frame at or before a time.
    ///
    /// - Parameter time: The time since the stream's beginning.
    /// - Returns: False when the stream is not seekable and continues as before, and when the pipeline has failed.
    func seekKeyFrame(before time: Duration) -> Bool {
        let flags =
            GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_KEY_UNIT.rawValue | GST_SEEK_FLAG_SNAP_BEFORE.rawValue
        waitForState()
        let found = unsafe gst_element_seek_simple(
            element, GST_FORMAT_TIME, GstSeekFlags(rawValue: flags), gint64(max(0, time.nanoseconds)))
        guard found != 0 else { return false }
        // Discard the end of stream that an earlier reading has reached.
        return nextFailure() == nil
    }

    /// The duration of the stream; nil when the stream does not state it.
    var length: Duration? {
        var length = gint64(0)
        guard unsafe gst_element_query_duration(element, GST_FORMAT_TIME, &length) != 0, length > 0 else { return nil }
        return .nanoseconds(length)
    }

    /// Stops the pipeline, and discards the data in it.
    ///
    /// Blocks until the pipeline's threads have ended. FFmpeg's decoders get up to a second to become idle.
    func stop() {
        // A waiting `appsink`, which needs room, blocks its own change of state. While the pipeline starts, that change
        // of state and the change to NULL would wait for each other.
        drainOutlets()
        gate.close(self)
        DecoderDrain.wait(for: self)
        unsafe gst_element_set_state(element, GST_STATE_NULL)
    }

    /// Keeps the pipeline's elements from ever being freed, because some elements crash when they are freed.
    func leak() { unsafe gst_object_ref(element) }

    /// Waits until the pipeline's elements have reached the pipeline's state, for at most 2 seconds.
    ///
    /// A seek needs that state, but an element before a full outlet does not reach the state. So this method enlarges
    /// the outlets, by one sample at a time; the outlets keep their samples.
    private func waitForState() {
        var places: [UnsafeMutablePointer<GstAppSink>: guint] = unsafe [:]
        for _ in 0..<200 {
            let timeout = GstClockTime(Duration.milliseconds(10).nanoseconds)
            let state = unsafe gst_element_get_state(element, nil, nil, timeout)
            guard state == GST_STATE_CHANGE_ASYNC else { break }
            unsafe forEachOutlet { sink in
                let now = unsafe gst_app_sink_get_max_buffers(sink)
                unsafe places[sink] = unsafe places[sink] ?? now
                if now > 0 { unsafe gst_app_sink_set_max_buffers(sink, now + 1) }
            }
        }
        unsafe places.forEach { unsafe gst_app_sink_set_max_buffers($0.key, $0.value) }
    }

    /// Runs a function while all outlets take any number of samples.
    ///
    /// The elements before an outlet run before the outlet plays. A full outlet that waits for a reader would wait for
    /// ever, since it blocks the change of state behind which its reader waits.
    private func withRoomInOutlets<R>(_ body: () -> R) -> R {
        var places: [(UnsafeMutablePointer<GstAppSink>, guint)] = unsafe []
        unsafe forEachOutlet { sink in
            unsafe places.append((sink, gst_app_sink_get_max_buffers(sink)))
            unsafe gst_app_sink_set_max_buffers(sink, 0)
        }
        defer { unsafe places.forEach { unsafe gst_app_sink_set_max_buffers($0.0, $0.1) } }
        return body()
    }

    /// Makes all full outlets discard samples.
    private func drainOutlets() { unsafe forEachOutlet { sink in unsafe gst_app_sink_set_drop(sink, 1) } }

    private func forEachOutlet(_ body: (UnsafeMutablePointer<GstAppSink>) -> Void) {
        let bin = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstBin.self)
        unsafe Self.forEach(gst_bin_iterate_all_by_element_factory_name(bin, "appsink")) { element in
            unsafe body(UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstAppSink.self))
        }
    }

    /// Calls `body` with every element, including the elements inside bins.
    ///
    /// An element may come twice while elements are added or removed.
    func forEachElement(_ body: (UnsafeMutablePointer<GstElement>) -> Void) {
        let bin = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstBin.self)
        unsafe Self.forEach(gst_bin_iterate_recurse(bin), body)
    }

    private static func forEach(
        _ elements: UnsafeMutablePointer<GstIterator>?, _ body: (UnsafeMutablePointer<GstElement>) -> Void
    ) {
        guard let elements = unsafe elements else { return }
        defer { unsafe gst_iterator_free(elements) }
        var value = GValue()
        while true {
            switch unsafe gst_iterator_next(elements, &value) {
            case GST_ITERATOR_OK:
                if let element = unsafe g_value_get_object(&value) {
                    unsafe body(UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstElement.self))
                }
                unsafe g_value_reset(&value)
            case GST_ITERATOR_RESYNC: unsafe gst_iterator_resync(elements)
            default:
                if value.g_type != 0 { unsafe g_value_unset(&value) }
                return
            }
        }
    }
}

/// The constant for a missing timestamp, which is a macro in C.
let GST_CLOCK_TIME_NONE_VALUE = GstClockTime.max

/// Returns an element as the object that owns its properties.
@unsafe func gObject(_ element: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GObject> {
    unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
}
#endif
