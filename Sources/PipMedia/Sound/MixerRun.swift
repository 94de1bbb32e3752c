#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import PipSound

/// One run of a mixer, from its first output to its last, on a thread that mixes the sources' sound.
///
/// The thread of a live session mixes sound a little after its time, so that all sources' sound has arrived. The thread
/// of a session that runs faster than real time mixes sound up to the end of the latest frame.
final class MixerRun: Sendable {
    private struct State {
        var taps: [SoundTap] = []
        /// The time of the first frame; nil before that frame, and in a live session.
        var origin: Timestamp?
        /// The end of the latest frame; unused in a live session.
        var horizon = Timestamp.zero
        /// The readers that were opened, but not yet handed to the mixer's thread.
        var opened: [(input: AudioInput, reader: any AudioReader)] = []
        /// The inputs whose sources could not be opened during the run.
        var unopened: [AudioInput] = []
        /// The time up to which sound has been mixed.
        var mixed: Timestamp
        /// True once the run had an output, or when no output will follow.
        var hasBegun = false
        var hasEnded = false
    }

    /// The time to wait for live sound to arrive, before it is mixed.
    static let delay = Duration.milliseconds(80)
    /// The number of samples of each channel in a mixed block.
    private static let blockFrames = 960

    let isLive: Bool
    /// The clock that numbers the samples of the mix.
    let frames: SampleClock
    private let clock: MonotonicClock
    private let mixer: Weak<AudioMixer>
    private let onEvent: @Sendable (String) -> Void
    private let state: Monitor<State>

    init(
        _ mixer: AudioMixer, isLive: Bool, _ context: SinkContext, onEvent: @escaping @Sendable (String) -> Void
    ) {
        self.mixer = Weak(mixer)
        self.isLive = isLive
        self.onEvent = onEvent
        clock = context.clock
        frames = SampleClock(start: clock.now)
        state = Monitor(State(mixed: frames.start), clock: clock)
    }

    func start() {
        _ = WorkerThread(name: "pip-mixer", clock: clock) { [self] in run() }
    }

    /// True when the last output has ended, or no output followed; the run cannot start again.
    var hasEnded: Bool { state.read { $0.hasEnded } }

    // MARK: Sources

    /// Opens a source that was added during the run.
    ///
    /// If the source cannot be opened, it is silent, and the run reports an event.
    func open(_ input: AudioInput) {
        do throws(MediaError) { try openOrThrow(input) } catch {
            input.state.update { state in
                state.lastStatus = AudioStatus(.missing)
                state.lastStatus.problem = error.reason
            }
            state.update { $0.unopened.append(input) }
            onEvent(error.reason)
        }
    }

    /// Opens a source for the run.
    ///
    /// - Throws: ``MediaError`` when the source cannot be opened, or when a live source is used in a session that is
    ///   not live.
    func openOrThrow(_ input: AudioInput) throws(MediaError) {
        let opening = input.takePrepared() ?? input.source.opening
        guard isLive || !opening.isLive else {
            throw MediaError(
                kind: .unsupported,
                reason: "\(input.name) is live sound, and this session is not live: use sound files or tones here, and "
                    + "microphones in a live session")
        }
        do throws(SoundError) {
            let reader = try opening.open(
                AudioContext(frames: frames, isLive: isLive, clock: clock) { [onEvent, name = input.name] in
                    onEvent("\(name): \($0)")
                }
            )
            input.use(reader)
            state.update { $0.opened.append((input, reader)) }
        } catch { throw MediaError(kind: .failed, reason: error.description) }
    }

    // MARK: Outputs

    /// Adds an output.
    ///
    /// - Returns: False when the run has already ended.
    func add(_ tap: SoundTap) -> Bool {
        state.update { state in
            guard !state.hasEnded else { return false }
            state.taps.append(tap)
            state.hasBegun = true
            return true
        }
    }

