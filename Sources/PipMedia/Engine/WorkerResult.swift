#if Media
internal import PipConcurrency

/// Runs a function that blocks on a thread of its own.
func onThread<Value: Sendable>(_ name: String, _ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        _ = WorkerThread(name: name) { continuation.resume(returning: body()) }
    }
}
#endif
