internal import PipFrames

/// Timestamped values within a sliding time window.
struct Trail: Sendable {
    private let window: Duration
    private var points: [(time: Timestamp, value: Double)] = []

    /// Creates an empty trail.
    ///
    /// - Parameter window: The age beyond which values are dropped.
    init(_ window: Duration) { self.window = window }

    mutating func add(_ value: Double, at now: Timestamp) {
        points.removeAll { $0.time.duration(to: now) > window || $0.time >= now }
        points.append((now, value))
    }

    var sum: Double { points.reduce(0) { $0 + $1.value } }

    /// The slope of the values per second: the smaller slope of the window's two halves.
    ///
    /// Nil until the values span four fifths of the window, and without a value between the halves.
    ///
    /// A single jump of a sensor lies in one half only, and so does not count as a rise.
    var steadyRisePerSecond: Double? {
        guard let first = points.first, let last = points.last,
            first.time.duration(to: last.time).inSeconds >= 0.8 * window.inSeconds
        else { return nil }
        let half = first.time.duration(to: last.time) / 2
        guard let middle = points.first(where: { first.time.duration(to: $0.time) >= half }), middle.time < last.time
        else { return nil }
        return min(Self.rise(first, middle), Self.rise(middle, last))
    }

    /// True when the latest value is higher than the value `time` earlier; false when no value is that old.
    func hasRisen(within time: Duration) -> Bool {
        guard let last = points.last, let before = points.last(where: { $0.time.duration(to: last.time) >= time })
        else { return false }
        return last.value > before.value
    }

    /// The direction of the values, which are steady unless they change faster than `rate`, in units a second.
    func trend(over rate: Double) -> PressureTrend {
        guard let first = points.first, let last = points.last, first.time < last.time else { return .steady }
        let rise = Self.rise(first, last)
        return rise > rate ? .rising : rise < -rate ? .falling : .steady
    }

    private static func rise(_ from: (time: Timestamp, value: Double), _ to: (time: Timestamp, value: Double)) -> Double
    {
        (to.value - from.value) / from.time.duration(to: to.time).inSeconds
    }
}
