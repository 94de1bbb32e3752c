import PipConcurrency
import PipFrames
import Synchronization
import Testing

@Suite("A thread executor")
struct ThreadExecutorTests {
    /// An actor on the thread of its own executor.
    private actor Worker {
        nonisolated let executor: ThreadExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
        private var count = 0
        private let whenGone: @Sendable () -> Void

        init(_ executor: ThreadExecutor, whenGone: @escaping @Sendable () -> Void = {}) {
            self.executor = executor
            self.whenGone = whenGone
        }

        isolated deinit { whenGone() }

        func add() -> Int {
            count += 1
            return count
        }

        nonisolated func addOnThread() -> Int { assumeIsolated { $0.add() } }
    }

    @Test("lets its recurring function into the actor without a task")
    func recurringIsIsolated() async {
        let executor = ThreadExecutor(name: "test")
        let worker = Worker(executor)
        #expect(await worker.add() == 1)
        let count = await withCheckedContinuation { continuation in
            executor.callRepeatedly(from: Timestamp(nanoseconds: 0)) {
                continuation.resume(returning: worker.addOnThread())
                return nil
            }
        }
        #expect(count == 2)
        executor.stop()
        await executor.stopped()
    }

    @Test("an executor is not mistaken for the caller's thread")
    func otherThread() {
        let executor = ThreadExecutor(name: "test")
        #expect(executor.isIsolatingCurrentContext() == false)
        executor.stop()
    }

    @Test("an executor can release an actor's last reference with its recurring function", arguments: [true, false])
    func lastReference(replaced: Bool) async {
        let executor = ThreadExecutor(name: "test")
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            /// Returns a recurring function that holds the only reference to its worker.
            func onlyHolder() -> @Sendable () -> Timestamp? {
                let worker = Worker(executor) { continuation.resume() }
                return {
                    _ = worker.addOnThread()
                    return nil
                }
            }
            executor.callRepeatedly(from: replaced ? .distantFuture : Timestamp(nanoseconds: 0), onlyHolder())
            if replaced { executor.callRepeatedly(from: .distantFuture) { nil } }
        }
        executor.stop()
        await executor.stopped()
    }

    @Test(
        "a call requested while the recurring function runs follows at once, unless the function has ended",
        arguments: [(true, 1), (false, 2)])
    func requestedMeanwhile(endsAtOnce: Bool, expected: Int) async throws {
        let count = try await VirtualTime.run { clock, _ in
            let executor = ThreadExecutor(name: "test", clock: clock)
            let calls = Mutex(0)
            executor.callRepeatedly(from: clock.now) {
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                guard call == 1 else { return nil }
                executor.callNow()
                return endsAtOnce ? nil : clock.now.advanced(by: .seconds(5))
            }
            try await clock.sleep(for: .seconds(1))
            executor.stop()
            await executor.stopped()
            return calls.withLock { $0 }
        }
        #expect(count == expected)
    }

    @Test("does its last job although it is stopped twice")
    func stoppedTwice() async {
        let executor = ThreadExecutor(name: "test")
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            executor.callRepeatedly(from: Timestamp(nanoseconds: 0)) {
                executor.stop { continuation.resume() }
                executor.stop()
                return nil
            }
        }
        await executor.stopped()
    }
}
