#if Media
internal import PipConcurrency

/// Runs a blocking function on a new thread, and returns its result.
func onThread<Value: Sendable>(_ name: String, _ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        _ = WorkerThread(name: name) { continuation.resume(returning: body()) }
    }
}
#endif
