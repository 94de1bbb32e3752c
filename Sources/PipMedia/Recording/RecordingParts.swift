#if Media
internal import PipFrames
internal import Synchronization

/// Decides when a recording goes on in another file.
final class RecordingParts: Sendable {
    private struct State {
        var start: Timestamp?
        /// True when the next frame is to begin a file.
        var isAsked = false
    }

    private let limit: SegmentLimit?
    private let state = Mutex(State())

    /// `limit`: The length of a file; nil for one that goes on to the end.
    init(_ limit: SegmentLimit?) { self.limit = limit }

    /// True for a frame with which a file begins.
    ///
    /// - Parameters:
    ///   - time: The frame's timestamp.
    ///   - bytes: The bytes of the file so far.
    /// - Returns: True when it does.
    func begin(at time: Timestamp, after bytes: () -> Int) -> Bool {
        state.withLock { state in
            guard let start = state.start, !state.isAsked else { return true }
            switch limit {
            case .duration(let duration): return start.duration(to: time) >= duration
            case .bytes(let most): return bytes() >= most
            case nil: return false
            }
        }
    }

    /// Notes that a file begins with a frame.
    func began(at time: Timestamp) { state.withLock { $0 = State(start: time) } }

    /// Asks for the next frame to begin a file.
    func ask() { state.withLock { $0.isAsked = true } }
}
#endif