    /// Ends a run that got no output, so that its thread closes the opened sources.
    func endIfUnused() { state.update { $0.hasBegun = true } }

    /// The encoder of a running output with the same channel and encoding; nil when there is none.
    func encoder(_ key: SoundTap.Key) -> SoundEncoder? {
        state.read { state in
            for tap in state.taps where tap.key == key && !tap.hasEnded {
                if let encoder = tap.consumer as? SoundEncoder { return encoder }
            }
            return nil
        }
    }

    /// Lets the thread mix sound up to the end of a frame shown from `start` to `end`.
    ///
    /// Does nothing in a live session, whose thread follows the clock.
    func reach(from start: Timestamp, to end: Timestamp) {
        guard !isLive else { return }
        state.update { state in
            state.origin = state.origin ?? start
            state.horizon = max(state.horizon, end)
        }
    }

    /// Wakes the mixer's thread, which then checks whether outputs have ended.
    func wake() { state.update { _ in } }

    // MARK: The thread

    /// The outputs and sources for the next block.
    private struct Step {
        /// The outputs that need the block; empty at the end of the run.
        var taps: [SoundTap]
        var opened: [(input: AudioInput, reader: any AudioReader)]
    }

    private func run() {
        var desk = MixingDesk(frames)
        var frame = begin()
        while true {
            let step = wait(frame)
            desk.add(step.opened)
            guard !step.taps.isEmpty else { break }
            mixer.object?.followPicture()
            let master = mixer.object?.master ?? (gain: .zero, isMuted: false)
            let channels = desk.mix(from: frame, count: Self.blockFrames, for: step.taps, master)
            // Serve each encoder once, for all outputs that share it.
            var served: Set<ObjectIdentifier> = []
            for tap in step.taps {
                guard let block = channels[tap.key.channel], served.insert(ObjectIdentifier(tap.consumer)).inserted
                else { continue }
                tap.consumer.take(block)
            }
            mixer.object?.setLevels(desk.levels)
            frame += Self.blockFrames
            let mixed = frames.time(ofFrame: frame).advanced(by: .zero - desk.latency)
            state.update { $0.mixed = mixed }
        }
        desk.close()
        for input in state.read({ $0.unopened }) { input.use(nil) }
    }

    /// Waits for the first output, and in a session that is not live also for the first frame.
    ///
    /// - Returns: The number of the first sample to mix.
    private func begin() -> Int {
        state.wait { state -> Int? in
            if self.isLive { return state.hasBegun ? 0 : nil }
            if let origin = state.origin { return self.frames.frame(at: origin) }
            let hasOutputs = state.taps.contains { !$0.isPast(.distantFuture) }
            return state.hasBegun && !hasOutputs ? 0 : nil
        } ?? 0
    }

    /// Waits until the block from sample `frame` on can be mixed, or until the last output has ended.
    private func wait(_ frame: Int) -> Step {
        let end = frames.time(ofFrame: frame + Self.blockFrames)
        var isDue = false
        while true {
            let step = state.wait(until: isLive ? end.advanced(by: Self.delay) : nil) { state -> Step? in
                Self.endOutputs(&state)
                if state.taps.isEmpty {
                    state.hasEnded = true
                    defer { state.opened = [] }
                    return Step(taps: [], opened: state.opened)
                }
                guard isLive ? isDue : state.horizon >= end else { return nil }
                defer { state.opened = [] }
                return Step(taps: state.taps, opened: state.opened)
            }
            if let step { return step }
            isDue = true
        }
    }

    /// Ends the outputs whose sound is complete, and the consumers that no other output uses.
    private static func endOutputs(_ state: inout State) {
        let past = state.taps.filter { $0.isPast(state.mixed) }
        guard !past.isEmpty else { return }
        for tap in past { tap.hasEnded = true }
        state.taps.removeAll(where: \.hasEnded)
        for tap in past where !state.taps.contains(where: { $0.consumer === tap.consumer }) { tap.consumer.finish() }
    }
}
#endif
