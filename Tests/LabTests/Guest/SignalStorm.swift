import Foundation
import PipConcurrency
import PipFrames

// Swift's Glibc does not export this call: a signal for one thread of a process.
@_silgen_name("tgkill")
private func tgkill(_ process: pid_t, _ thread: pid_t, _ signal: CInt) -> CInt

/// Interrupts every system call of the process, a thousand times a second, until it is released.
final class SignalStorm: Sendable {
    private let isOver = Monitor(false)
    private let sent = Monitor(0)
    private let thread: WorkerThread

    init() {
        var action = sigaction()
        // The handler lacks SA_RESTART, so that calls return.
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

    /// Ends the storm, and returns the number of signals.
    func stop() -> Int {
        isOver.update { $0 = true }
        _ = thread.join()
        return sent.read { $0 }
    }

    /// The number of the calling thread, by the kernel's link to it.
    private static var ownThread: pid_t {
        let link = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
        return link.split(separator: "/").last.flatMap { pid_t($0) } ?? -1
    }
}
