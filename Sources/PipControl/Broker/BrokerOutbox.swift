#if Control
internal import Synchronization

/// The messages that other threads have for the broker's thread, bounded in number.
///
/// Thread: any.
final class BrokerOutbox: Sendable {
    /// The largest number of moments that wait; a further one takes the place of the oldest.
    private static let mostMoments = 16
    /// The largest thumbnail, in bytes.
    private static let largestThumbnail = 262_144

    private struct State {
        var moments: [BrokerState.Mark] = []
        var lastMoment: BrokerState.Mark?
        var thumbnail: [UInt8]?
    }

    private let state = Mutex(State())

    /// The moment that was marked last.
    var lastMoment: BrokerState.Mark? { state.withLock { $0.lastMoment } }

    func add(_ moment: BrokerState.Mark) {
        state.withLock { state in
            state.lastMoment = moment
            state.moments.append(moment)
            if state.moments.count > Self.mostMoments { state.moments.removeFirst() }
        }
    }

    /// Replaces the thumbnail that waits, unless the new one is too large.
    func add(thumbnail: [UInt8]) {
        guard thumbnail.count <= Self.largestThumbnail else { return }
        state.withLock { $0.thumbnail = thumbnail }
    }

    /// Takes the next message; nil when none waits.
    func next(_ topics: BrokerTopics) -> BrokerMessage? {
        state.withLock { state in
            if !state.moments.isEmpty {
                return BrokerMessage(topics.moment, state.moments.removeFirst().json.line, isRetained: false)
            }
            guard let thumbnail = state.thumbnail else { return nil }
            state.thumbnail = nil
            return BrokerMessage(topics.thumbnail, thumbnail)
        }
    }
}
#endif
