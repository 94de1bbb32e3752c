#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound
internal import Synchronization

/// The sound of a movie on a mixer's clock.
///
/// The track's own thread decodes ahead. The mixer's thread reads the sound at the times of the movie's pictures.
///
/// Sample positions count from the movie's beginning, at `AudioFormat.houseRate`.
final class MovieTrack: AudioReader {
    private struct State {
        var samples = MovieSamples()
        /// The number of the opening that the thread decodes, and of the opening that the mixer reads.
        ///
        /// The movie is opened each time that it joins the composition.
        var (decodedOpening, heardOpening) = (0, 0)
        /// The end of the known pictures when the mixer last waited in vain for more pictures; nil before that.
        var missedReach: Duration?
        /// True when no more sound of the decoded opening follows.
        var isExhausted = false
        var status = AudioStatus(.waiting)
    }

    /// The number of samples to decode ahead.
    private static let ahead = AudioFormat.houseRate / 2
    /// The time by which a seek aims before the part's beginning.
    ///
    /// A decoder's first samples after a seek are inexact, so they must lie before the part.
    private static let seekMargin = Duration.milliseconds(250)
    /// The number of samples after the beginning of the part from which on a seek counts as failed.
    private static let seekTolerance = AudioFormat.houseRate / 20
    /// The longest wait for the decoder.
    private static let timeout = Duration.seconds(10)
    /// The longest wait for the reader of the pictures, in a session faster than real time.
    private static let readingTime = Duration.seconds(1)

    private let path: String
    private let options: MovieReader.Options
    private let timing: MovieTiming
    private let frames: SampleClock
    private let isLive: Bool
    private let onEvent: @Sendable (String) -> Void
    private let isStopping = Atomic(false)
    private let state = Monitor(State())
    /// The clock of real time, for limits on reading files; sessions may use another clock.
    private let clock = MonotonicClock()

    /// Starts the track's thread.
    ///
    /// - Parameters:
    ///   - decoder: The file's decoder, which the track takes over.
    ///   - path: The path of the file.
    ///   - options: The part to hear.
    ///   - timing: The timing of the pictures.
    ///   - context: The mixer's clocks, and the function for events.
    init(
        _ decoder: SoundDecoder, of path: String, options: MovieReader.Options, timing: MovieTiming,
        context: AudioContext
    ) {
        (self.path, self.options, self.timing) = (path, options, timing)
        (frames, isLive, onEvent) = (context.frames, context.isLive, context.onEvent)
        _ = WorkerThread(name: "pip-movie-sound") { [self] in run(decoder) }
    }

    // MARK: The mixer's thread

    func read(from frame: Int, count: Int) -> AudioBlock {
        var block = AudioBlock(.stereo, frames: count, timestamp: frames.time(ofFrame: frame))
        let known = timing.now
        guard let start = known.start else { return block }
        let zero = frames.frame(at: start)
        let first = frame - zero
        let pictures = isLive ? known : waited(for: first + count, known)
        let end = pictures.silence.map { frames.frame(at: $0) - zero } ?? .max
        state.update { state in
            if state.heardOpening != pictures.opening {
                (state.heardOpening, state.status.problem) = (pictures.opening, nil)
            }
        }
        if !isLive { waitForSound(upTo: min(first + count, end), pictures) }
        state.update { state in
            if state.status.problem == nil { state.status.state = first >= end ? .ended : .sounding }
            guard state.decodedOpening == pictures.opening else { return }
            state.samples.read(into: &block, from: first, end: end, pictures.rounds)
        }
        return block
    }

    /// Waits until it is known whether pictures continue up to sample `frame`, and returns the pictures' state.
    private func waited(for frame: Int, _ known: MovieTiming.State) -> MovieTiming.State {
        // The movie's reader stops at its look-ahead limit until the next picture is shown: a second wait is in vain.
        if state.read({ $0.missedReach }) == known.reach { return known }
        let pictures = timing.wait(until: clock.now.advanced(by: Self.readingTime)) { state in
            state.opening != known.opening || state.isComplete || state.reach.soundFrames >= frame
        }
        if pictures == nil { state.update { $0.missedReach = known.reach } }
        return pictures ?? known
    }

    private func waitForSound(upTo frame: Int, _ pictures: MovieTiming.State) {
        _ = state.wait(until: clock.now.advanced(by: Self.timeout)) { state -> Bool? in
            if isStopping.load(ordering: .relaxed) { return true }
            guard state.decodedOpening == pictures.opening else { return nil }
            return state.isExhausted || state.samples.isReady(upTo: frame, pictures.rounds) ? true : nil
        }
    }

    var status: AudioStatus { state.read { $0.status } }

