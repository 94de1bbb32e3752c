internal import CPlatform
internal import Glibc
internal import PipCodecs
internal import PipConcurrency
internal import PipFrames
internal import SystemPackage

/// Where the frames of a stream go.
package enum OutputDestination: Sendable, Equatable {
    /// A file, which is overwritten, or a named pipe.
    case path(String)
    case standardOutput
    /// An open descriptor, which stays the caller's and stays open; the name is for messages.
    case descriptor(Int32, name: String)

    package var name: String {
        switch self {
        case .path(let path): path
        case .standardOutput: "standard output"
        case .descriptor(_, let name): name
        }
    }
}

/// A file or pipe that frames of pictures, or blocks of sound, are written to: whole ones stay whatever happens.
///
/// Nothing here raises or handles `SIGPIPE`: ``SinkRunner``'s thread blocks it, and a closed pipe becomes an error.
struct OutputFile: ~Copyable {
    let name: String
    /// The noun for what is written at once, for messages.
    private let unit: StaticString
    private let interruption: Interruption
    private let reserve: DiskReserve
    private var descriptor: Int32
    private var isOwner: Bool
    private var kind: Kind
    /// A named pipe that nobody reads yet.
    private let awaitedPipe: String?
    /// Bytes up to the end of the last whole frame.
    private var wholeBytes = 0
    private var wholeFrames = 0
    /// Frames that have reached the disk for certain.
    private var safeFrames = 0
    private var startedFrames = 0

    private enum Kind {
        /// Can be cut back to whole frames.
        case file
        /// Pipes, sockets and devices, which are polled for writability.
        case stream
    }

    /// Opens for writing; does not wait for a pipe's reader, the first write does.
    ///
    /// - Throws: ``SinkError`` of kind `cannotCreate`.
    init(
        _ destination: OutputDestination, interruption: Interruption, reserve: DiskReserve = DiskReserve(),
        unit: StaticString = "frame"
    ) throws(SinkError) {
        name = destination.name
        self.unit = unit
        self.interruption = interruption
        self.reserve = reserve
        switch destination {
        case .path(let path):
            if path == "/dev/stdout" { try Self.checkWritable(STDOUT_FILENO, name) }
            if Self.isVideoDevice(path) { throw Self.isVirtualCamera(path) }
            let opened = Self.open(path, O_CREAT | O_TRUNC)
            if opened < 0, errno != ENXIO { throw SinkError.cannotCreate(path, Errno(rawValue: errno)) }
            descriptor = opened
            isOwner = true
            awaitedPipe = opened < 0 ? path : nil
        case .standardOutput, .descriptor:
            let given = if case .descriptor(let given, _) = destination { given } else { STDOUT_FILENO }
            try Self.checkWritable(given, name)
            // A description of our own may be set not to block; the process's own is shared with others.
            let own = Self.isPipe(given) ? Self.open("/proc/self/fd/\(given)", 0) : -1
            descriptor = own < 0 ? given : own
            isOwner = own >= 0
            awaitedPipe = nil
        }
        kind = isOwner && Self.isRegular(descriptor) ? .file : .stream
    }

