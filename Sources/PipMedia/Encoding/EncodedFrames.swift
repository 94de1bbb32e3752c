#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames

/// The frames of one output on their way into an encoder that it may share.
///
/// On the render thread, but for ``finish(by:)``.
final class EncodedFrames: Sendable {
    /// What came of a frame.
    enum Outcome {
        case taken
        case dropped
        case failed
        /// There was no room until the deadline.
        case timedOut
    }

    let feed: PacketFeed
    private let encoder: Monitor<VideoEncoder>
    private let waits: Bool

    /// - Parameters:
    ///   - encoder: The encoder at first.
    ///   - capacity: Packets that wait for the output, at most.
    ///   - waits: Whether frames wait for room rather than get lost.
    init(_ encoder: VideoEncoder, capacity: Int, waits: Bool) {
        feed = PacketFeed(capacity: capacity, waits: waits)
        self.waits = waits
        self.encoder = Monitor(encoder)
        encoder.add(feed)
    }

    /// The encoder at work, by the engine's name; nil when none is.
    var encoderName: String? { encoder.read { $0 }.name }

    /// Prepares for a frame that is about to be submitted.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - beginsPart: Whether a new file begins with it.
    func expect(_ frame: Frame, beginsPart: Bool) {
        encoder.read { $0 }.expect(frame, for: feed, beginsPart: beginsPart)
    }

    /// Encodes a frame, or drops it.
    ///
    /// - Parameters:
    ///   - frame: One that was expected.
    ///   - beginsPart: Whether a new file begins with it.
    ///   - deadline: How long to wait for room, where frames wait.
    /// - Returns: What came of it.
    func submit(_ frame: Frame, beginsPart: Bool, until deadline: Timestamp) -> Outcome {
        let clock = MonotonicClock()
        let limit = min(deadline, clock.now.advanced(by: .milliseconds(50)))
        while true {
            let encoder = encoder.read { $0 }
            switch encoder.offer(frame, for: feed, waits: waits) {
            case .taken: return .taken
            case .dropped: return .dropped
            case .failed: return .failed
            case .full:
                guard clock.now < limit else { return .timedOut }
                // The next frame may be fetched just after the packet that says so.
                encoder.waitForRoom(until: min(limit, clock.now.advanced(by: .milliseconds(5))))
                encoder.expect(frame, for: feed, beginsPart: beginsPart)
            }
        }
    }

    /// Goes on with another encoder, from a key frame.
    func move(to other: VideoEncoder) {
        let previous = encoder.update { encoder in
            defer { encoder = other }
            return encoder
        }
        previous.detach(feed)
        other.add(feed)
    }

    /// Waits until all frames were encoded, and ends the packets; blocks until then.
    func finish(by deadline: Timestamp) { encoder.read { $0 }.remove(feed, by: deadline) }
}
#endif
