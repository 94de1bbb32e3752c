internal import CV4L2
internal import Glibc
internal import PipConcurrency
package import PipFrames
package import SystemPackage

/// Passes the system calls to the kernel.
package final class KernelCalls: V4L2Calls {
    package init() {}

    package var now: Timestamp { clock.now }

    package var slept: Duration {
        var boot = timespec()
        var before = clock.now
        while true {
            unsafe clock_gettime(CLOCK_BOOTTIME, &boot)
            let after = clock.now
            // The difference of the clocks is valid only when both readings are close together.
            if before.duration(to: after) < .milliseconds(20) { break }
            before = after
        }
        return .seconds(boot.tv_sec) + .nanoseconds(boot.tv_nsec) - .nanoseconds(before.nanoseconds)
    }

    package func open(_ path: String) throws(Errno) -> CInt {
        try check { unsafe pip_v4l2_open(path) }
    }

    package func close(_ descriptor: CInt) { _ = pip_v4l2_close(descriptor) }

    @unsafe package func control(_ descriptor: CInt, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        while true {
            let result = unsafe pip_v4l2_ioctl(descriptor, request, argument)
            if result != -EINTR { return result }
        }
    }

    @unsafe package func map(
        _ descriptor: CInt, length: Int, offset: Int
    ) throws(Errno)
        -> UnsafeMutableRawBufferPointer
    {
        var memory: UnsafeMutableRawPointer?
        let result = unsafe pip_v4l2_map(descriptor, length, Int64(offset), &memory)
        guard result >= 0 else { throw Errno(rawValue: -result) }
        return unsafe UnsafeMutableRawBufferPointer(start: memory, count: length)
    }

    @unsafe package func unmap(_ memory: UnsafeMutableRawBufferPointer) {
        _ = unsafe pip_v4l2_unmap(memory.baseAddress, memory.count)
    }

    package func makeWakeUp() throws(Errno) -> CInt { try check { pip_v4l2_event_create() } }

    package func wake(_ wakeUp: CInt) { _ = pip_v4l2_event_signal(wakeUp) }

    package func wait(device: CInt?, wakeUp: CInt, timeout: Duration?) -> Readiness {
        wait(device: device, for: POLLIN | POLLPRI, wakeUp: wakeUp, timeout: timeout)
    }

    package func waitIdle(device: CInt, wakeUp: CInt, timeout: Duration?) -> Readiness {
        // `POLLIN` would report a stopped stream as an error.
        wait(device: device, for: POLLPRI, wakeUp: wakeUp, timeout: timeout)
    }

    private func wait(device: CInt?, for events: CInt, wakeUp: CInt, timeout: Duration?) -> Readiness {
        // `poll` ignores a descriptor below zero.
        var descriptors: InlineArray<2, pollfd> = [
            pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
            pollfd(fd: device ?? -1, events: Int16(events), revents: 0),
        ]
        let milliseconds = timeout.map { CInt(clamping: max(0, ($0.nanoseconds + 999_999) / 1_000_000)) } ?? -1
        var span = descriptors.mutableSpan
        // An interrupted wait looks like an early timeout; the caller checks its clock anyway.
        _ = unsafe span.withUnsafeMutableBufferPointer { unsafe pip_v4l2_poll($0.baseAddress, 2, milliseconds) }
        var readiness: Readiness = []
        if descriptors[0].revents != 0 {
            _ = pip_v4l2_event_clear(wakeUp)
            readiness.insert(.woken)
        }
        let device = CInt(descriptors[1].revents)
        if device & POLLIN != 0 { readiness.insert(.readable) }
        if device & POLLPRI != 0 { readiness.insert(.event) }
        if device & (POLLERR | POLLHUP | POLLNVAL) != 0 { readiness.insert(.failed) }
        return readiness
    }

    package func watchDevices() -> (any DeviceWatch)? { UdevWatch() ?? FolderWatch() }

    package func status(of path: String) throws(Errno) -> FileStatus {
        var info = stat()
        guard unsafe stat(path, &info) == 0 else { throw Errno(rawValue: errno) }
        let kind: FileStatus.Kind =
            switch info.st_mode & S_IFMT {
            case S_IFCHR: .characterDevice
            case S_IFREG: .regular
            case S_IFDIR: .folder
            default: .other
            }
        return FileStatus(kind: kind, groupID: info.st_gid, mode: info.st_mode & 0o7777)
    }

    package func names(in folder: String) -> [String] { Folder.entries(of: folder) }

    package func target(ofLink path: String) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = unsafe readlink(path, start, buffer.count)
            guard count > 0 else { return nil }
            return unsafe String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
        }
    }

    package func text(of path: String) -> String? { FileContents.text(of: path)?.trimmed }

    private func check(_ call: () -> CInt) throws(Errno) -> CInt {
        while true {
            let result = call()
            if result >= 0 { return result }
            if result != -EINTR { throw Errno(rawValue: -result) }
        }
    }
}
