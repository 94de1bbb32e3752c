internal import PipFrames

/// The display times of an animation's pictures, round after round.
enum AnimationTimes: Equatable {
    /// Pictures of equal duration.
    case even(FrameRate, count: Int)
    /// The start of each picture, which lasts until the next start, and the end of the round.
    case starts([Duration], end: Duration)

    /// The times of pictures with given durations, each above zero.
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

    /// The due time of a picture, counted through all rounds.
    func start(of index: Int) -> Duration {
        switch self {
        case .even(let rate, _): rate.offset(ofFrame: index)
        case .starts(let starts, let end): starts[index % count] + end * (index / count)
        }
    }

    /// The picture on display at a time, counted through all rounds.
    func index(at time: Duration) -> Int {
        switch self {
        case .even(let rate, _): rate.index(at: time)
        case .starts(let starts, let end):
            Int(time.nanoseconds / end.nanoseconds) * count
                + (starts.lastIndex { $0.nanoseconds <= time.nanoseconds % end.nanoseconds } ?? 0)
        }
    }

    /// The mean rate.
    ///
    /// Units: pictures a second.
    var meanRate: FrameRate {
        switch self {
        case .even(let rate, _): rate
        case .starts(let starts, let end):
            FrameRate(starts.count * 1000, per: max(1, Int(end.nanoseconds / 1_000_000)))
        }
    }
}
