import Glibc
import PipConcurrency
import PipFrames
import Synchronization

/// Records the times in which the host did not run the guest, so that tests can allow for them.
///
/// A thread with a real-time priority checks the clock every 4 ms, so only the host can make the thread late. Virtual
/// time has no stalls, because the clock stops with the guest.
final class HostStalls: Sendable {
    private struct State {
        var stalls: [Range<Timestamp>] = []
        var isOver = false
    }

    private let state: Monitor<State>
    private let thread: WorkerThread?
    private static let interval = Duration.milliseconds(4)
    /// The lateness of a timer that does not count as a stall.
    private static let tolerance = Duration.milliseconds(4)

    init() {
        let state = Monitor(State())
        self.state = state
        thread = CameraLab.isInVirtualTime ? nil : WorkerThread(name: "host stalls") { Self.watch(state) }
    }

    deinit {
        state.update { $0.isOver = true }
        thread?.join()
    }

    private static func watch(_ state: Monitor<State>) {
        var priority = sched_param(sched_priority: 50)
        _ = unsafe pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority)
        let clock = MonotonicClock()
        while !state.read({ $0.isOver }) {
            let due = clock.now.advanced(by: interval)
            usleep(useconds_t(interval.nanoseconds / 1000))
            let now = clock.now
            if due.duration(to: now) > tolerance { state.update { $0.stalls.append(due..<now) } }
        }
    }

    /// The total time between two moments in which the host did not run the guest.
    func total(from start: Timestamp, to end: Timestamp) -> Duration {
        state.read { state in
            state.stalls.reduce(.zero) { sum, stall in
                let overlap = max(start, stall.lowerBound).duration(to: min(end, stall.upperBound))
                return sum + max(.zero, overlap)
            }
        }
    }
}
