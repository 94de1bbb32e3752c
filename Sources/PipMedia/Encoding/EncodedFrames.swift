#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames

/// Submits the frames of one output to an encoder, which other outputs may share.
///
/// Thread: render thread, except ``encoderName``, ``move(to:)`` and ``finish(by:)``, which any thread may use.
final class EncodedFrames: Sendable {
    /// The result of submitting a frame.
    enum Outcome {
        case taken
        case dropped
        case failed
        /// The encoder had no room until the end of the wait.
        case timedOut
    }

    let feed: PacketFeed
    private let encoder: Monitor<VideoEncoder>
    private let waits: Bool
    private let backlog: Int

    /// Connects an output to its first encoder.
    ///
    /// - Parameters:
    ///   - encoder: The first encoder.
    ///   - capacity: The largest number of packets that wait for the output.
    ///   - waits: True to wait for room when the encoder is full; false to drop frames.
    ///   - backlog: The largest number of frames that wait for the encoder while no other output uses it. A small
    ///     number keeps the delay short where the encoder is slow.
    init(_ encoder: VideoEncoder, capacity: Int, waits: Bool, backlog: Int = .max) {
        feed = PacketFeed(capacity: capacity, waits: waits)
        (self.waits, self.backlog) = (waits, backlog)
        self.encoder = Monitor(encoder)
        encoder.add(feed)
    }

    /// The GStreamer name of the encoder in use, or of the encoder used last.
    var encoderName: String? { encoder.read { $0 }.name }

    /// Announces a frame that the caller is about to submit.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - beginsPart: True to request a key frame, with which a recording's new file begins.
    func expect(_ frame: Frame, beginsPart: Bool) {
        encoder.read { $0 }.expect(frame, for: feed, beginsPart: beginsPart)
    }

    /// Encodes a frame, or drops it.
    ///
    /// - Parameters:
    ///   - frame: A frame that was announced by ``expect(_:beginsPart:)``.
    ///   - beginsPart: True to request a key frame, with which a recording's new file begins.
    ///   - deadline: The latest end of the wait for room in the encoder. The wait takes at most 50 ms.
    /// - Returns: The outcome for the frame.
    func submit(_ frame: Frame, beginsPart: Bool, until deadline: Timestamp) -> Outcome {
        let clock = MonotonicClock()
        let limit = min(deadline, clock.now.advanced(by: .milliseconds(50)))
        while true {
            let encoder = encoder.read { $0 }
            switch encoder.offer(frame, for: feed, waits: waits, backlog: backlog) {
            case .taken: return .taken
            case .dropped: return .dropped
            case .failed: return .failed
            case .full:
                guard clock.now < limit else { return .timedOut }
                // The output may take a packet between the check and the wait: check again soon.
                encoder.waitForRoom(until: min(limit, clock.now.advanced(by: .milliseconds(5))))
                encoder.expect(frame, for: feed, beginsPart: beginsPart)
            }
        }
    }

    /// Switches to another encoder.
    ///
    /// The packets continue from a key frame.
    func move(to other: VideoEncoder) {
        let previous = encoder.update { encoder in
            defer { encoder = other }
            return encoder
        }
        previous.detach(feed)
        other.add(feed)
    }

    /// Waits until all frames are encoded, at most until the deadline, and then ends the output's packets.
    func finish(by deadline: Timestamp) { encoder.read { $0 }.remove(feed, by: deadline) }
}
#endif
