/// The period of the output time in which a filter is drawn.
///
/// Time 0 is the output's first frame.
public struct ActivePeriod: Sendable, Hashable {
    /// The time at which the filter begins to show.
    public var start: Duration
    /// The time at which the filter has disappeared; nil for no end.
    public var end: Duration?
    /// The duration of the fade in, and of the fade out.
    public var fade: Duration

    /// Creates a period with its fades; without an end, the period lasts for ever.
    public init(from start: Duration = .zero, to end: Duration? = nil, fade: Duration = .zero) {
        self.start = start
        self.end = end
        self.fade = fade
    }

    /// The opacity of the effect at an output time, 0…1.
    package func share(at time: Duration) -> Double {
        if time < start || end.map({ time >= $0 }) ?? false { return 0 }
        guard fade > .zero else { return 1 }
        let gone = end.map { (($0 - time) / fade) } ?? 1
        return min(max(min((time - start) / fade, gone), 0), 1)
    }
}
