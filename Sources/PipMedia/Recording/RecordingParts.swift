#if Media
internal import PipFrames
internal import Synchronization

/// Decides with which frames the files of a recording begin.
///
/// Thread: any.
final class RecordingParts: Sendable {
    private struct State {
        var start: Timestamp?
        /// True when the next frame must begin a file.
        var isSplitRequested = false
    }

    private let limit: SegmentLimit?
    private let state = Mutex(State())

    /// - Parameter limit: The length of each file. Nil to begin a new file only on request.
    init(_ limit: SegmentLimit?) { self.limit = limit }

    /// Decides whether a file begins with a frame.
    ///
    /// - Parameters:
    ///   - time: The frame's timestamp.
    ///   - bytes: Returns the number of bytes of pictures in the current file.
    /// - Returns: True when a file begins with the frame.
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

    /// Records that a file begins with a frame.
    func noteBeginning(at time: Timestamp) { state.withLock { $0 = State(start: time) } }

    /// Requests that a file begins with the next frame.
    func requestSplit() { state.withLock { $0.isSplitRequested = true } }
}
#endif
