/// Pairs of frames that two producers show at the same moment: `for await pair in FramePairs(front, rear) { … }`.
///
/// Cameras of one rate are paired by their timestamps, within half a period. The session draws both frames of a pair
/// for the same moment. While the app is busy, both frames of a pair are dropped together.
///
/// Like a ``FrameTap``, the sequence has one consumer, and ends with its outputs.
public struct FramePairs: AsyncSequence, Sendable {
    /// Two frames of one moment.
    public struct Pair: Sendable {
        /// The first producer's frame.
        public let first: Frame
        /// The second producer's frame.
        public let second: Frame

        /// The difference between the timestamps of the newest camera frames in the two pictures; nil when a picture
        /// shows no camera.
        public var skew: Duration? {
            guard let one = first.info.inputs.newest, let other = second.info.inputs.newest else { return nil }
            return Swift.max(one.duration(to: other), other.duration(to: one))
        }
    }

    /// The outputs that deliver the frames.
    public let outputs: (first: Output, second: Output)
    private let taps: (first: FrameTap, second: FrameTap)

    /// Connects two producers, and joins their graphs.
    ///
    /// - Parameters:
    ///   - first: A producer, such as a camera or a picture drawn from one.
    ///   - second: Another producer.
    ///   - format: The format of all frames: `rgba`, `nv12`, `i420` or `gray`.
    ///   - size: The size of all frames; nil takes the size of each producer's picture.
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

    /// Stops both outputs, and waits until both have ended.
    ///
    /// - Throws: ``SessionError`` when one of the outputs has failed. If both have failed, the error is that of the
    ///   first output.
    public func stop() async throws(SessionError) {
        outputs.first.remove()
        outputs.second.remove()
        do throws(SessionError) { try await outputs.first.stop() } catch {
            try? await outputs.second.stop()
            throw error
        }
        try await outputs.second.stop()
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(first: taps.first.frames.makeAsyncIterator(), second: taps.second.frames.makeAsyncIterator())
    }

    /// Waits for the next pair; ends when one of the two outputs ends.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var first: FrameStream.AsyncIterator
        fileprivate var second: FrameStream.AsyncIterator

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Pair? {
            guard var one = await first.next(isolation: actor), var other = await second.next(isolation: actor) else {
                return nil
            }
            // Frames of one moment have the same sequence number: skip a frame whose partner was dropped.
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
