#if Media
internal import PipFrames

/// Merges requests for key frames, so that few key frames answer many requests.
///
/// Many viewers share an encoder. Every new viewer needs a key frame at once, and every viewer that has lost packets
/// requests one. One key frame answers all pending requests.
struct KeyRequests {
    /// The shortest time from one requested key frame to the next one that is not for a new viewer.
    static let interval = Duration.milliseconds(300)

    private enum Request {
        case soon, atOnce
    }

    private var pending: Request?
    private var granted: Timestamp?

    /// Adds a request of a viewer that has missed packets.
    mutating func request() { pending = pending ?? .soon }

    /// Adds a request of a new viewer, which has no picture yet: the next frame becomes a key frame.
    mutating func requestAtOnce() { pending = .atOnce }

    /// Decides whether a frame must become a key frame.
    ///
    /// Call this method for each frame, before the frame is encoded.
    ///
    /// - Parameter time: The frame's time.
    /// - Returns: True to encode a key frame.
    mutating func grant(for time: Timestamp) -> Bool {
        guard let request = pending else { return false }
        if request == .soon, let granted, granted.duration(to: time) < Self.interval, granted <= time { return false }
        (pending, granted) = (nil, time)
        return true
    }
}
#endif
