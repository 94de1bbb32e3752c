internal import CDisplay
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import SystemPackage

/// A connection to a display server, which never waits for it.
///
/// Belongs to one thread at a time.
final class DisplaySocket {
    let descriptor: Int32
    /// What has come and was not taken.
    private(set) var received: [UInt8] = []
    /// What is not sent yet, from `sent` on.
    private var outgoing: [UInt8] = []
    private var sent = 0
    /// Descriptors that go with the byte of `outgoing` at a place; owned until they are sent.
    private var passed: [(place: Int, descriptor: Int32)] = []
    private var chunk = [UInt8](repeating: 0, count: 4096)

    /// - Parameter descriptor: Of a socket that does not block; owned from now on.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        for pass in passed { close(pass.descriptor) }
        close(descriptor)
    }

    /// True while something is not sent yet.
    var hasOutput: Bool { sent < outgoing.count }

    /// Queues bytes.
    func send(_ bytes: [UInt8]) { outgoing += bytes }

    /// Queues bytes of memory.
    @unsafe func send(_ bytes: UnsafeRawBufferPointer) { unsafe outgoing.append(contentsOf: bytes) }

    /// Queues bytes with a descriptor, which is owned from now on.
    func send(_ bytes: [UInt8], with descriptor: Int32) {
        passed.append((outgoing.count, descriptor))
        outgoing += bytes
    }

    /// Sends as much as is taken, and reads what has come.
    ///
    /// - Throws: ``DisplayLoss`` when the other side is gone.
    func work() throws(DisplayLoss) {
        try flush()
        while true {
            let count = unsafe pip_display_receive(descriptor, &chunk, chunk.count)
            if count > 0 {
                received += chunk[..<Int(count)]
            } else if count == 0 {
                throw .lost("the connection was closed")
            } else if count == Int64(-EAGAIN) {
                return
            } else {
                throw .lost("the connection broke: \(Errno(rawValue: CInt(-count)))")
            }
        }
    }

    /// Sends as much as is taken.
    func flush() throws(DisplayLoss) {
        while hasOutput {
            let pass = passed.first.flatMap { $0.place == sent ? $0.descriptor : nil }
            // Up to the next descriptor, which goes with bytes of its own.
            let next = passed.first { $0.place > sent }?.place ?? outgoing.count
            let (descriptor, start) = (descriptor, sent)
            let count = unsafe outgoing.withUnsafeBytes {
                unsafe pip_display_send(descriptor, $0.baseAddress.map { unsafe $0 + start }, next - start, pass ?? -1)
            }
            if count == Int64(-EAGAIN) { return }
            guard count >= 0 else { throw .lost("the connection broke: \(Errno(rawValue: CInt(-count)))") }
            if let pass {
                close(pass)
                passed.removeFirst()
            }
            sent += Int(count)
        }
        outgoing.removeAll(keepingCapacity: true)
        sent = 0
    }

    /// Forgets the first bytes of what has come.
    func take(_ count: Int) { received.removeFirst(min(count, received.count)) }

    /// Exchanges bytes until something has come, for the beginning of a conversation.
    ///
    /// - Parameters:
    ///   - deadline: How long to wait.
    ///   - result: Looks at ``received``, now and after each read.
    /// - Returns: The result; nil when there was none until the deadline.
    /// - Throws: ``DisplayLoss`` when the other side is gone.
    func wait<R>(until deadline: Timestamp, for result: () throws(DisplayLoss) -> R?) throws(DisplayLoss) -> R? {
        let clock = MonotonicClock()
        while true {
            if let result = try result() { return result }
            let left = clock.now.duration(to: deadline).nanoseconds / 1_000_000
            guard left > 0 else { return nil }
            var entry = pollfd(
                fd: descriptor, events: Int16(POLLIN) | (hasOutput ? Int16(POLLOUT) : 0), revents: 0)
            _ = unsafe poll(&entry, 1, Int32(clamping: left + 1))
            do throws(DisplayLoss) {
                try work()
            } catch {
                // A refusal may lie before the end.
                if let result = try result() { return result }
                throw error
            }
        }
    }
}

extension [UInt8] {
    /// Appends a number of two bytes, the lowest first.
    mutating func append16(_ value: Int) {
        append(contentsOf: [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)])
    }

    /// Appends a number of four bytes, the lowest first.
    mutating func append32(_ value: UInt32) {
        for shift in stride(from: UInt32(0), to: 32, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    /// Appends zeros up to a multiple of four bytes.
    mutating func pad() { while count % 4 != 0 { append(0) } }

    /// The number of two bytes at a place; 0 behind the end.
    func number16(at place: Int) -> Int { place + 2 <= count ? Int(self[place]) | Int(self[place + 1]) << 8 : 0 }

    /// The number of four bytes at a place; 0 behind the end.
    func number32(at place: Int) -> UInt32 {
        UInt32(number16(at: place)) | UInt32(number16(at: place + 2)) << 16
    }
}
