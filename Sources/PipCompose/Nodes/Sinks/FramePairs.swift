/// Frames of two producers that belong together, for an app to iterate over:
/// `for await pair in FramePairs(front, rear) { … }`.
///
/// Cameras of one rate are paired by their timestamps, within half a period; both frames of a pair were drawn at the
/// same moment of the session. A pair that the app is too busy for is dropped whole.
///
/// Like a ``FrameTap``, it has one consumer, and ends with its session.
public struct FramePairs: AsyncSequence, Sendable {
    /// Two frames of one moment.
    public struct Pair: Sendable {
        /// The first producer's frame.
        public let first: Frame
        /// The second producer's frame.
        public let second: Frame

        /// The difference between the cameras' timestamps in the two frames; nil when one shows no camera.
        public var skew: Duration? {
            guard let one = first.info.inputs.newest, let other = second.info.inputs.newest else { return nil }
            return Swift.max(one.duration(to: other), other.duration(to: one))
        }
    }

    /// The outputs that give the frames.
    public let outputs: (first: Output, second: Output)
    private let taps: (first: FrameTap, second: FrameTap)

    /// Connects two producers, which become parts of one graph.
    ///
    /// - Parameters:
    ///   - first: A camera, or a picture drawn of it.
    ///   - second: Another one.
    ///   - format: `rgba`, `nv12` or `i420`.
    ///   - size: The size of all frames; nil takes each picture's own.
    public init(
        _ first: some FrameProducer, _ second: some FrameProducer, format: PixelFormat = .rgba, size: PixelSize? = nil
    ) {
        func tap(_ node: GraphNode) -> FrameTap {
            FrameTap(format, size: size, name: "frames of \(node.wiring.graph.label(of: node.id))")
        }
        taps = (tap(first.node), tap(second.node))
        first.node.wiring.join(second.node.wiring)
        outputs = (first --> taps.first, second --> taps.second)
    }

    /// Ends both outputs.
    ///
    /// - Throws: ``SessionError`` when one has failed.
    public func stop() async throws(SessionError) {
        outputs.first.remove()
        outputs.second.remove()
        try await outputs.first.stop()
        try await outputs.second.stop()
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(first: taps.first.frames.makeAsyncIterator(), second: taps.second.frames.makeAsyncIterator())
    }

    /// The consumer's place in the pairs.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var first: FrameStream.AsyncIterator
        fileprivate var second: FrameStream.AsyncIterator

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Pair? {
            guard var one = await first.next(isolation: actor), var other = await second.next(isolation: actor) else {
                return nil
            }
            // The session numbers its moments: a frame whose partner was dropped is passed over.
            while one.info.sequence != other.info.sequence {
                if one.info.sequence < other.info.sequence {
                    guard let frame = await first.next(isolation: actor) else { return nil }
                    one = frame
                } else {
                    guard let frame = await second.next(isolation: actor) else { return nil }
                    other = frame
                }
            }
            return Pair(first: one, second: other)
        }

        public mutating func next() async -> Pair? { await next(isolation: #isolation) }
    }
}
