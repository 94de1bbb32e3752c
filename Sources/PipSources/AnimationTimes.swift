internal import PipFrames

/// When each picture of an animation is shown.
enum AnimationTimes: Equatable {
    /// All equally long.
    case even(FrameRate, count: Int)
    /// Each until its end, counted from the animation's start.
    case ends([Duration])

    /// The times of pictures with these durations, each above zero.
    init(durations: [Duration]) {
        var end = Duration.zero
        self = .ends(
            durations.map { duration in
                end += duration
                return end
            })
    }

    /// The picture that is due at a time: after the last one the first one again, or the last one for ever.
    func index(at time: Duration, loops: Bool) -> Int {
        switch self {
        case .even(let rate, let count):
            let passed = rate.lastFrame(at: time)
            return loops ? passed % count : min(passed, count - 1)
        case .ends(let ends):
            guard let whole = ends.last else { return 0 }
            let time = loops ? .nanoseconds(time.nanoseconds % whole.nanoseconds) : time
            return ends.firstIndex { time < $0 } ?? ends.count - 1
        }
    }

    /// Pictures a second.
    var meanRate: FrameRate {
        switch self {
        case .even(let rate, _): rate
        case .ends(let ends):
            FrameRate(ends.count * 1000, per: max(1, Int((ends.last ?? .zero).nanoseconds / 1_000_000)))
        }
    }
}

extension FrameRate {
    /// The last frame that is due at a time.
    fileprivate func lastFrame(at time: Duration) -> Int {
        let guess = Int(Int128(time.nanoseconds) * Int128(frames) / (Int128(seconds) * 1_000_000_000))
        // Due times are rounded down to the nanosecond.
        return max(0, offset(ofFrame: guess + 1) <= time ? guess + 1 : guess)
    }
}
