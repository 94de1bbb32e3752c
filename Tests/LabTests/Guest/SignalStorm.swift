import Foundation
import PipConcurrency
import PipFrames

// Sends a signal to one thread of a process. Swift's Glibc does not export this call.
@_silgen_name("tgkill")
private func tgkill(_ process: pid_t, _ thread: pid_t, _ signal: CInt) -> CInt

/// Interrupts the system calls of all threads of this process but the storm's own, about a thousand times a second,
/// until ``stop()``.
final class SignalStorm: Sendable {
    private let isOver = Monitor(false)
    private let sent = Monitor(0)
    private let thread: WorkerThread

    init() {
        var action = sigaction()
        // Without SA_RESTART, interrupted calls return with EINTR.
        unsafe action.__sigaction_handler.sa_handler = { _ in }
        _ = unsafe sigaction(SIGUSR2, &action, nil)
        let (isOver, sent) = (isOver, sent)
        thread = WorkerThread(name: "storm") {
            let own = "\(Self.ownThread)"
            var threads: [pid_t] = []
            var round = 0
            while isOver.wait(until: MonotonicClock().now.advanced(by: .milliseconds(1)), { $0 ? true : nil }) == nil {
                if round % 50 == 0 {
                    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
                    threads = names.filter { $0 != own }.compactMap { pid_t($0) }
                }
                round += 1
                for thread in threads where tgkill(getpid(), thread, SIGUSR2) == 0 { sent.update { $0 += 1 } }
            }
        }
    }

    /// Stops the signals, and returns the number that were sent.
    func stop() -> Int {
        isOver.update { $0 = true }
        _ = thread.join()
        return sent.read { $0 }
    }

    /// The kernel's identifier of the calling thread.
    private static var ownThread: pid_t {
        let link = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
        return link.split(separator: "/").last.flatMap { pid_t($0) } ?? -1
    }
}
