internal import CPlatform
internal import Glibc

/// Ends the wait of a display's thread for its descriptor, as often as needed.
final class DisplayWake: Sendable {
    private let event = pip_event_descriptor()

    deinit { if event >= 0 { close(event) } }

    /// Ends the wait, or the next one.
    func raise() {
        var count: UInt64 = 1
        _ = unsafe write(event, &count, 8)
    }

    /// Waits for a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor; -1 for none.
    ///   - isWriting: Whether to wait until it is writable, too.
    ///   - milliseconds: For how long; -1 for ever.
    func wait(for descriptor: Int32, isWriting: Bool, milliseconds: Int32) {
        var entries: InlineArray<2, pollfd> = [
            pollfd(fd: descriptor, events: Int16(POLLIN) | (isWriting ? Int16(POLLOUT) : 0), revents: 0),
            pollfd(fd: event, events: Int16(POLLIN), revents: 0),
        ]
        var span = entries.mutableSpan
        // Out of descriptors there is no event: it looks often instead.
        let limit = event < 0 ? 20 : milliseconds
        _ = unsafe span.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, 2, limit) }
        var count: UInt64 = 0
        _ = unsafe read(event, &count, 8)
    }
}
