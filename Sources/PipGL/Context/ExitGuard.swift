internal import Glibc
internal import PipConcurrency
internal import PipFrames

/// Keeps GL out of the last moments of the process.
///
/// Drivers free their memory in exit handlers, even if another thread uses it: Mesa ends in a "double free". So a
/// context's thread is stopped in an exit handler that runs before theirs. Exit handlers run in reverse order, and this
/// one is set after the context has been made.
enum ExitGuard {
    /// Refers to a thread without keeping it alive.
    private final class Watch {
        weak let executor: ThreadExecutor?
        init(_ executor: ThreadExecutor) { self.executor = executor }
    }

    /// Stops a thread when the process ends, and waits for the thread for two seconds at most.
    ///
    /// A handler cannot be removed, so a few bytes stay for each context.
    static func watch(_ executor: ThreadExecutor) {
        unsafe on_exit(
            { _, context in
                guard let context = unsafe context else { return }
                let watch = unsafe Unmanaged<Watch>.fromOpaque(context).takeRetainedValue()
                guard let executor = watch.executor, executor.isIsolatingCurrentContext() != true else { return }
                executor.stop()
                executor.join(until: executor.clock.now.advanced(by: .seconds(2)))
            }, Unmanaged.passRetained(Watch(executor)).toOpaque())
    }
}
