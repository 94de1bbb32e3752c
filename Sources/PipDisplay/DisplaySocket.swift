internal import CDisplay
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import SystemPackage

/// A connection to a display server; no call blocks except ``wait(for:_:)``.
///
/// Thread: any, but one at a time.
final class DisplaySocket {
    /// Bytes to send, with a descriptor that is sent with the first byte; the segment owns the descriptor until then.
    private struct Segment {
        var bytes: ArraySlice<UInt8>
        var descriptor: Int32?
    }

    let descriptor: Int32
    /// The server's name in messages: `the X server at :0`.
    let server: String
    /// The bytes that have arrived and that ``take(_:)`` has not removed.
    private(set) var received: [UInt8] = []
    private var outgoing: [Segment] = []
    private var chunk = [UInt8](repeating: 0, count: 4096)
    /// The largest segment that combines several messages, in bytes.
    private static let segmentLimit = 4096

    /// - Parameters:
    ///   - descriptor: A non-blocking socket, which this connection owns from now on.
    ///   - server: The server's name in messages.
    init(_ descriptor: Int32, to server: String) {
        self.descriptor = descriptor
        self.server = server
    }

    deinit {
        for passed in outgoing.compactMap(\.descriptor) { close(passed) }
        close(descriptor)
    }

    /// True while queued bytes wait to be sent.
    var hasOutput: Bool { !outgoing.isEmpty }

    /// Queues bytes for sending; small messages are copied into one segment.
    ///
    /// - Parameters:
    ///   - bytes: The bytes. The caller may change its array afterwards: the change then makes a copy.
    ///   - passed: A descriptor that is sent with the bytes, and which this connection owns from now on; nil for none.
    func send(_ bytes: ArraySlice<UInt8>, with passed: Int32? = nil) {
        let last = outgoing.count - 1
        if passed == nil, last >= 0, outgoing[last].bytes.count + bytes.count <= Self.segmentLimit {
            outgoing[last].bytes += bytes
        } else {
            outgoing.append(Segment(bytes: bytes, descriptor: passed))
        }
    }

    /// Sends as many queued bytes as the socket takes.
    ///
    /// - Throws: ``DisplayLoss/lost(_:)`` when the connection is broken.
    func flush() throws(DisplayLoss) {
        while let segment = outgoing.first {
            let count = unsafe segment.bytes.withUnsafeBytes {
                unsafe pip_display_send(descriptor, $0.baseAddress, $0.count, segment.descriptor ?? -1)
            }
            if count == Int64(-EAGAIN) { return }
            guard count >= 0 else { throw broken(count) }
            if let passed = segment.descriptor { close(passed) }
            let left = segment.bytes.dropFirst(Int(count))
            if left.isEmpty { outgoing.removeFirst() } else { outgoing[0] = Segment(bytes: left) }
        }
    }

    /// Sends and receives as much as is possible without blocking, and calls `takeMessages` to handle ``received``.
    ///
    /// - Parameter takeMessages: Handles and removes the received messages. Also called when the connection ends,
    ///   because the last message may state the reason.
    /// - Throws: ``DisplayLoss/lost(_:)`` when the connection has ended, and the errors of `takeMessages`.
    func exchange(_ takeMessages: () throws(DisplayLoss) -> Void) throws(DisplayLoss) {
        var loss: DisplayLoss?
        do throws(DisplayLoss) {
            try flush()
            try receive()
        } catch { loss = error }
        try takeMessages()
        if let loss { throw loss }
        // Answers to the messages are sent at once, not with the next picture.
        try flush()
    }

    private func receive() throws(DisplayLoss) {
        while true {
            let count = unsafe pip_display_receive(descriptor, &chunk, chunk.count)
            if count == Int64(-EAGAIN) { return }
            guard count >= 0 else { throw broken(count) }
            guard count > 0 else { throw .lost("\(server) is gone: the connection was closed") }
            received += chunk[..<Int(count)]
        }
    }

    private func broken(_ result: Int64) -> DisplayLoss {
        .lost("\(server) is gone: the connection broke: \(Errno(rawValue: CInt(-result)))")
    }

    /// Removes the first bytes of ``received``.
    func take(_ count: Int) { received.removeFirst(min(count, received.count)) }

    /// Blocks until the server has answered, for example after the first request.
    ///
    /// - Parameters:
    ///   - duration: The longest wait.
    ///   - result: Looks for the answer in ``received``, at once and after each read; nil while it is incomplete.
    /// - Returns: The result; nil when the server has not answered in time.
    /// - Throws: ``DisplayLoss`` when the connection has ended, and the errors of `result`.
    func wait<R>(for duration: Duration, _ result: () throws(DisplayLoss) -> R?) throws(DisplayLoss) -> R? {
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: duration)
        var answer = try result()
        while answer == nil {
            let left = clock.now.duration(to: deadline).nanoseconds / 1_000_000
            guard left > 0 else { return nil }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN) | (hasOutput ? Int16(POLLOUT) : 0), revents: 0)
            _ = unsafe poll(&entry, 1, Int32(clamping: left + 1))
            do throws(DisplayLoss) {
                try exchange { () throws(DisplayLoss) in answer = try result() }
            } catch {
                // The server may have answered before it closed the connection.
                if answer == nil { throw error }
            }
        }
        return answer
    }
}
