internal import CPlatform
internal import Glibc

/// Lets other threads end the wait of a display's thread.
final class DisplayWake: Sendable {
    private let event = pip_event_descriptor()

    deinit { if event >= 0 { close(event) } }

    /// Ends the current wait, or the next wait when the thread does not wait.
    func raise() {
        var count: UInt64 = 1
        _ = unsafe write(event, &count, 8)
    }

    /// Blocks until a descriptor is readable, or ``raise()`` was called.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor; -1 for no descriptor.
    ///   - isWriting: True to return also when the descriptor is writable.
    ///   - milliseconds: The longest wait; -1 for no limit.
    func wait(for descriptor: Int32, isWriting: Bool, milliseconds: Int32) {
        var entries: InlineArray<2, pollfd> = [
            pollfd(fd: descriptor, events: Int16(POLLIN) | (isWriting ? Int16(POLLOUT) : 0), revents: 0),
            pollfd(fd: event, events: Int16(POLLIN), revents: 0),
        ]
        var span = entries.mutableSpan
        // If the event could not be created, for want of a free descriptor, the thread wakes every 20 ms instead.
        let limit = event < 0 ? 20 : milliseconds
        _ = unsafe span.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, 2, limit) }
        var count: UInt64 = 0
        _ = unsafe read(event, &count, 8)
    }
}
