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
    /// The clock by which its thread waits.
    var clock = MonotonicClock()
    var onEvent: @Sendable (SinkEvent) -> Void
    var onError: @Sendable (SinkError) -> Void
}

/// A sink that is written frame by frame.
protocol WriterSink: OpenableSink {
    func makeWriter() throws(SinkError) -> sending any FrameWriter

    /// How it goes on when its disk is full or fails; nil lets it end.
    func makeRecovery() -> SinkRecovery?
}

extension WriterSink {
    func makeRecovery() -> SinkRecovery? { nil }

    func request() throws(SinkError) -> SinkRequest {
        let format = try makeWriter().format
        return SinkRequest(format: format.pixelFormat, size: format.size, colorimetry: format.colorimetry)
    }

    func open(_ context: SinkContext) throws(SinkError) -> any FrameReceiver {
        try SinkRunner(
            try makeWriter(), info: context.info, rate: context.rate, capacity: context.capacity,
            policy: context.policy, recovery: makeRecovery(),
            // Where nothing is left out, the disk sets the pace anyway.
            syncInterval: context.policy == .block ? nil : SinkRunner.syncInterval, clock: context.clock,
            onEvent: context.onEvent, onError: context.onError)
    }
}
