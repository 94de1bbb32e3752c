internal import PipConcurrency

/// How many threads draw a frame where the CPU draws.
///
/// One, as long as it draws in half of a frame's interval; else as many as bring it to a quarter, up to the processors.
struct DrawingThreads {
    /// The frames in a row that have to ask for more threads.
    static let patience = 8
    /// The frames in a row that one thread would have to draw in a quarter of the interval, until one draws again.
    static let calm = 60

    private let most: Int
    private let isFixed: Bool
    private(set) var count: Int
    private var busy = 0
    private var idle = 0

    /// - Parameters:
    ///   - wish: A number to keep to; nil chooses by what drawing takes.
    ///   - processors: Those that the process may run on.
    init(_ wish: Int?, processors: Int = Processors.usable) {
        isFixed = wish != nil
        most = max(wish ?? processors, 1)
        count = isFixed ? most : 1
    }

    /// True when what frames take may change the number.
    var adapts: Bool { !isFixed && most > 1 }

    /// Takes in what a frame took.
    ///
    /// - Parameters:
    ///   - used: The time of the processor that the caller's thread took, one of all that drew.
    ///   - interval: From one frame to the next.
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
