/// When a filter is drawn, in the time of the output: from 0 at its first frame on.
public struct ActivePeriod: Sendable, Hashable {
    /// When it begins to show.
    public var start: Duration
    /// When nothing of it is left; nil never.
    public var end: Duration?
    /// How long it takes to come and to go.
    public var fade: Duration

    public init(from start: Duration = .zero, to end: Duration? = nil, fade: Duration = .zero) {
        self.start = start
        self.end = end
        self.fade = fade
    }

    /// How much of the effect shows at a time: 0…1.
    public func share(at time: Duration) -> Double {
        if time < start || end.map({ time >= $0 }) ?? false { return 0 }
        guard fade > .zero else { return 1 }
        let gone = end.map { (($0 - time) / fade) } ?? 1
        return min(max(min((time - start) / fade, gone), 0), 1)
    }
}
