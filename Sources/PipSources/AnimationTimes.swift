internal import PipFrames

/// When each picture of an animation is shown, round after round.
enum AnimationTimes: Equatable {
    /// All equally long.
    case even(FrameRate, count: Int)
    /// Each from its start to the next one's, and the last one to the end of the round.
    case starts([Duration], end: Duration)

    /// The times of pictures with these durations, each above zero.
    init(durations: [Duration]) {
        var end = Duration.zero
        let starts = durations.map { duration in
            defer { end += duration }
            return end
        }
        self = .starts(starts, end: end)
    }

    /// The pictures of a round.
    var count: Int {
        switch self {
        case .even(_, let count): count
        case .starts(let starts, _): starts.count
        }
    }

    /// The time at which a picture is due, counted on through all rounds.
    func start(of index: Int) -> Duration {
        switch self {
        case .even(let rate, _): rate.offset(ofFrame: index)
        case .starts(let starts, let end): starts[index % count] + end * (index / count)
        }
    }

    /// The picture that is shown at a time, counted on through all rounds.
    func index(at time: Duration) -> Int {
        switch self {
        case .even(let rate, _): rate.index(at: time)
        case .starts(let starts, let end):
            Int(time.nanoseconds / end.nanoseconds) * count
                + (starts.lastIndex { $0.nanoseconds <= time.nanoseconds % end.nanoseconds } ?? 0)
        }
    }

    /// Pictures a second.
    var meanRate: FrameRate {
        switch self {
        case .even(let rate, _): rate
        case .starts(let starts, let end):
            FrameRate(starts.count * 1000, per: max(1, Int(end.nanoseconds / 1_000_000)))
        }
    }
}
