#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSources

/// What is known of a movie's pictures at work, for its sound to be in step with them.
final class MovieTiming: Sendable {
    /// One run through the part that is shown.
    struct Round: Sendable, Equatable {
        /// Counts from 0.
        let number: Int
        /// The movie's time at which it begins.
        let start: Duration
        /// The file's time of its first picture.
        let position: Duration
    }

    struct State: Sendable {
        /// Counts how often the movie was opened.
        var opening = 0
        /// The latest rounds, oldest first.
        var rounds: [Round] = []
        /// The length of a round; nil before the second one.
        var length: Duration?
        /// The movie's time up to which it has pictures, as far as they were read.
        var reach = Duration.zero
        /// True when no pictures follow.
        var isComplete = false
        /// The moment of the movie's time 0; nil before its first picture is shown.
        var start: Timestamp?
        /// The moment that was shown last, and how long.
        var shown: (moment: Timestamp, interval: Duration)?
        /// True when it was taken out of the picture.
        var isStopped = false

        /// The moment from which on it has no sound, where that is known.
        var silence: Timestamp? {
            if isStopped { return shown.map { $0.moment.advanced(by: $0.interval) } ?? start ?? .zero }
            return isComplete ? start?.advanced(by: reach) : nil
        }
    }

    /// Rounds that are kept.
    private static let mostRounds = 16

    private let state = Monitor(State())

    var now: State { state.read { $0 } }

    /// Waits until something is true.
    ///
    /// - Parameters:
    ///   - deadline: When to give up; nil waits for ever.
    ///   - condition: What is waited for; asked again after each change.
    /// - Returns: The state; nil after the deadline.
    func wait(until deadline: Timestamp? = nil, _ condition: (State) -> Bool) -> State? {
        state.wait(until: deadline) { condition($0) ? $0 : nil }
    }

    /// Lets those who wait look again.
    func wake() { state.update { _ in } }

    /// Begins anew: the movie was opened.
    func open() -> Opening {
        state.update { state in
            state = State(opening: state.opening + 1)
            return Opening(timing: self, number: state.opening)
        }
    }

    /// One opening of a movie; what an earlier one says is not heard any more.
    struct Opening: Sendable {
        fileprivate let timing: MovieTiming
        fileprivate let number: Int

        private func update(_ body: (inout State) -> Void) {
            timing.state.update { state in if state.opening == number { body(&state) } }
        }

        /// Notes a picture that was read.
        ///
        /// - Parameters:
        ///   - start: The movie's time at which its round begins.
        ///   - position: The file's time of its round's first picture.
        ///   - reach: The movie's time at which it ends.
        func note(_ start: Duration, at position: Duration, upTo reach: Duration) {
            update { state in
                state.reach = reach
                guard state.rounds.last?.start != start else { return }
                if let last = state.rounds.last { state.length = start - last.start }
                let number = (state.rounds.last?.number ?? -1) + 1
                state.rounds.append(Round(number: number, start: start, position: position))
                if state.rounds.count > mostRounds { state.rounds.removeFirst() }
            }
        }

        /// Notes a moment at which a picture is shown.
        func note(_ moment: SourceMoment) {
            update { state in
                state.start = state.start ?? moment.start
                let interval = state.shown.map { $0.moment.duration(to: moment.shown) } ?? .zero
                state.shown = (moment.shown, max(.zero, interval))
            }
        }

        /// Notes that no pictures follow.
        ///
        /// - Parameter isStopped: Whether it was taken out of the picture, or has ended.
        func end(isStopped: Bool) { update { ($0.isComplete, $0.isStopped) = (true, isStopped) } }
    }
}
#endif
