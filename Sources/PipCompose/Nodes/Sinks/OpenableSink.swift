/// A sink node that knows how to open what it stands for.
protocol OpenableSink: SinkSpecification {
    /// What it takes of the renderer.
    ///
    /// - Throws: ``SinkError`` when its name or its options make no sense.
    func request() throws(SinkError) -> SinkRequest

    /// Creates what it writes to.
    func open(_ context: SinkContext) throws(SinkError) -> any FrameReceiver
}

/// What sinks need to open.
struct SinkContext {
    var info: FrameInfo
    var rate: FrameRate
    var capacity: Int
    var policy: QueuePolicy
    var onError: @Sendable (SinkError) -> Void
}

/// A sink that is written frame by frame.
protocol WriterSink: OpenableSink {
    func makeWriter() throws(SinkError) -> sending any FrameWriter
}

extension WriterSink {
    func request() throws(SinkError) -> SinkRequest {
        let format = try makeWriter().format
        return SinkRequest(format: format.pixelFormat, size: format.size, colorimetry: format.colorimetry)
    }

    func open(_ context: SinkContext) throws(SinkError) -> any FrameReceiver {
        try SinkRunner(
            try makeWriter(), info: context.info, rate: context.rate, capacity: context.capacity,
            policy: context.policy, onError: context.onError)
    }
}
