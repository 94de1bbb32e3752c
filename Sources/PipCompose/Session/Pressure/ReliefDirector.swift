/// Decides what a session gives up under pressure, and makes cameras follow.
///
/// Belongs to the session's controller.
final class ReliefDirector {
    /// A state of the machine, and when it was measured.
    struct Sample: Sendable {
        var state: PressureState
        var time: Timestamp
    }

    /// What a sample has led to.
    struct Step {
        var state: PressureState
        var decision: PressureDecision?
        /// True when there is something to be done.
        var isDue: Bool
    }

    /// What is given up for now.
    private(set) var current = PressureRelief()
    /// A level that holds whatever the sensors say; nil goes by the sensors.
    var pinned: PressureLevel?
    private let options: PressureOptions
    private let clock: MonotonicClock
    private let journal: SessionJournal
    private var governor: PressureGovernor
    private var monitor: PressureMonitor?
    private var stream: AsyncStream<Sample>.Continuation?
    private var isOver = false
    /// Cameras that did not follow a relief, and until when they are left alone.
    private var pauses: [NodeID: Timestamp] = [:]
    /// Cameras that were set to a smaller mode for relief, and what they had been configured to be.
    private var sizeLimits: [NodeID: PixelSize] = [:]
    private var configuredWishes: [NodeID: CameraWish] = [:]

    init(_ options: PressureOptions, clock: MonotonicClock, _ journal: SessionJournal) {
        self.clock = clock
        self.options = options
        self.journal = journal
        governor = PressureGovernor(options.policy)
        pinned = options.pinned
    }

    // MARK: Measuring and deciding

