#if Media
internal import CGStreamer

/// The function that GStreamer calls for an added element.
@safe final class AddedElement: Sendable {
    typealias Body = @Sendable (UnsafeMutablePointer<GstElement>) -> Void
    private typealias Handler =
        @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void

    private let body: Body

    private init(_ body: @escaping Body) { unsafe self.body = unsafe body }

    /// Calls a function for each element that is added to a pipeline, or to a bin in it, from now on.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - body: Receives the element on the thread that has added it, until the pipeline is freed.
    @unsafe static func follow(_ pipeline: Pipeline, _ body: @escaping Body) {
        let context = unsafe Unmanaged.passRetained(AddedElement(body)).toOpaque()
        let call = unsafe unsafeBitCast(call, to: GCallback.self)
        unsafe pipeline.withWhole { whole in
            unsafe _ = g_signal_connect_data(
                whole, "deep-element-added", call, context,
                { context, _ in
                    if let context = unsafe context { unsafe Unmanaged<AddedElement>.fromOpaque(context).release() }
                },
                GConnectFlags(rawValue: 0))
        }
    }

    // A constant that belongs to no actor, because GStreamer's threads call it.
    private static let call: Handler = { _, _, element, context in
        guard let context = unsafe context, let element = unsafe element else { return }
        unsafe Unmanaged<AddedElement>.fromOpaque(context).takeUnretainedValue().body(element)
    }
}
#endif
