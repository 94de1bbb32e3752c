#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames

/// The way of one output's frames into an encoder, which other outputs may share.
///
/// Thread: render thread, except ``finish(by:)``.
final class EncodedFrames: Sendable {
    /// The result of submitting a frame.
    enum Outcome {
        case taken
        case dropped
        case failed
        /// The encoder had no room until the deadline.
        case timedOut
    }

    let feed: PacketFeed
    private let encoder: Monitor<VideoEncoder>
    private let waits: Bool

    /// - Parameters:
    ///   - encoder: The first encoder.
    ///   - capacity: The most packets that wait for the output.
    ///   - waits: True when frames wait for room, false when they are dropped.
    init(_ encoder: VideoEncoder, capacity: Int, waits: Bool) {
        feed = PacketFeed(capacity: capacity, waits: waits)
        self.waits = waits
        self.encoder = Monitor(encoder)
        encoder.add(feed)
    }

    /// The working encoder's name in the engine; nil when none works.
    var encoderName: String? { encoder.read { $0 }.name }

    /// Announces a frame that the caller is about to submit.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - beginsPart: True when a new file begins with the frame.
    func expect(_ frame: Frame, beginsPart: Bool) {
        encoder.read { $0 }.expect(frame, for: feed, beginsPart: beginsPart)
    }

    /// Encodes a frame, or drops it.
    ///
    /// - Parameters:
    ///   - frame: A frame that was announced by ``expect(_:beginsPart:)``.
    ///   - beginsPart: True when a new file begins with the frame.
    ///   - deadline: The end of the wait for room, where frames wait.
    /// - Returns: The result.
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
                // The output may fetch a packet just after it was announced: look again soon.
                encoder.waitForRoom(until: min(limit, clock.now.advanced(by: .milliseconds(5))))
                encoder.expect(frame, for: feed, beginsPart: beginsPart)
            }
        }
    }

    /// Continues with another encoder, from a key frame.
    func move(to other: VideoEncoder) {
        let previous = encoder.update { encoder in
            defer { encoder = other }
            return encoder
        }
        previous.detach(feed)
        other.add(feed)
    }

    /// Waits until all frames are encoded, then ends the packets; blocks until then.
    func finish(by deadline: Timestamp) { encoder.read { $0 }.remove(feed, by: deadline) }
}
#endif
