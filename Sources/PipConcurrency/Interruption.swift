internal import CPlatform
internal import Glibc
package import PipFrames
internal import Synchronization

/// Cancels another thread's waits for descriptors, once and for good.
package final class Interruption: Sendable {
    /// The result of a wait.
    package enum Wake: Sendable {
        /// The descriptor is readable or writable, or its other end is gone: the next call tells.
        case ready
        case interrupted
        /// The deadline passed.
        case timedOut
    }

    private let raised = Atomic(false)
    // -1 when the process is out of descriptors; waits then look at `raised` every 50 ms.
    private let event = pip_event_descriptor()
    private let clock = MonotonicClock()

    package init() {}

    deinit {
        if event >= 0 { close(event) }
    }

    /// True once ``raise()`` was called.
    package var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Ends all waits, those in progress and those to come.
    ///
    /// May be called on any thread, and more than once.
    package func raise() {
        guard !raised.exchange(true, ordering: .acquiringAndReleasing), event >= 0 else { return }
        var count: UInt64 = 1
        // Nobody reads it, so that it stays ready for every wait.
        _ = unsafe write(event, &count, 8)
    }

    /// Blocks until a descriptor is ready.
    ///
    /// - Parameters:
    ///   - descriptor: The file descriptor; -1 waits for the deadline only.
    ///   - events: `POLLIN` or `POLLOUT`.
    ///   - deadline: The end of the wait; nil waits for ever.
    /// - Returns: The result.
    package func wait(for descriptor: Int32, events: Int32, until deadline: Timestamp? = nil) -> Wake {
        // One entry for the descriptor and one for our own event, on the stack: frames pass here.
        var polled: InlineArray<2, pollfd> = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: event, events: Int16(POLLIN), revents: 0),
        ]
        var entries = polled.mutableSpan
        return unsafe entries.withUnsafeMutableBufferPointer { unsafe wait(polling: $0, until: deadline) }
    }

    /// Blocks until one of several descriptors is ready.
    ///
    /// - Parameters:
    ///   - watches: The descriptors, each with the events to wait for.
    ///   - deadline: The end of the wait; nil waits for ever.
    /// - Returns: The result, and each descriptor's `revents` as `poll` set them; 0 for those that are not ready.
    package func wait(
        for watches: [(descriptor: Int32, events: Int32)], until deadline: Timestamp? = nil
    ) -> (wake: Wake, ready: [Int32]) {
        var polled = watches.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
        polled.append(pollfd(fd: event, events: Int16(POLLIN), revents: 0))
        let wake = unsafe polled.withUnsafeMutableBufferPointer { unsafe wait(polling: $0, until: deadline) }
        return (wake, polled.dropLast().map { Int32($0.revents) })
    }

    /// Blocks until an entry other than the last, our own event, is ready.
    private func wait(polling entries: UnsafeMutableBufferPointer<pollfd>, until deadline: Timestamp?) -> Wake {
        while true {
            if isRaised { return .interrupted }
            var milliseconds = event >= 0 ? -1 : 50
            if let deadline {
                let left = clock.now.duration(to: deadline).nanoseconds
                guard left > 0 else { return .timedOut }
                let rounded = Int(min((left + 999_999) / 1_000_000, 60_000))
                milliseconds = milliseconds < 0 ? rounded : min(milliseconds, rounded)
            }
            let count = unsafe poll(entries.baseAddress, UInt(entries.count), Int32(milliseconds))
            guard count > 0, !isRaised else { continue }
            if unsafe entries.dropLast().contains(where: { $0.revents != 0 }) { return .ready }
        }
    }
}
