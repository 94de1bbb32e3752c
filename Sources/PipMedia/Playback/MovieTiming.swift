#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSources

/// The progress of a movie's pictures, which its sound follows.
final class MovieTiming: Sendable {
    /// One run through the shown part.
    struct Round: Sendable, Equatable {
        /// The number of the round, counted from 0.
        let number: Int
        /// The movie's time at the beginning of the round.
        let start: Duration
        /// The time in the file of the round's first picture.
        let position: Duration
    }

    struct State: Sendable {
        /// The number of times that the movie was opened.
        var opening = 0
        /// The latest rounds, oldest first.
        var rounds: [Round] = []
        /// The length of a round; nil before the second round.
        var length: Duration?
        /// The movie's time at the end of the pictures that were read.
        var reach = Duration.zero
        /// True when no pictures follow.
        var isComplete = false
        /// The moment of the movie's time 0; nil before its first picture is shown.
        var start: Timestamp?
        /// The moment at which the last picture was shown, and the time since the picture before.
        var shown: (moment: Timestamp, interval: Duration)?
        /// True when the movie was removed from the picture.
        var isStopped = false

        /// The moment at which the sound ends; nil while it is unknown.
        var silence: Timestamp? {
            if isStopped { return shown.map { $0.moment.advanced(by: $0.interval) } ?? start ?? .zero }
            return isComplete ? start?.advanced(by: reach) : nil
        }
    }

    /// The most rounds that are remembered.
    private static let mostRounds = 16

    private let state = Monitor(State())

    var now: State { state.read { $0 } }

    /// Waits until a condition holds.
    ///
    /// - Parameters:
    ///   - deadline: The end of the wait. Nil waits for ever.
    ///   - condition: The condition, checked again after each change.
    /// - Returns: The state. Nil after the deadline.
    func wait(until deadline: Timestamp? = nil, _ condition: (State) -> Bool) -> State? {
        state.wait(until: deadline) { condition($0) ? $0 : nil }
    }

    /// Makes the threads that wait check their conditions.
    func wake() { state.update { _ in } }

    /// Begins an opening of the movie, with a new state.
    func open() -> Opening {
        state.update { state in
            state = State(opening: state.opening + 1)
            return Opening(timing: self, number: state.opening)
        }
    }

    /// One opening of a movie.
    ///
    /// Notes of an earlier opening are ignored.
    struct Opening: Sendable {
        fileprivate let timing: MovieTiming
        fileprivate let number: Int

        private func update(_ body: (inout State) -> Void) {
            timing.state.update { state in if state.opening == number { body(&state) } }
        }

        /// Notes a picture that was read.
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

        /// Notes the moment at which a picture is shown.
        func note(_ moment: SourceMoment) {
            update { state in
                state.start = state.start ?? moment.start
                let interval = state.shown.map { $0.moment.duration(to: moment.shown) } ?? .zero
                state.shown = (moment.shown, max(.zero, interval))
            }
        }

        /// Notes that no pictures follow.
        ///
        /// - Parameter isStopped: True when the movie was removed from the picture, false when it has ended.
        func end(isStopped: Bool) { update { ($0.isComplete, $0.isStopped) = (true, isStopped) } }
    }
}
#endif
