internal import PipConcurrency
package import PipFrames
internal import Synchronization

/// Measures how hard the machine is pressed, on a thread of its own, until it is stopped.
///
/// Once a second, five times a second from serious on.
package final class PressureMonitor: Sendable {
    private let root: String
    private let load: @Sendable () -> LoadSample
    private let onState: @Sendable (PressureState, [SensorProblem], Timestamp) -> Void
    private let interruption = Interruption()
    private let thread = Mutex<WorkerThread?>(nil)

    /// - Parameters:
    ///   - root: The folder that stands for `/`.
    ///   - load: Asked before every sample, on the monitor's thread: how deadlines were kept since the last time.
    ///   - onState: Called after every sample, on the monitor's thread.
    package init(
        root: String = "/", load: @escaping @Sendable () -> LoadSample,
        onState: @escaping @Sendable (PressureState, [SensorProblem], Timestamp) -> Void
    ) {
        self.root = root
        self.load = load
        self.onState = onState
    }

    /// Starts measuring, unless it was started or stopped before.
    package func start() {
        thread.withLock { thread in
            guard thread == nil, !interruption.isRaised else { return }
            thread = WorkerThread(name: "pip-pressure") { [root, load, onState, interruption] in
                var loop = MonitorLoop(root: root, interruption: interruption)
                loop.run(load: load, onState: onState)
            }
        }
    }

    /// Ends measuring for good, and blocks until the thread has ended; `onState` is not called any more then.
    ///
    /// Takes some milliseconds. A sensor whose driver hangs is waited for one second, and its thread left to itself.
    package func stop() {
        interruption.raise()
        let thread = thread.withLock { $0 }
        thread?.join(until: MonotonicClock().now.advanced(by: .seconds(1)))
    }

    deinit { interruption.raise() }
}

/// What the monitor's thread does.
struct MonitorLoop {
    static let interval = Duration.seconds(1)
    static let shortInterval = Duration.milliseconds(200)

    private var sampler: PressureSampler
    private let interruption: Interruption
    private let clock = MonotonicClock()

    init(root: String, interruption: Interruption) {
        sampler = PressureSampler(root: root)
        self.interruption = interruption
    }

    mutating func run(
        load: () -> LoadSample, onState: (PressureState, [SensorProblem], Timestamp) -> Void
    ) {
        while !interruption.isRaised {
            let now = clock.now
            let (state, problems) = sampler.sample(load: load(), now: now)
            guard !interruption.isRaised else { return }
            onState(state, problems, now)
            let next = now.advanced(by: state.level >= .serious ? Self.shortInterval : Self.interval)
            _ = interruption.wait(for: -1, events: 0, until: next)
        }
    }
}
