#if Media
internal import CGStreamer
internal import PipFrames

/// The queue of messages from the elements of a pipeline, in sending order.
///
/// Thread: one thread at a time.
@safe final class PipelineMessages: @unchecked Sendable {
    private let bus: UnsafeMutablePointer<GstBus>

    /// Opens the queue of a pipeline.
    ///
    /// - Parameter pipeline: The pipeline, as a GStreamer element.
    init(of pipeline: UnsafeMutablePointer<GstElement>) { unsafe bus = unsafe gst_element_get_bus(pipeline) }

    deinit { unsafe gst_object_unref(bus) }

    /// A message from an element of the pipeline.
    enum Message {
        case failed(MediaError)
        case warning(String)
        /// The end of the stream has reached all sinks.
        case ended
    }

    /// Removes and returns the next failure, warning or end of stream; discards other messages.
    ///
    /// - Parameter timeout: The longest wait.
    /// - Returns: The message. Nil when none came in time.
    func next(within timeout: Duration = .zero) -> Message? {
        let wanted = GstMessageType(
            rawValue: GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_WARNING.rawValue | GST_MESSAGE_EOS.rawValue)
        let time = GstClockTime(max(0, timeout.nanoseconds))
        guard let message = unsafe gst_bus_timed_pop_filtered(bus, time, wanted) else { return nil }
        defer { unsafe gst_message_unref(message) }
        switch unsafe message.pointee.type {
        case GST_MESSAGE_EOS: return .ended
        case GST_MESSAGE_ERROR: return unsafe .failed(Self.error(in: message))
        default: return unsafe .warning(Self.text(of: message, gst_message_parse_warning))
        }
    }

    /// Removes messages up to the next failure, and returns that failure; nil when the queue contains none.
    func nextFailure() -> MediaError? {
        while let message = next() { if case .failed(let error) = message { return error } }
        return nil
    }

    private static func error(in message: UnsafeMutablePointer<GstMessage>) -> MediaError {
        var error: UnsafeMutablePointer<GError>?
        unsafe gst_message_parse_error(message, &error, nil)
        defer { unsafe g_clear_error(&error) }
        let kind: MediaError.Kind =
            if let error = unsafe error, unsafe error.pointee.domain == gst_resource_error_quark() {
                switch unsafe UInt32(bitPattern: error.pointee.code) {
                case GST_RESOURCE_ERROR_NO_SPACE_LEFT.rawValue: .full
                case GST_RESOURCE_ERROR_OPEN_READ.rawValue, GST_RESOURCE_ERROR_OPEN_WRITE.rawValue,
                    GST_RESOURCE_ERROR_OPEN_READ_WRITE.rawValue, GST_RESOURCE_ERROR_NOT_FOUND.rawValue,
                    GST_RESOURCE_ERROR_NOT_AUTHORIZED.rawValue:
                    .network
                default: .failed
                }
            } else {
                .failed
            }
        return MediaError(kind: kind, reason: unsafe text(of: message, gst_message_parse_error))
    }

    /// The text of a message, with the last line of its technical details in brackets, unless that line names a place
    /// in source code.
    private static func text(
        of message: UnsafeMutablePointer<GstMessage>,
        _ parse: (
            UnsafeMutablePointer<GstMessage>, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
        ) -> Void
    ) -> String {
        var error: UnsafeMutablePointer<GError>?
        var details: UnsafeMutablePointer<gchar>?
        unsafe parse(message, &error, &details)
        defer {
            unsafe g_clear_error(&error)
            unsafe g_free(details)
        }
        var text = unsafe error.map { unsafe String(cString: $0.pointee.message) } ?? "no reason was given"
        if text.hasSuffix(".") { text.removeLast() }
        let last = unsafe details.map { unsafe String(cString: $0) }?.split(separator: "\n").last.map(String.init)
        if var last, !last.contains(".c(") {
            // Cut off the error number of the C library or plug-in.
            if let code = last.firstRange(of: " (domain ") { last = String(last[..<code.lowerBound]) }
            text += " (\(last.trimmingSuffix(".")))"
        }
        return text
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
#endif
