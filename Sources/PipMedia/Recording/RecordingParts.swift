#if Media
internal import PipFrames
internal import Synchronization

/// Decides which frames begin a file of a recording.
final class RecordingParts: Sendable {
    private struct State {
        var start: Timestamp?
        /// True when the next frame must begin a file.
        var isSplitRequested = false
    }

    private let limit: SegmentLimit?
    private let state = Mutex(State())

    /// - Parameter limit: The length of each file. Nil makes one file until the end.
    init(_ limit: SegmentLimit?) { self.limit = limit }

    /// True for a frame that begins a file.
    ///
    /// - Parameters:
    ///   - time: The frame's timestamp.
    ///   - bytes: The bytes of the file so far.
    /// - Returns: True when the frame begins a file.
    func beginsPart(at time: Timestamp, after bytes: () -> Int) -> Bool {
        state.withLock { state in
            guard let start = state.start, !state.isSplitRequested else { return true }
            switch limit {
            case .duration(let duration): return start.duration(to: time) >= duration
            case .bytes(let most): return bytes() >= most
            case nil: return false
            }
        }
    }

    /// Notes that a file begins with a frame.
    func noteBeginning(at time: Timestamp) { state.withLock { $0 = State(start: time) } }

    /// Requests that the next frame begins a file.
    func requestSplit() { state.withLock { $0.isSplitRequested = true } }
}
#endif
