package import PipConcurrency
package import PipFrames
package import SystemPackage

/// The system calls that capture makes.
///
/// ``KernelCalls`` passes them to the kernel; tests implement them with fakes.
///
/// The calls of the frame path (`now`, `control`, `wait`, `wake`) do not allocate.
///
/// Thread: any.
package protocol V4L2Calls: AnyObject, Sendable {
    /// The time of `CLOCK_MONOTONIC`, which stands still while the machine sleeps.
    var now: Timestamp { get }

    /// The clock of the calling threads, and of those that wait for them.
    var clock: MonotonicClock { get }

    /// The time that the machine has spent suspended since boot.
    var slept: Duration { get }

    /// Opens a node for reading and writing, in non-blocking mode.
    func open(_ path: String) throws(Errno) -> CInt

    func close(_ descriptor: CInt)

    /// Calls `ioctl`, and repeats it when a signal interrupts it.
    ///
    /// - Returns: 0 or more, or `-errno`.
    @unsafe func control(_ descriptor: CInt, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt

    /// Maps a buffer of a device.
    @unsafe func map(_ descriptor: CInt, length: Int, offset: Int) throws(Errno) -> UnsafeMutableRawBufferPointer

    @unsafe func unmap(_ memory: UnsafeMutableRawBufferPointer)

    /// Makes a descriptor that wakes a thread in ``wait(device:wakeUp:timeout:)``.
    ///
    /// The caller closes it by `close`.
    func makeWakeUp() throws(Errno) -> CInt

    func wake(_ wakeUp: CInt)

    /// Blocks until the device is ready, the wake-up was signalled, or time is up.
    ///
    /// Consumes the signal.
    ///
    /// - Parameters:
    ///   - device: The device to watch; nil waits for the wake-up and the time alone.
    ///   - wakeUp: A descriptor from ``makeWakeUp()``.
    ///   - timeout: The longest wait; nil waits for ever.
    /// - Returns: The readiness of device and wake-up; empty when time was up.
    func wait(device: CInt?, wakeUp: CInt, timeout: Duration?) -> Readiness

    /// Waits like ``wait(device:wakeUp:timeout:)``, for a device that does not stream: the device reports its removal
    /// and its events.
    func waitIdle(device: CInt, wakeUp: CInt, timeout: Duration?) -> Readiness

    /// Starts a watch for devices; nil where neither udev nor inotify works.
    func watchDevices() -> (any DeviceWatch)?

    /// A file's type, group and permissions, by `stat`.
    func status(of path: String) throws(Errno) -> FileStatus

    /// The entries of a folder in no particular order; empty when it cannot be read.
    func names(in folder: String) -> [String]

    /// The target of a symbolic link; nil for other paths.
    func target(ofLink path: String) -> String?

    /// The text of a small file, without surrounding white space; nil when the file cannot be read.
    func text(of path: String) -> String?
}

extension V4L2Calls {
    package var clock: MonotonicClock { MonotonicClock() }
}

/// The result of a wait.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A filled buffer can be taken.
    package static let readable = Readiness(rawValue: 1)
    /// The device reports an error or is gone: the next `VIDIOC_DQBUF` says which.
    package static let failed = Readiness(rawValue: 2)
    /// The device has an event that was subscribed to.
    package static let event = Readiness(rawValue: 8)
    /// Another thread has signalled the wake-up.
    package static let woken = Readiness(rawValue: 4)
}

/// The part of `stat` that discovery needs.
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