    deinit {
        if isOwner, descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// True for a regular file, whose beginning can be written again.
    var isRewritable: Bool { kind == .file }

    /// False while the reader of a named pipe is awaited.
    var isConnected: Bool { descriptor >= 0 }

    /// Writes a frame, or what comes before the first.
    ///
    /// - Throws: ``SinkError``; a file then ends with the last whole frame.
    mutating func write(_ vectors: inout FrameVectors, isFrame: Bool = true) throws(SinkError) {
        try connect()
        let total = vectors.remaining
        try checkRoom(for: total)
        while vectors.remaining > 0 {
            guard !interruption.isRaised else { throw interrupted() }
            if kind == .stream, interruption.wait(for: descriptor, events: POLLOUT) == .interrupted {
                throw interrupted()
            }
            let count = unsafe vectors.transfer { entries, count in unsafe writev(descriptor, entries, count) }
            guard count < 0 else { continue }
            let reason = Errno(rawValue: errno)
            if reason == .interrupted || reason == .resourceTemporarilyUnavailable { continue }
            throw failure(reason)
        }
        wholeBytes += total
        if isFrame { wholeFrames += 1 }
    }

    /// Replaces bytes that were written before, such as the sizes in a header; only where ``isRewritable``.
    ///
    /// - Throws: ``SinkError``; the file's length stays.
    func rewrite(_ bytes: [UInt8], at offset: Int) throws(SinkError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe pwrite(
                    descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done, off_t(offset + done))
            }
            if count >= 0 {
                done += count
                continue
            }
            let reason = Errno(rawValue: errno)
            if reason == .interrupted || reason == .resourceTemporarilyUnavailable { continue }
            throw SinkError(name, "update its header", .failed, reason)
        }
    }

    /// Sends what was written on its way to the disk, so that little is lost when the power fails, and what fails on
    /// that way is known.
    ///
    /// Waits for what was sent the time before; with `isThorough`, until everything has arrived. Does nothing for
    /// pipes.
    ///
    /// - Throws: ``SinkError`` when the disk did not take something since the last time.
    mutating func sync(isThorough: Bool = false) throws(SinkError) {
        guard kind == .file, descriptor >= 0 else { return }
        let result = isThorough ? (fdatasync(descriptor) == 0 ? 0 : -errno) : pip_write_back(descriptor)
        let reason = Errno(rawValue: -result)
        // Some file systems do not know it.
        guard result != 0, reason != .invalidArgument, reason != .noFunction, reason != .interrupted else {
            safeFrames = isThorough ? wholeFrames : startedFrames
            startedFrames = wholeFrames
            return
        }
        throw SinkError(
            name, "keep what was written", .failed,
            "\(isThorough ? "fdatasync" : "sync_file_range"): \(reason); \(unit)s after \(safeFrames) may be damaged",
            errno: reason)
    }

    /// Waits until the file and its name are on the disk; does nothing for pipes.
    ///
    /// What fails here fails again when frames are written.
    func keepName() {
        guard kind == .file, isOwner, descriptor >= 0, fsync(descriptor) == 0 else { return }
        bringNameToDisk(of: name)
    }

    /// Closes the file.
    ///
    /// - Throws: ``SinkError`` when the system reports only now that something could not be written.
    mutating func close() throws(SinkError) {
        guard isOwner, descriptor >= 0 else { return }
        let closed = Glibc.close(descriptor)
        descriptor = -1
        // After EINTR the descriptor is gone all the same.
        guard closed != 0, errno != EINTR else { return }
        throw SinkError(name, "close", .failed, Errno(rawValue: errno))
    }

    /// Waits for a named pipe's reader, which nobody announces.
    private mutating func connect() throws(SinkError) {
        guard descriptor < 0, let path = awaitedPipe else { return }
        while true {
            descriptor = Self.open(path, 0)
            if descriptor >= 0 { return }
            guard errno == ENXIO else { throw SinkError.cannotCreate(path, Errno(rawValue: errno)) }
            // The reader is another program: it lives by the machine's clock.
            let soon = MonotonicClock().now.advanced(by: .milliseconds(20))
            if interruption.wait(for: -1, events: 0, until: soon) == .interrupted { throw interrupted() }
        }
    }

    /// Leaves some of the disk to others.
    private func checkRoom(for bytes: Int) throws(SinkError) {
        guard kind == .file, let room = DiskRoom(descriptor: descriptor) else { return }
        let kept = reserve.kept(of: room)
        guard room.free - bytes < kept else { return }
        throw SinkError(
            name, "write \(unit) \(wholeFrames)", .failed,
            "the disk is full, but for the last \(kept / 1_000_000) MB\(self.kept)", errno: .noSpace)
    }

    private func interrupted() -> SinkError {
        cutBack()
        return SinkError(
            name, "write \(unit) \(wholeFrames)", .interrupted,
            "the time for finishing ended before it was taken\(kept)")
    }

    private func failure(_ reason: Errno) -> SinkError {
        cutBack()
        let operation = "write \(unit) \(wholeFrames)"
        if reason == .brokenPipe {
            return SinkError(name, operation, .closedPipe, "the reader of \(name) has closed the pipe", errno: reason)
        }
        return SinkError(name, operation, .failed, "\(reason)\(kept)", errno: reason)
    }

    /// The usable part of a file, for messages.
    private var kept: String {
        guard kind == .file else { return "" }
        return wholeFrames == 1
            ? "; the 1 \(unit) before it is whole" : "; the \(wholeFrames) \(unit)s before it are whole"
    }

    private func cutBack() {
        // Failing to is no worse than not trying.
        if kind == .file { _ = ftruncate(descriptor, off_t(wholeBytes)) }
    }

    private static func open(_ path: String, _ flags: Int32) -> Int32 {
        // Not waiting is for pipes; regular files do not know it.
        unsafe path.withCString { unsafe Glibc.open($0, O_WRONLY | O_CLOEXEC | O_NONBLOCK | flags, 0o666) }
    }

    /// Refuses a descriptor that is closed, or open for reading only: what stands for a closed standard output.
    private static func checkWritable(_ descriptor: Int32, _ name: String) throws(SinkError) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags < 0 || flags & O_ACCMODE == O_RDONLY else { return }
        throw SinkError(name, "open", .failed, "it is closed, or cannot be written: nothing would read the frames")
    }

    /// True for a node of a V4L2 driver, which takes no bytes before it knows their format.
    private static func isVideoDevice(_ path: String) -> Bool {
        // Linux, `Documentation/admin-guide/devices.txt`.
        let videoMajor: dev_t = 81
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
            && status.st_rdev >> 8 & 0xfff == videoMajor
    }

    private static func isVirtualCamera(_ path: String) -> SinkError {
        SinkError(path, "create", .cannotCreate, "it is a video device: a VirtualCamera writes to it, no file does")
    }

    private static func isPipe(_ descriptor: Int32) -> Bool { fileType(descriptor) == S_IFIFO }

    private static func isRegular(_ descriptor: Int32) -> Bool { fileType(descriptor) == S_IFREG }

    private static func fileType(_ descriptor: Int32) -> mode_t {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    }
}
