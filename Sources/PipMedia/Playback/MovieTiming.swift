#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSources

/// The progress of a movie's pictures, which the movie's sound follows.
///
/// The movie's time counts from its start, over all rounds. Thread: any.
final class MovieTiming: Sendable {
    /// One pass through the part to show.
    struct Round: Sendable, Equatable {
        /// The number of the round, counted from 0.
        let number: Int
        /// The movie's time at the beginning of the round.
        let start: Duration
        /// The time in the file of the round's first picture.
        let position: Duration
    }

    struct State: Sendable {
        /// The number of times that the movie has been opened.
        var opening = 0
        /// The latest rounds, the oldest first.
        var rounds: [Round] = []
        /// The length of a round; nil before the second round.
        var length: Duration?
        /// The movie's time at the end of the latest picture read.
        var reach = Duration.zero
        /// True when no more pictures will be read.
        var isComplete = false
        /// The timestamp of the movie's time 0; nil before the first picture is shown.
        var start: Timestamp?
        /// The timestamp of the latest shown picture, and the time since the picture before; nil before the first.
        var shown: (moment: Timestamp, interval: Duration)?
        /// True when the reader was stopped before it read all pictures.
        var isStopped = false

        /// The timestamp at which the sound ends; nil while unknown.
        var silence: Timestamp? {
            if isStopped { return shown.map { $0.moment.advanced(by: $0.interval) } ?? start ?? .zero }
            return isComplete ? start?.advanced(by: reach) : nil
        }
    }

    /// The largest number of rounds in ``State``.
    private static let mostRounds = 16

    private let state = Monitor(State())

    var now: State { state.read { $0 } }

    /// Waits until a condition holds.
    ///
    /// - Parameters:
    ///   - deadline: The end of the wait. Nil to wait without a limit.
    ///   - condition: The condition, checked after each change.
    /// - Returns: The state for which the condition holds. Nil after the deadline.
    func wait(until deadline: Timestamp? = nil, _ condition: (State) -> Bool) -> State? {
        state.wait(until: deadline) { condition($0) ? $0 : nil }
    }

    /// Makes waiting threads check their conditions again.
    func wake() { state.update { _ in } }

    /// Starts the next opening of the movie, with a new state.
    func open() -> Opening {
        state.update { state in
            state = State(opening: state.opening + 1)
            return Opening(timing: self, number: state.opening)
        }
    }

    /// One opening of a movie, through which its reader records progress.
    ///
    /// Calls of an opening that is not the latest have no effect.
    struct Opening: Sendable {
        fileprivate let timing: MovieTiming
        fileprivate let number: Int

        private func update(_ body: (inout State) -> Void) {
            timing.state.update { state in if state.opening == number { body(&state) } }
        }

        /// Records a picture that was read.
        ///
        /// - Parameters:
        ///   - start: The movie's time at the beginning of the picture's round.
        ///   - position: The time in the file of the round's first picture.
        ///   - reach: The movie's time at the end of the picture.
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

        /// Records when a picture is shown.
        func note(_ moment: SourceMoment) {
            update { state in
                state.start = state.start ?? moment.start
                let interval = state.shown.map { $0.moment.duration(to: moment.shown) } ?? .zero
                state.shown = (moment.shown, max(.zero, interval))
            }
        }

        /// Records that no more pictures will be read.
        ///
        /// - Parameter isStopped: True when the reader was stopped; false at the movie's end, and after a failure.
        func end(isStopped: Bool) { update { ($0.isComplete, $0.isStopped) = (true, isStopped) } }
    }
}
#endif
