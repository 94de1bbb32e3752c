/// Measures the machine's pressure, and decides which relief it calls for.
///
/// Belongs to the session's controller.
final class PressureWatch {
    /// A state of the machine, and when it was measured.
    struct Sample: Sendable {
        var state: PressureState
        var time: Timestamp
    }

    /// The outcome of evaluating one pressure sample.
    struct Step {
        /// The state that was evaluated: the sample's, or the pinned one.
        var state: PressureState
        /// Nil when nothing has changed.
        var decision: PressureDecision?
        /// The relief that the policy calls for.
        var relief: PressureRelief
    }

    /// Overrides the sensors when set.
    ///
    /// Nil follows them.
    var pinned: PressureLevel?
    private let root: String
    private let clock: MonotonicClock
    private var governor: PressureGovernor
    private var monitor: PressureMonitor?
    private var stream: AsyncStream<Sample>.Continuation?
    private var isOver = false

    init(_ options: PressureOptions, clock: MonotonicClock) {
        self.clock = clock
        root = options.root
        governor = PressureGovernor(options.policy)
        pinned = options.pinned
    }

    /// The machine's pressure, measured until ``end()``.
    ///
    /// Holds the newest sample only.
    func samples(
        load: @escaping @Sendable () -> LoadSample, onProblem: @escaping @Sendable (SensorProblem) -> Void
    ) -> AsyncStream<Sample> {
        let (samples, continuation) = AsyncStream.makeStream(of: Sample.self, bufferingPolicy: .bufferingNewest(1))
        // A short session may be over before this began.
        guard !isOver else {
            continuation.finish()
            return samples
        }
        let monitor = PressureMonitor(root: root, clock: clock, load: load) { state, problems, now in
            for problem in problems { onProblem(problem) }
            continuation.yield(Sample(state: state, time: now))
        }
        monitor.use(governor.policy.thresholds)
        monitor.start()
        (self.monitor, stream) = (monitor, continuation)
        return samples
    }

    /// Evaluates a sample.
    ///
    /// - Parameters:
    ///   - sample: The machine's state.
    ///   - encodes: True when an output is encoded. Otherwise there are no bits and no encoders' work to give up.
    /// - Returns: The outcome.
    func step(_ sample: Sample, encodes: Bool) -> Step {
        let state = pinned.map { PressureState.pinned($0) } ?? sample.state
        let decision = governor.step(state, now: sample.time) { !encodes && $0.isOfEncoding }
        return Step(state: state, decision: decision, relief: governor.relief)
    }

    /// Follows another policy from the next sample on.
    func use(_ policy: PressurePolicy) {
        governor = PressureGovernor(policy)
        monitor?.use(policy.thresholds)
    }

    /// Ends the samples.
    func end() {
        isOver = true
        stream?.finish()
    }

    /// Stops measuring, once the samples have ended.
    func stopMeasuring() {
        monitor?.stop()
        (monitor, stream) = (nil, nil)
    }
}

extension PressureRelief {
    /// The most output frames a second; nil has no limit.
    var outputLimit: FrameRate? { isPaused ? FrameRate(1) : mainRate }

    /// The most that a camera may be.
    func cameraLimit(isMain: Bool) -> CameraLimit {
        CameraLimit(
            rate: isMain ? mainRate : insetRate ?? mainRate, size: isMain ? mainSize : insetSize,
            isSwitchedOff: isPaused || (insetIsOff && !isMain))
    }
}
