internal import PipConcurrency

/// The number of threads that draw a frame on the CPU.
///
/// One thread draws as long as it needs no more than half of a frame's interval. Otherwise as many draw as bring that
/// to a quarter, up to the number of processors.
struct DrawingThreads {
    /// The number of consecutive slow frames after which more threads draw.
    static let patience = 8
    /// The number of consecutive frames after which one thread draws again, each within a quarter of the interval.
    static let calm = 60

    private let most: Int
    private let isFixed: Bool
    private(set) var count: Int
    private var busy = 0
    private var idle = 0

    /// - Parameters:
    ///   - wish: A fixed number; nil adapts the number to the time that frames take.
    ///   - processors: The number of processors that the process may run on.
    init(_ wish: Int?, processors: Int = Processors.usable) {
        isFixed = wish != nil
        most = max(wish ?? processors, 1)
        count = isFixed ? most : 1
    }

    /// True when the number follows the time that frames take.
    var adapts: Bool { !isFixed && most > 1 }

    /// Counts a frame.
    ///
    /// - Parameters:
    ///   - used: The CPU time of the calling thread, which is one of the drawing threads.
    ///   - interval: The time from one frame to the next.
    /// - Returns: True when another number draws from now on.
    mutating func frameDrawn(used: Duration, interval: Duration) -> Bool {
        guard adapts else { return false }
        let whole = used * count
        busy = used > interval / 2 ? busy + 1 : 0
        idle = whole < interval / 4 ? idle + 1 : 0
        let wanted: Int
        if busy >= Self.patience {
            wanted = min(most, max(Int((whole / (interval / 4)).rounded(.up)), count))
        } else if idle >= Self.calm {
            wanted = 1
        } else {
            return false
        }
        (busy, idle) = (0, 0)
        defer { count = wanted }
        return wanted != count
    }
}
