import Foundation
import PipConcurrency
import PipFrames
import Synchronization
import Testing

@Suite("Virtual time", .timeLimit(.minutes(1)))
struct VirtualTimeTests {
    /// An hour of virtual time, which is longer than the limit of real time.
    private static let long = Duration.seconds(3600)

    /// The name of the calling thread.
    private static var threadName: String {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .newlines) ?? ""
    }

    @Test("runs its function, what that calls and child tasks on the pool")
    func places() async throws {
        let names = try await VirtualTime.run { clock, _ in
            var names = [Self.threadName]
            try await clock.sleep(for: .seconds(1))
            names.append(Self.threadName)
            async let child = Self.threadName
            await names.append(child)
            return names
        }
        #expect(names == ["virtual-pool", "virtual-pool", "virtual-pool"])
    }

    @Test("passes at once when all participants wait")
    func passes() async throws {
        let start = MonotonicClock().now
        let passed = try await VirtualTime.run { clock, _ in
            let start = clock.now
            try await clock.sleep(for: Self.long)
            return start.duration(to: clock.now)
        }
        #expect(passed == Self.long)
        #expect(start.duration(to: MonotonicClock().now) < .seconds(30))
    }

    @Test("stands still while a participant works")
    func standsStill() async throws {
        let isSame = await VirtualTime.run { clock, _ in
            let start = clock.now
            var sum = 0.0
            for value in 0..<200_000 { sum += Double(value).squareRoot() }
            return sum > 0 && clock.now == start
        }
        #expect(isSame)
    }

    @Test("wakes tasks in the order of their deadlines")
    func order() async throws {
        let order = try await VirtualTime.run { clock, _ in
            let start = clock.now
            return try await withThrowingTaskGroup(of: Int.self) { group in
                for seconds in [50, 10, 40, 20, 30] {
                    group.addTask {
                        try await clock.sleep(for: .seconds(seconds))
                        return Int(start.duration(to: clock.now).inSeconds.rounded())
                    }
                }
                var order: [Int] = []
                for try await seconds in group { order.append(seconds) }
                return order
            }
        }
        #expect(order == [10, 20, 30, 40, 50])
    }

    @Test("ends a task's sleep when the task is cancelled")
    func cancelling() async {
        let passed = await VirtualTime.run { clock, _ in
            let start = clock.now
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: CancellationError.self) { try await clock.sleep(for: .seconds(1000)) }
                }
                group.addTask { try? await clock.sleep(for: .seconds(1)) }
                await group.next()
                group.cancelAll()
            }
            return start.duration(to: clock.now)
        }
        #expect(passed == .seconds(1))
    }

    @Test("never runs ahead of work that one thread hands to another", arguments: 1...8)
    func handingOver(stages: Int) async throws {
        let lateness = try await VirtualTime.run { clock, _ in
            let queues = (0...stages).map { _ in BoundedQueue<Timestamp>(capacity: 4, clock: clock) }
            let workers = (0..<stages).map { index in
                WorkerThread(name: "stage", clock: clock) {
                    while let item = queues[index].pop() {
                        sched_yield()
                        _ = queues[index + 1].push(item, policy: .block)
                    }
                    queues[index + 1].close()
                }
            }
            let lateness = Mutex(Duration.zero)
            let last = WorkerThread(name: "last", clock: clock) {
                while let made = queues[stages].pop() {
                    lateness.withLock { $0 = max($0, made.duration(to: clock.now)) }
                }
            }
            for _ in 0..<300 {
                try await clock.sleep(for: .milliseconds(5))
                _ = queues[0].push(clock.now, policy: .dropNewest)
            }
            queues[0].close()
            for worker in workers + [last] { await worker.joined() }
            return lateness.withLock { $0 }
        }
        #expect(lateness == .zero)
    }

    @Test("never runs ahead of data that was written to a pipe")
    func pipes() async throws {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer {
            close(reading)
            close(writing)
        }
        let lateness = try await VirtualTime.run { clock, _ in
            let written = Mutex(clock.now)
            let lateness = Mutex(Duration.zero)
            let reader = WorkerThread(name: "reader", clock: clock) {
                let interruption = Interruption()
                while true {
                    let deadline = clock.now.advanced(by: .seconds(1000))
                    guard interruption.wait(for: reading, events: Int32(POLLIN), until: deadline, by: clock) == .ready
                    else {
                        return lateness.withLock { $0 = .seconds(1000) }
                    }
                    var byte: UInt8 = 0
                    _ = unsafe read(reading, &byte, 1)
                    lateness.withLock { $0 = max($0, written.withLock { $0 }.duration(to: clock.now)) }
                    if byte == 0 { return }
                }
            }
            for index in 0..<200 {
                try await clock.sleep(for: .milliseconds(7))
                written.withLock { $0 = clock.now }
                var byte: UInt8 = index < 199 ? 1 : 0
                _ = unsafe write(writing, &byte, 1)
            }
            await reader.joined()
            return lateness.withLock { $0 }
        }
        #expect(lateness == .zero)
    }

    @Test("ends a wait for a descriptor at its deadline, and at an interruption")
    func interruption() async throws {
        let (wakes, passed) = try await VirtualTime.run { clock, _ in
            let start = clock.now
            let wakes = Mutex<[Interruption.Wake]>([])
            let interruption = Interruption()
            let waiter = WorkerThread(name: "waiter", clock: clock) {
                let first = interruption.wait(for: -1, events: 0, until: start.advanced(by: .seconds(100)), by: clock)
                let second = interruption.wait(for: -1, events: 0, until: start.advanced(by: .seconds(5000)), by: clock)
                wakes.withLock { $0 = [first, second] }
            }
            try await clock.sleep(for: .seconds(300))
            interruption.raise()
            await waiter.joined()
            return (wakes.withLock { $0 }, start.duration(to: clock.now))
        }
        #expect(wakes == [.timedOut, .interrupted])
        #expect(passed == .seconds(300))
    }

    @Test("an executor's recurring function is called exactly at its times, beside an actor's jobs")
    func recurring() async throws {
        actor Counter {
            let executor: ThreadExecutor
            var count = 0
            init(_ executor: ThreadExecutor) { self.executor = executor }
            nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
            func add() { count += 1 }
        }
        let (offsets, count) = try await VirtualTime.run { clock, _ in
            let executor = ThreadExecutor(name: "test", clock: clock)
            let counter = Counter(executor)
            let start = clock.now
            let offsets = Mutex<[Duration]>([])
            executor.callRepeatedly(from: start.advanced(by: .seconds(1))) {
                let now = clock.now
                let count = offsets.withLock { offsets in
                    offsets.append(start.duration(to: now))
                    return offsets.count
                }
                return count < 100 ? now.advanced(by: .milliseconds(40)) : nil
            }
            for _ in 0..<50 {
                try await clock.sleep(for: .milliseconds(123))
                await counter.add()
            }
            let count = await counter.count
            executor.stop()
            await executor.stopped()
            return (offsets.withLock { $0 }, count)
        }
        #expect(offsets == (0..<100).map { .milliseconds(1000 + 40 * $0) })
        #expect(count == 50)
    }

    @Test("a monitor's wait ends exactly at its deadline, and a change ends it at once")
    func monitor() async throws {
        let (deadline, change) = try await VirtualTime.run { clock, _ in
            let value = Monitor(0, clock: clock)
            let start = clock.now
            let times = Mutex((Duration.zero, Duration.zero))
            let waiter = WorkerThread(name: "waiter", clock: clock) {
                let early = value.wait(until: start.advanced(by: .seconds(10))) { $0 > 0 ? true : nil }
                let timedOut = start.duration(to: clock.now)
                let late = value.wait(until: start.advanced(by: .seconds(9000))) { $0 > 0 ? true : nil }
                let changed = start.duration(to: clock.now)
                if early == nil, late == true { times.withLock { $0 = (timedOut, changed) } }
            }
            try await clock.sleep(for: .seconds(700))
            value.update { $0 = 1 }
            await waiter.joined()
            return times.withLock { $0 }
        }
        #expect(deadline == .seconds(10))
        #expect(change == .seconds(700))
    }

    @Test("joining a thread takes no longer than its deadline")
    func joining() async throws {
        let (hasEnded, passed) = await VirtualTime.run { clock, _ in
            let isOver = Monitor(false, clock: clock)
            let worker = WorkerThread(name: "worker", clock: clock) { _ = isOver.wait { $0 ? true : nil } }
            let start = clock.now
            let hasEnded = await worker.joined(within: .seconds(900))
            let passed = start.duration(to: clock.now)
            isOver.update { $0 = true }
            await worker.joined()
            return (hasEnded, passed)
        }
        #expect(!hasEnded)
        #expect(passed == .seconds(900))
    }

    @Test("does not jump to the end of time when a participant waits for ever, or almost")
    func forEver() async {
        let passed = await VirtualTime.run { clock, _ in
            let isOver = Monitor(false, clock: clock)
            let start = clock.now
            let never = Timestamp.distantFuture.advanced(by: .milliseconds(-100))
            let waiters = [never, .distantFuture].map { deadline in
                WorkerThread(name: "waiter", clock: clock) { _ = isOver.wait(until: deadline) { $0 ? true : nil } }
            }
            // The outsider is not a participant: while it wakes up, no participant is busy, but time must not jump.
            let outsider = WorkerThread(name: "outsider") {
                _ = isOver.wait(until: start.advanced(by: .seconds(2))) { $0 ? true : nil }
                isOver.update { $0 = true }
            }
            for waiter in waiters { await waiter.joined() }
            await outsider.joined()
            return start.duration(to: clock.now)
        }
        #expect(passed == .seconds(2))
    }

    @Test("a thread that is no participant can wait and wake")
    func outsiders() async throws {
        let time = VirtualTime()
        let clock = MonotonicClock(time)
        let start = clock.now
        let queue = BoundedQueue<Int>(capacity: 1, clock: clock)
        #expect(queue.pop(until: start.advanced(by: Self.long)) == nil)
        #expect(start.duration(to: clock.now) == Self.long)
        let worker = WorkerThread(name: "worker", clock: clock) { _ = queue.push(7, policy: .block) }
        #expect(queue.pop() == 7)
        worker.join()
    }
}
