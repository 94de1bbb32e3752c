/// Measures the machine's pressure, and decides which relief the policy demands.
///
/// Thread: the session's controller only.
final class PressureWatch {
    /// The machine's pressure state, and the time of its measurement.
    struct Sample: Sendable {
        var state: PressureState
        var time: Timestamp
    }

    /// The outcome of evaluating one pressure sample.
    struct Step {
        /// The evaluated state: the sample's state, or the pinned level.
        var state: PressureState
        /// The governor's decision; nil when nothing has changed.
        var decision: PressureDecision?
        /// The relief that the policy demands.
        var relief: PressureRelief
    }

    /// A level that overrides the sensors; nil follows the sensors.
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

    /// Starts measuring the machine's pressure; the stream ends with ``end()``.
    ///
    /// The stream holds only the newest sample.
    func samples(
        load: @escaping @Sendable () -> LoadSample, onProblem: @escaping @Sendable (SensorProblem) -> Void
    ) -> AsyncStream<Sample> {
        let (samples, continuation) = AsyncStream.makeStream(of: Sample.self, bufferingPolicy: .bufferingNewest(1))
        // A short session may have ended before this task began.
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
    ///   - encodes: True when an output may be encoded. If false, mitigations of encoding save nothing, so the governor
    ///     does not wait for their effect.
    /// - Returns: The outcome of the evaluation.
    func step(_ sample: Sample, encodes: Bool) -> Step {
        let state = pinned.map { PressureState.pinned($0) } ?? sample.state
        let decision = governor.step(state, now: sample.time) { !encodes && $0.isOfEncoding }
        return Step(state: state, decision: decision, relief: governor.relief)
    }

    /// Switches to another policy from the next sample on.
    func use(_ policy: PressurePolicy) {
        governor = PressureGovernor(policy)
        monitor?.use(policy.thresholds)
    }

    /// Ends the stream of samples.
    func end() {
        isOver = true
        stream?.finish()
    }

    /// Stops the monitor.
    ///
    /// Call this method once the stream of samples has ended.
    func stopMeasuring() {
        monitor?.stop()
        (monitor, stream) = (nil, nil)
    }
}

extension PressureRelief {
    /// The highest output rate under the relief; nil has no limit.
    var outputLimit: FrameRate? { isPaused ? FrameRate(1) : mainRate }

    /// The limit that the relief sets to a camera.
    func cameraLimit(isMain: Bool) -> CameraLimit {
        CameraLimit(
            rate: isMain ? mainRate : insetRate ?? mainRate, size: isMain ? mainSize : insetSize,
            isSwitchedOff: isPaused || (insetIsOff && !isMain))
    }
}