    func stop() {
        isStopping.store(true, ordering: .relaxed)
        state.update { _ in }
        timing.wake()
    }

    // MARK: The track's thread

    private func run(_ first: SoundDecoder) {
        var decoder = first
        var done = 0
        while let (opening, position) = nextOpening(after: done) {
            done = opening
            state.update { state in
                (state.decodedOpening, state.samples, state.isExhausted) = (opening, MovieSamples(), false)
            }
            do throws(MediaError) {
                while try decodeRound(from: position, &decoder) { state.update { $0.samples.beginRound() } }
            } catch {
                state.update { ($0.status.state, $0.status.problem) = (.missing, error.reason) }
                onEvent("its sound cannot be decoded: \(error.reason); there is silence")
            }
            state.update { $0.isExhausted = true }
        }
        decoder.stop()
    }

    /// Waits until the movie is opened, for the first time or again, and its first picture is known.
    ///
    /// - Returns: The opening, and the time in the file of the first picture. Nil when the track must stop.
    private func nextOpening(after done: Int) -> (opening: Int, position: Duration)? {
        let found = timing.wait { pictures in
            isStopping.load(ordering: .relaxed) || (pictures.opening != done && !pictures.rounds.isEmpty)
        }
        guard let found, !isStopping.load(ordering: .relaxed), let first = found.rounds.first else { return nil }
        return (found.opening, first.position)
    }

    /// Decodes one pass through the part to hear.
    ///
    /// - Parameters:
    ///   - position: The time in the file of the part's first picture.
    ///   - decoder: The decoder, which this call may replace, and leaves at the end of the pass.
    /// - Returns: True when another pass follows.
    /// - Throws: ``MediaError`` when decoding fails.
    private func decodeRound(from position: Duration, _ decoder: inout SoundDecoder) throws(MediaError) -> Bool {
        try seek(to: max(.zero, position - Self.seekMargin), &decoder)
        var expected: Int?
        var hasSought = position > .zero
        var last = clock.now
        while hasRoom() {
            switch decoder.next(within: .milliseconds(50)) {
            case .block(let block, let time):
                last = clock.now
                let place = time.map { ($0 - position).soundFrames } ?? expected ?? 0
                let offset = expected.map { abs($0 - place) < SoundDecoder.longestRounding ? $0 : place } ?? place
                if expected == nil, hasSought, offset > Self.seekTolerance {
                    // The seek has ended after the part's beginning: decode from the file's beginning instead.
                    hasSought = false
                    decoder.stop()
                    decoder = try SoundDecoder(path)
                    continue
                }
                expected = offset + block.frames
                state.update { $0.samples.add(block.samples, at: offset) }
            case .nothing:
                guard last.duration(to: clock.now) < Self.timeout else {
                    throw MediaError(
                        kind: .failed, reason: "nothing was decoded for \(Self.timeout.components.seconds) s")
                }
            case .ended: return goesOn && (expected ?? 0) > 0
            case .failed(let error): throw error
            }
        }
        return goesOn && (expected ?? 0) > 0
    }

    /// True while the movie loops, and the mixer reads the opening that the thread decodes.
    private var goesOn: Bool { options.loops && isHeard }

    /// True while the mixer has not moved on to a later opening, and the track need not stop.
    private var isHeard: Bool {
        !isStopping.load(ordering: .relaxed) && state.read { $0.heardOpening <= $0.decodedOpening }
    }

    private func seek(to time: Duration, _ decoder: inout SoundDecoder) throws(MediaError) {
        guard !decoder.seek(to: time) else { return }
        decoder.stop()
        decoder = try SoundDecoder(path)
    }

    /// Waits until less than half a second of decoded sound is kept.
    ///
    /// - Returns: False when the round has ended, when the mixer reads a later opening, or when the track must stop.
    private func hasRoom() -> Bool {
        state.wait { state -> Bool? in
            if isStopping.load(ordering: .relaxed) || state.heardOpening > state.decodedOpening { return false }
            let pictures = timing.now
            if let end = end(of: state.samples.decoded.round, pictures), state.samples.decoded.offset >= end {
                return false
            }
            return state.samples.count < Self.ahead ? true : nil
        } ?? false
    }

    /// The number of samples to decode in a round, at least the round's length; nil while unknown.
    private func end(of round: Int, _ pictures: MovieTiming.State) -> Int? {
        if let length = pictures.length { return length.soundFrames }
        if pictures.isComplete, let last = pictures.rounds.last, last.number == round {
            return (pictures.reach - last.start).soundFrames
        }
        // The last picture of a part may end after the part: decode one second more.
        return options.to.map { ($0 - options.from + .seconds(1)).soundFrames }
    }
}
#endif
