internal import CPlatform
internal import Glibc
package import PipFrames
internal import Synchronization

/// Cancels the waits of other threads for file descriptors and deadlines.
///
/// Once raised, an interruption stays raised.
package final class Interruption: Sendable {
    /// The result of a wait.
    package enum Wake: Sendable {
        /// The descriptor is readable or writable, is closed by its peer, or has an error; the next system call tells
        /// which.
        case ready
        case interrupted
        /// The deadline has passed.
        case timedOut
    }

    /// The interval in milliseconds at which a wait checks its conditions while the process has no free descriptor.
    private static let checkInterval: Int32 = 50

    private let raised = Atomic(false)
    // The event is -1 when the process had no free descriptor.
    private let event = pip_event_descriptor()

    /// Creates an interruption that is not raised.
    package init() {}

    deinit {
        if event >= 0 { close(event) }
    }

    /// True once ``raise()`` has been called.
    package var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Ends all present and future waits.
    ///
    /// Thread: any. Further calls do nothing.
    package func raise() {
        guard !raised.exchange(true, ordering: .acquiringAndReleasing), event >= 0 else { return }
        var count: UInt64 = 1
        // No thread reads the event, so it stays ready for every wait.
        _ = unsafe write(event, &count, 8)
    }

    /// Blocks until a descriptor is ready, the deadline has passed, or the interruption is raised.
    ///
    /// - Parameters:
    ///   - descriptor: The file descriptor; -1 for a wait for the deadline or the interruption only.
    ///   - events: The events to wait for: `POLLIN` or `POLLOUT`.
    ///   - deadline: The time at which the wait ends; nil for no deadline.
    ///   - clock: The clock by which the deadline counts.
    /// - Returns: The reason why the wait ended.
    package func wait(
        for descriptor: Int32, events: Int32, until deadline: Timestamp? = nil,
        by clock: MonotonicClock = MonotonicClock()
    ) -> Wake {
        // The entries, for the descriptor and the interruption's event, lie on the stack, because this code runs for
        // each frame.
        var polled: InlineArray<2, pollfd> = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: event, events: Int16(POLLIN), revents: 0),
        ]
        var entries = polled.mutableSpan
        return unsafe entries.withUnsafeMutableBufferPointer { unsafe wait(polling: $0, until: deadline, by: clock) }
    }

    /// Blocks until one of several descriptors is ready, the deadline has passed, or the interruption is raised.
    ///
    /// - Parameters:
    ///   - watches: The descriptors, each with the events to wait for.
    ///   - deadline: The time at which the wait ends; nil for no deadline.
    ///   - clock: The clock by which the deadline counts.
    /// - Returns: The reason for which the wait ended, and the events that `poll` returned for each descriptor: 0 for a
    ///   descriptor that is not ready.
    package func wait(
        for watches: [(descriptor: Int32, events: Int32)], until deadline: Timestamp? = nil,
        by clock: MonotonicClock = MonotonicClock()
    ) -> (wake: Wake, ready: [Int32]) {
        var polled = watches.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
        polled.append(pollfd(fd: event, events: Int16(POLLIN), revents: 0))
        let wake = unsafe polled.withUnsafeMutableBufferPointer { unsafe wait(polling: $0, until: deadline, by: clock) }
        return (wake, polled.dropLast().map { Int32($0.revents) })
    }

    /// Blocks until an entry is ready or the deadline has passed; the last entry is the interruption's own event.
    private func wait(
        polling entries: UnsafeMutableBufferPointer<pollfd>, until deadline: Timestamp?, by clock: MonotonicClock
    ) -> Wake {
        while true {
            if isRaised { return .interrupted }
            if let virtual = clock.virtual {
                if let wake = unsafe wait(polling: entries, in: virtual, until: deadline) { return wake }
                continue
            }
            var milliseconds = event >= 0 ? -1 : Int(Self.checkInterval)
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

    /// Blocks in virtual time until an entry is ready, the deadline has passed, or the interruption is raised.
    ///
    /// - Returns: The reason for which the wait ended; nil when the caller must poll again.
    private func wait(
        polling entries: UnsafeMutableBufferPointer<pollfd>, in virtual: VirtualTime, until deadline: Timestamp?
    ) -> Wake? {
        // The deadline takes precedence over descriptors, as in real time: otherwise, a descriptor that is always ready
        // would make a busy loop.
        if let deadline, virtual.now >= deadline { return .timedOut }
        var polled = unsafe Array(entries)
        // Virtual time ends the wait through a descriptor of its own, which is polled together with the other
        // descriptors.
        let alarm = pip_event_descriptor()
        defer { if alarm >= 0 { close(alarm) } }
        polled.append(pollfd(fd: alarm, events: Int16(POLLIN), revents: 0))
        let watches = polled.dropLast().map { (descriptor: $0.fd, events: $0.events) }
        let sleeper = VirtualTime.Sleeper(deadline: deadline, watches: watches) {
            var count: UInt64 = 1
            _ = unsafe write(alarm, &count, 8)
        }
        if !sleeper.isReady, virtual.begin(sleeper) {
            _ = unsafe poll(&polled, nfds_t(polled.count), min(alarm, event) >= 0 ? -1 : Self.checkInterval)
            virtual.end(sleeper)
        }
        _ = unsafe poll(entries.baseAddress, UInt(entries.count), 0)
        if isRaised { return .interrupted }
        if unsafe entries.dropLast().contains(where: { $0.revents != 0 }) { return .ready }
        return deadline.map { virtual.now >= $0 } ?? false ? .timedOut : nil
    }
}
