internal import Glibc
internal import PipConcurrency
internal import PipFrames

/// Stops render threads before the process ends, so that no GL call runs during the drivers' exit handlers.
///
/// Drivers free their memory in exit handlers, even if another thread uses that memory: Mesa then aborts with a "double
/// free". So a context's thread is stopped in an exit handler that runs before the drivers'. Exit handlers run in
/// reverse order, and this one is registered after the context has been made.
enum ExitGuard {
    /// A weak reference to a thread, for the C callback.
    private final class Watch {
        weak let executor: ThreadExecutor?
        init(_ executor: ThreadExecutor) { self.executor = executor }
    }

    /// Stops a thread when the process ends, and waits up to two seconds for the thread to end.
    ///
    /// Does nothing when the thread itself ends the process.
    ///
    /// A handler cannot be removed, so each context leaves a few bytes allocated.
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