    /// The states of the machine, measured until ``end()``; the newest only.
    func samples(
        load: @escaping @Sendable () -> LoadSample, onProblem: @escaping @Sendable (SensorProblem) -> Void
    ) -> AsyncStream<Sample> {
        let (samples, continuation) = AsyncStream.makeStream(of: Sample.self, bufferingPolicy: .bufferingNewest(1))
        // A short session may be over before this began.
        guard !isOver else {
            continuation.finish()
            return samples
        }
        let monitor = PressureMonitor(root: options.root, clock: clock, load: load) { state, problems, now in
            for problem in problems { onProblem(problem) }
            continuation.yield(Sample(state: state, time: now))
        }
        monitor.use(governor.policy.thresholds)
        monitor.start()
        (self.monitor, stream) = (monitor, continuation)
        return samples
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

    /// Goes by another policy from now on.
    func use(_ policy: PressurePolicy) {
        governor = PressureGovernor(policy)
        monitor?.use(policy.thresholds)
    }

    /// Looks at a state of the machine.
    ///
    /// - Parameters:
    ///   - sample: The state.
    ///   - encodes: Whether an output is encoded: else there are no bits and no work of encoders to give up.
    /// - Returns: What is to be done.
    func step(_ sample: Sample, encodes: Bool) -> Step {
        let state = pinned.map { PressureState.pinned($0) } ?? sample.state
        let decision = governor.step(state, now: sample.time) { !encodes && $0.isOfEncoding }
        // Another policy may ask for something else without a change of the machine, and a camera may not have followed
        // yet.
        let isLate = pauses.values.contains { sample.time >= $0 }
        return Step(state: state, decision: decision, isDue: decision != nil || current != governor.relief || isLate)
    }

    /// Gives up what the governor has decided.
    ///
    /// - Returns: True when another plan is to be drawn for it.
    func follow() -> Bool {
        defer { current = governor.relief }
        return current.effects != governor.relief.effects
    }

    /// The most output frames a second; nil has no limit.
    var outputLimit: FrameRate? { current.isPaused ? FrameRate(1) : current.mainRate }

    // MARK: Cameras

    /// Makes a camera follow the relief; one that follows already is left alone.
    ///
    /// - Parameters:
    ///   - camera: The camera.
    ///   - id: Its node.
    ///   - isMain: Whether it is the main source.
    ///   - isWanted: Whether it is to be switched on without any relief.
    func apply(to camera: CameraSlot, _ id: NodeID, isMain: Bool, isWanted: Bool) async {
        camera.pace = (isMain ? current.mainRate : current.insetRate ?? current.mainRate)?.interval
        await setEnabled(isWanted && !isSwitchedOff(isMain: isMain), camera, id)
        await limitSize(sizeLimit(isMain: isMain), camera, id)
    }

    /// What a camera may be for now.
    func limit(isMain: Bool) -> CameraLimit {
        CameraLimit(size: sizeLimit(isMain: isMain), isSwitchedOff: isSwitchedOff(isMain: isMain))
    }

    /// Notes what a camera was configured to, and the limit that it was set within, which may have changed since.
    func note(_ wish: CameraWish, of id: NodeID, within limit: PixelSize?) {
        let isLimited = wish.limited(to: limit).size != wish.size
        sizeLimits[id] = isLimited ? limit : nil
        configuredWishes[id] = isLimited ? wish : nil
    }

    /// What a camera was configured to; nil when it is what it was set to last.
    func configuredWish(of id: NodeID) -> CameraWish? { configuredWishes[id] }

    private func sizeLimit(isMain: Bool) -> PixelSize? { isMain ? current.mainSize : current.insetSize }

    private func isSwitchedOff(isMain: Bool) -> Bool { current.isPaused || (current.insetIsOff && !isMain) }

    /// Switches a camera off or on, unless it is so already.
    ///
    /// One that does not follow is asked again after a while, and reported once.
    private func setEnabled(_ isEnabled: Bool, _ camera: CameraSlot, _ id: NodeID) async {
        guard isEnabled != camera.setup.isEnabled else {
            pauses[id] = nil
            return
        }
        let now = clock.now
        if let pause = pauses[id], now < pause { return }
        do throws(CaptureError) {
            if isEnabled { try await camera.enable() } else { try await camera.disable() }
            pauses[id] = nil
        } catch {
            if pauses[id] == nil { journal.yield(.changeRejected(.camera(error))) }
            pauses[id] = now.advanced(by: options.cameraRetryInterval)
        }
    }

    /// Sets a camera to a mode no larger than a size, or back to what was configured.
    ///
    /// A camera that does not take the change goes on as it is, and is not asked again for the same.
    private func limitSize(_ limit: PixelSize?, _ camera: CameraSlot, _ id: NodeID) async {
        guard limit != sizeLimits[id], camera.state == .streaming else { return }
        let configured = configuredWishes[id] ?? camera.wish
        if let limit, sizeLimits[id] == nil, let format = camera.format, format.mode.size.area <= limit.area { return }
        sizeLimits[id] = limit
        configuredWishes[id] = limit == nil ? nil : configured
        do throws(CaptureError) {
            try await camera.change(to: configured.limited(to: limit))
        } catch {
            journal.yield(.changeRejected(.camera(error)))
        }
    }
}

/// The most that a camera may be while a relief holds.
struct CameraLimit {
    /// Nil has no limit.
    var size: PixelSize?
    var isSwitchedOff = false

    /// What is asked of a camera, within the limit.
    func applied(to setup: CameraSetup) -> CameraSetup {
        var setup = setup
        setup.wish = applied(to: setup.wish)
        setup.isEnabled = setup.isEnabled && !isSwitchedOff
        return setup
    }

    func applied(to wish: CameraWish) -> CameraWish { wish.limited(to: size) }
}

extension CameraWish {
    /// The same wish for no more than a size; nil has no limit.
    fileprivate func limited(to limit: PixelSize?) -> CameraWish {
        guard let limit, expectedSize.map({ $0.area > limit.area }) ?? true else { return self }
        var wish = self
        wish.size = limit
        return wish
    }
}
