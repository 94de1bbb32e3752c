package import PipConcurrency
package import PipFrames
internal import Synchronization

/// Samples the machine's pressure on a thread of its own until it is stopped.
///
/// The interval is one second, half a second while a higher level waits for confirmation, and 200 ms at the level
/// serious and above. A kernel event, such as a crossed trip point or a stall, causes a sample at once, but at least
/// 100 ms after the last sample.
package final class PressureMonitor: Sendable {
    /// The number of wake-ups of the monitor's thread, by reason.
    package struct Wakes: Sendable, Hashable {
        /// Wake-ups because the interval had passed.
        package var timer = 0
        /// Wake-ups because of a thermal event of the kernel.
        package var thermal = 0
        /// Wake-ups because tasks had waited too long for a resource.
        package var stall = 0
    }

    private let root: String
    private let sources: @Sendable () -> [any WakeSource]
    private let load: @Sendable () -> LoadSample
    private let onState: @Sendable (PressureState, [SensorProblem], Timestamp) -> Void
    private let interruption = Interruption()
    private let clock: MonotonicClock
    private let thread = Mutex<WorkerThread?>(nil)
    private let counts = Mutex(Wakes())
    private let thresholds = Mutex<[String: LevelThresholds]>([:])

    /// The number of wake-ups since ``start()``, by reason.
    package var wakes: Wakes { counts.withLock { $0 } }

    /// Creates a monitor, which takes samples after ``start()``.
    ///
    /// - Parameters:
    ///   - root: The folder in place of `/`. Below another folder than `/`, there are no kernel events, only samples at
    ///     intervals.
    ///   - clock: The clock of the intervals and of the samples' times.
    ///   - load: Returns the due frames and missed deadlines since its last call. Called before every sample, on the
    ///     monitor's thread.
    ///   - onState: Receives the state, the sensors' new problems and the time of every sample, on the monitor's
    ///     thread. Not called once the monitor is being stopped.
    package convenience init(
        root: String = "/", clock: MonotonicClock = MonotonicClock(), load: @escaping @Sendable () -> LoadSample,
        onState: @escaping @Sendable (PressureState, [SensorProblem], Timestamp) -> Void
    ) {
        self.init(
            root: root, clock: clock, sources: { root == "/" ? Self.kernelSources() : [] }, load: load, onState: onState
        )
    }

    init(
        root: String, clock: MonotonicClock = MonotonicClock(), sources: @escaping @Sendable () -> [any WakeSource],
        load: @escaping @Sendable () -> LoadSample,
        onState: @escaping @Sendable (PressureState, [SensorProblem], Timestamp) -> Void
    ) {
        self.root = root
        self.clock = clock
        self.sources = sources
        self.load = load
        self.onState = onState
    }

    /// Sets thresholds for thermometers from the next sample on, keyed by the thermometers' names.
    package func use(_ thresholds: [String: LevelThresholds]) { self.thresholds.withLock { $0 = thresholds } }

    /// Starts the monitor's thread.
    ///
    /// Does nothing after an earlier start or stop.
    package func start() {
        thread.withLock { thread in
            guard thread == nil, !interruption.isRaised else { return }
            thread = WorkerThread(name: "pip-pressure", clock: clock) {
                [root, sources, clock, load, onState, interruption, weak self] in
                var loop = MonitorLoop(
                    sampler: PressureSampler(root: root), wakeSources: sources(), interruption: interruption,
                    clock: clock)
                loop.run(
                    load: load, thresholds: { self?.thresholds.withLock { $0 } ?? [:] }, onState: onState,
                    onWake: { self?.count($0) })
            }
        }
    }

    /// Stops the monitor for good, and blocks until its thread has ended, for one second at most.
    ///
    /// Usually takes some milliseconds. When a sensor's driver hangs, the thread is left running. Must not be called
    /// from `onState`.
    package func stop() {
        interruption.raise()
        let thread = thread.withLock { $0 }
        thread?.join(until: clock.now.advanced(by: .seconds(1)))
    }

    deinit { interruption.raise() }

    private func count(_ wake: EarlyWake?) {
        counts.withLock { counts in
            switch wake {
            case nil: counts.timer += 1
            case .thermal, .changedSensors: counts.thermal += 1
            case .stall: counts.stall += 1
            }
        }
    }

    /// Opens the kernel's event sources.
    ///
    /// Without event sources, the monitor wakes at its intervals only.
    private static func kernelSources() -> [any WakeSource] {
        var stalls = Stalls()
        stalls.scan(RootedFiles())
        let triggers = stalls.found.compactMap { StallTrigger($0, root: "/") }
        return [ThermalEvents()].compactMap { $0 } + triggers
    }
}
