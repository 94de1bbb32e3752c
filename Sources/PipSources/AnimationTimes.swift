internal import PipFrames

/// The display times of an animation's pictures; the animation repeats in rounds.
enum AnimationTimes: Equatable {
    /// Pictures of equal duration.
    case even(FrameRate, count: Int)
    /// The start of each picture within the round, and the end of the round. A picture lasts until the next one starts.
    case starts([Duration], end: Duration)

    /// Creates the times of pictures from their durations, each above zero.
    init(durations: [Duration]) {
        var end = Duration.zero
        let starts = durations.map { duration in
            defer { end += duration }
            return end
        }
        self = .starts(starts, end: end)
    }

    /// The number of pictures in a round.
    var count: Int {
        switch self {
        case .even(_, let count): count
        case .starts(let starts, _): starts.count
        }
    }

    /// The time since the animation's start at which a picture starts; `index` counts through all rounds.
    func start(of index: Int) -> Duration {
        switch self {
        case .even(let rate, _): rate.offset(ofFrame: index)
        case .starts(let starts, let end): starts[index % count] + end * (index / count)
        }
    }

    /// The index of the picture on display at a time since the animation's start, counted through all rounds.
    func index(at time: Duration) -> Int {
        switch self {
        case .even(let rate, _): rate.index(at: time)
        case .starts(let starts, let end):
            Int(time.nanoseconds / end.nanoseconds) * count
                + (starts.lastIndex { $0.nanoseconds <= time.nanoseconds % end.nanoseconds } ?? 0)
        }
    }

    /// The mean picture rate of a round.
    var meanRate: FrameRate {
        switch self {
        case .even(let rate, _): rate
        case .starts(let starts, let end):
            FrameRate(starts.count * 1000, per: max(1, Int(end.nanoseconds / 1_000_000)))
        }
    }
}
