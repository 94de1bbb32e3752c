package import PipConcurrency
package import PipFrames
package import SystemPackage

/// The system calls of the capture code.
///
/// ``KernelCalls`` passes the calls to the kernel; tests use fakes in its place.
///
/// The calls of the frame path (`now`, `control`, `wait`, `wake`) do not allocate memory.
///
/// Thread: any.
package protocol V4L2Calls: AnyObject, Sendable {
    /// The time of `CLOCK_MONOTONIC`, which does not advance while the machine is suspended.
    var now: Timestamp { get }

    /// The clock by which threads wait.
    var clock: MonotonicClock { get }

    /// The time that the machine has spent suspended since boot.
    var slept: Duration { get }

    /// Opens a node for reading and writing, in non-blocking mode.
    func open(_ path: String) throws(Errno) -> CInt

    func close(_ descriptor: CInt)

    /// Calls `ioctl`, and repeats the call when a signal interrupts it.
    ///
    /// - Returns: 0 or more, or `-errno`.
    @unsafe func control(_ descriptor: CInt, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt

    /// Maps a buffer of a device into memory; the caller must unmap it.
    @unsafe func map(_ descriptor: CInt, length: Int, offset: Int) throws(Errno) -> UnsafeMutableRawBufferPointer

    @unsafe func unmap(_ memory: UnsafeMutableRawBufferPointer)

    /// Makes a descriptor with which ``wake(_:)`` ends a ``wait(device:wakeUp:timeout:)``.
    ///
    /// The caller must close the descriptor.
    func makeWakeUp() throws(Errno) -> CInt

    func wake(_ wakeUp: CInt)

    /// Blocks until the device is ready, ``wake(_:)`` has signalled the wake-up, or the time is up.
    ///
    /// A wake-up signal ends one wait only.
    ///
    /// - Parameters:
    ///   - device: The device to watch; nil waits for the wake-up and the time alone.
    ///   - wakeUp: A descriptor from ``makeWakeUp()``.
    ///   - timeout: The longest wait; nil waits for ever.
    /// - Returns: The readiness of device and wake-up; empty when time was up, or when a signal ended the wait.
    func wait(device: CInt?, wakeUp: CInt, timeout: Duration?) -> Readiness

    /// Waits like ``wait(device:wakeUp:timeout:)``, but for a device that does not stream: of the device's states, only
    /// removal and a pending event end the wait.
    func waitIdle(device: CInt, wakeUp: CInt, timeout: Duration?) -> Readiness

    /// Starts a watch for device nodes; nil when neither udev nor inotify works.
    func watchDevices() -> (any DeviceWatch)?

    /// A file's type, group and permissions, from `stat`.
    func status(of path: String) throws(Errno) -> FileStatus

    /// The names of a folder's entries in no particular order; empty when the folder cannot be read.
    func names(in folder: String) -> [String]

    /// The target of a symbolic link; nil when the path is not a readable link.
    func target(ofLink path: String) -> String?

    /// The text of a small file, without surrounding white space; nil when the file cannot be read.
    func text(of path: String) -> String?
}

extension V4L2Calls {
    package var clock: MonotonicClock { MonotonicClock() }
}

/// The reasons why a wait for a device has ended; empty after a timeout, and when a signal ended the wait.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A filled buffer can be taken.
    package static let readable = Readiness(rawValue: 1)
    /// The device reports an error or is gone: the next `VIDIOC_DQBUF` tells which.
    package static let failed = Readiness(rawValue: 2)
    /// The device has a pending event of a subscribed type.
    package static let event = Readiness(rawValue: 8)
    /// Another thread has signalled the wake-up.
    package static let woken = Readiness(rawValue: 4)
}

/// A file's type, group and permissions.
package struct FileStatus: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case characterDevice = "character device"
        case regular = "regular file"
        case folder
        case other = "special file"
    }

    package var kind: Kind
    package var groupID: UInt32
    /// The permission bits.
    package var mode: UInt32

    package init(kind: Kind, groupID: UInt32, mode: UInt32) {
        self.kind = kind
        self.groupID = groupID
        self.mode = mode
    }
}
