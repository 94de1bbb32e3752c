/// The period in which a filter is drawn, in the output's time: 0 is its first frame.
public struct ActivePeriod: Sendable, Hashable {
    /// The moment at which the filter begins to show.
    public var start: Duration
    /// The moment at which the filter has disappeared; nil for no end.
    public var end: Duration?
    /// The duration of the fade in, and of the fade out.
    public var fade: Duration

    /// A period with its fades.
    ///
    /// Without an end, it lasts for ever.
    public init(from start: Duration = .zero, to end: Duration? = nil, fade: Duration = .zero) {
        self.start = start
        self.end = end
        self.fade = fade
    }

    /// The share of the effect that shows at a time, 0…1.
    package func share(at time: Duration) -> Double {
        if time < start || end.map({ time >= $0 }) ?? false { return 0 }
        guard fade > .zero else { return 1 }
        let gone = end.map { (($0 - time) / fade) } ?? 1
        return min(max(min((time - start) / fade, gone), 0), 1)
    }
}
