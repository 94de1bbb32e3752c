internal import PipConcurrency

/// Chooses how many threads draw a frame on the CPU.
///
/// One thread draws while it needs at most half of the frame interval. When a thread needs longer, the number of
/// threads rises until each thread needs a quarter of the interval, up to the number of processors.
struct DrawingThreads {
    /// The number of consecutive slow frames after which more threads draw.
    static let patience = 8
    /// The number of consecutive fast frames after which one thread draws again.
    ///
    /// A fast frame takes less than a quarter of the interval on all threads together.
    static let calm = 60

    private let most: Int
    private let isFixed: Bool
    private(set) var count: Int
    private var busy = 0
    private var idle = 0

    /// - Parameters:
    ///   - fixedCount: A fixed number of threads; nil adapts the number to the time that frames take.
    ///   - processors: The number of processors that the process may run on.
    init(_ fixedCount: Int?, processors: Int = Processors.usable) {
        isFixed = fixedCount != nil
        most = max(fixedCount ?? processors, 1)
        count = isFixed ? most : 1
    }

    /// True when the number of threads follows the time that frames take.
    var adapts: Bool { !isFixed && most > 1 }

    /// Counts a drawn frame, and adapts the number of threads.
    ///
    /// - Parameters:
    ///   - used: The CPU time of the calling thread, which is one of the drawing threads.
    ///   - interval: The time from one frame to the next.
    /// - Returns: True when the number of threads has changed.
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
