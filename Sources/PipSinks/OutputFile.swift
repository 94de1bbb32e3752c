internal import CPlatform
internal import Glibc
internal import PipCodecs
internal import PipConcurrency
internal import PipFrames
internal import SystemPackage

/// The destination of a stream of frames.
package enum OutputDestination: Sendable, Equatable {
    /// The path of a file, which is overwritten, of a named pipe or of a device.
    case path(String)
    case standardOutput
    /// An open descriptor, which the caller must close; the name is for messages.
    case descriptor(Int32, name: String)

    package var name: String {
        switch self {
        case .path(let path): path
        case .standardOutput: "standard output"
        case .descriptor(_, let name): name
        }
    }
}

/// A file or pipe to which frames of video, or blocks of sound, are written.
///
/// After a failed write, a regular file that was opened here is truncated to its whole frames. The caller must block or
/// ignore `SIGPIPE`, so that a closed pipe becomes an error.
struct OutputFile: ~Copyable {
    let name: String
    /// The word for the unit of writing in messages: `frame` or `block`.
    private let unit: StaticString
    private let interruption: Interruption
    private let reserve: DiskReserve
    private var descriptor: Int32
    private var isOwner: Bool
    private var kind: Kind
    /// The path of a named pipe that had no reader when it was opened; nil for other destinations.
    private let awaitedPipe: String?
    /// The number of bytes up to the end of the last whole frame.
    private var wholeBytes = 0
    private var wholeFrames = 0
    /// The number of frames that are known to have reached the disk.
    private var safeFrames = 0
    private var startedFrames = 0

    private enum Kind {
        /// A regular file that was opened here, and that can be truncated to whole frames.
        case file
        /// A pipe, socket or device, or the caller's descriptor of any file, which is polled for writability.
        case stream
    }

    /// Opens the destination for writing.
    ///
    /// The first write, not this call, waits for the reader of a pipe.
    ///
    /// - Throws: ``SinkError``: kind `cannotCreate`, or `failed` for a descriptor that is closed or read-only.
    init(
        _ destination: OutputDestination, interruption: Interruption, reserve: DiskReserve = DiskReserve(),
        unit: StaticString = "frame"
    ) throws(SinkError) {
        self.init(destination.name, try Self.open(destination), interruption, reserve, unit)
    }

    private init(
        _ name: String, _ opened: Opened, _ interruption: Interruption, _ reserve: DiskReserve, _ unit: StaticString
    ) {
        (self.name, self.interruption, self.reserve, self.unit) = (name, interruption, reserve, unit)
        (descriptor, isOwner, awaitedPipe) = (opened.descriptor, opened.isOwner, opened.awaitedPipe)
        kind = isOwner && Self.isRegular(descriptor) ? .file : .stream
    }

    /// A descriptor for a destination, or the path of a pipe without a reader.
    private struct Opened {
        let descriptor: Int32
        let isOwner: Bool
        var awaitedPipe: String?
    }

    private static func open(_ destination: OutputDestination) throws(SinkError) -> Opened {
        switch destination {
        case .path(let path):
            if path == "/dev/stdout" { try checkWritable(STDOUT_FILENO, path) }
            if isVideoDevice(path) { throw isVirtualCamera(path) }
            let opened = open(path, O_CREAT | O_TRUNC)
            let reason = errno
            if opened < 0, reason != ENXIO || !isPipe(at: path) {
                throw SinkError.cannotCreate(path, Errno(rawValue: reason))
            }
            return Opened(descriptor: opened, isOwner: true, awaitedPipe: opened < 0 ? path : nil)
        case .standardOutput, .descriptor:
            let given = if case .descriptor(let given, _) = destination { given } else { STDOUT_FILENO }
            try checkWritable(given, destination.name)
            // A pipe is reopened, because setting the shared description to non-blocking would affect other programs.
            let own = isPipe(given) ? open("/proc/self/fd/\(given)", 0) : -1
            return Opened(descriptor: own < 0 ? given : own, isOwner: own >= 0)
        }
    }

    deinit {
        if isOwner, descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// True for a regular file that was opened here, in which written bytes can be replaced.
    var isRewritable: Bool { kind == .file }

    /// True while the descriptor is open; a named pipe without a reader gets its descriptor at the first write.
    var isConnected: Bool { descriptor >= 0 }

    /// Writes a frame, or a header before the first frame.
    ///
    /// - Throws: ``SinkError``; if ``isRewritable`` is true, the file then ends with its last whole frame.
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

    /// Replaces bytes that were written before, such as the sizes in a header.
    ///
    /// Call this function only if ``isRewritable`` is true.
    ///
    /// - Throws: ``SinkError``; the file keeps its length.
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

    /// Starts to flush written data to the disk, so that a power failure loses little, and failures are noticed early.
    ///
    /// Blocks until the disk has the data of the previous call; with `isThorough`, until it has all data. The call has
    /// no effect unless ``isRewritable`` is true.
    ///
    /// - Throws: ``SinkError`` when the disk has refused data.
    mutating func sync(isThorough: Bool = false) throws(SinkError) {
        guard kind == .file, descriptor >= 0 else { return }
        let result = isThorough ? (fdatasync(descriptor) == 0 ? 0 : -errno) : pip_write_back(descriptor)
        let reason = Errno(rawValue: -result)
        // Some file systems support neither `fdatasync` nor `sync_file_range`.
        guard result != 0, reason != .invalidArgument, reason != .noFunction, reason != .interrupted else {
            safeFrames = isThorough ? wholeFrames : startedFrames
            startedFrames = wholeFrames
            return
        }
        throw SinkError(
            name, "flush its data", .failed,
            "\(isThorough ? "fdatasync" : "sync_file_range"): \(reason); "
                + (safeFrames == 0
                    ? "all \(unit)s may be damaged" : "\(unit)s after the first \(safeFrames) may be damaged"),
            errno: reason)
    }

    /// Flushes the file and its name to the disk.
    ///
    /// The call has no effect unless ``isRewritable`` is true. Errors are ignored.
    func keepName() {
        guard kind == .file, isOwner, descriptor >= 0, fsync(descriptor) == 0 else { return }
        bringNameToDisk(of: name)
    }

    /// Closes the file, unless its descriptor belongs to the caller.
    ///
    /// - Throws: ``SinkError`` when the system reports an earlier failed write only at this point.
    mutating func close() throws(SinkError) {
        guard isOwner, descriptor >= 0 else { return }
        let closed = Glibc.close(descriptor)
        descriptor = -1
        // The descriptor is closed even after EINTR.
        guard closed != 0, errno != EINTR else { return }
        throw SinkError(name, "close", .failed, Errno(rawValue: errno))
    }

    /// Waits for the reader of a named pipe by polling, because no event announces a reader.
    private mutating func connect() throws(SinkError) {
        guard descriptor < 0, let path = awaitedPipe else { return }
        while true {
            descriptor = Self.open(path, 0)
            if descriptor >= 0 { return }
            guard errno == ENXIO else { throw SinkError.cannotCreate(path, Errno(rawValue: errno)) }
            // The reader is another program, so the wait uses real time, not the session's clock.
            let soon = MonotonicClock().now.advanced(by: .milliseconds(20))
            if interruption.wait(for: -1, events: 0, until: soon) == .interrupted { throw interrupted() }
        }
    }

    private func checkRoom(for bytes: Int) throws(SinkError) {
        guard kind == .file, let room = DiskRoom(descriptor: descriptor) else { return }
        guard room.free - bytes < reserve.kept(of: room) else { return }
        throw SinkError(
            name, "write \(unit) \(wholeFrames)", .failed,
            "the disk is full, as its last \(reserve.keptText(of: room)) must stay free\(kept)", errno: .noSpace)
    }

    private func interrupted() -> SinkError {
        cutBack()
        return SinkError(
            name, "write \(unit) \(wholeFrames)", .interrupted,
            "the time for finishing ended before the \(unit) was written\(kept)")
    }

    private func failure(_ reason: Errno) -> SinkError {
        cutBack()
        let operation = "write \(unit) \(wholeFrames)"
        if reason == .brokenPipe {
            return SinkError(name, operation, .closedPipe, "the reader of \(name) has closed the pipe", errno: reason)
        }
        return SinkError(name, operation, .failed, "\(reason)\(kept)", errno: reason)
    }

    /// The number of whole frames in the file as text, for messages; empty unless ``isRewritable`` is true.
    private var kept: String {
        guard kind == .file else { return "" }
        return wholeFrames == 1
            ? "; the file keeps 1 whole \(unit)" : "; the file keeps \(wholeFrames) whole \(unit)s"
    }

    private func cutBack() {
        // If truncating fails, the file is no worse than before.
        if kind == .file { _ = ftruncate(descriptor, off_t(wholeBytes)) }
    }

    private static func open(_ path: String, _ flags: Int32) -> Int32 {
        // With `O_NONBLOCK`, the opening of a pipe does not wait for a reader. Regular files ignore the flag.
        unsafe path.withCString { unsafe Glibc.open($0, O_WRONLY | O_CLOEXEC | O_NONBLOCK | flags, 0o666) }
    }

    /// Throws for a closed or read-only descriptor, as a closed standard output may be.
    private static func checkWritable(_ descriptor: Int32, _ name: String) throws(SinkError) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags < 0 || flags & O_ACCMODE == O_RDONLY else { return }
        throw SinkError(name, "open", .failed, "it is closed or read-only; redirect it to a file or a pipe")
    }

    private static func isVirtualCamera(_ path: String) -> SinkError {
        SinkError(path, "create", .cannotCreate, "it is a video device; use a virtual camera, not a file output")
    }

    private static func isPipe(_ descriptor: Int32) -> Bool { fileType(descriptor) == S_IFIFO }

    /// True for a named pipe, but not for a socket or a device, which may also answer ENXIO.
    private static func isPipe(at path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    private static func isRegular(_ descriptor: Int32) -> Bool { fileType(descriptor) == S_IFREG }

    private static func fileType(_ descriptor: Int32) -> mode_t {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    }
}

/// True for the node of a V4L2 device, which accepts no bytes before its format is set.
package func isVideoDevice(_ path: String) -> Bool {
    // Source: Linux, `Documentation/admin-guide/devices.txt`.
    let videoMajor: dev_t = 81
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
        && status.st_rdev >> 8 & 0xfff == videoMajor
}

/// Blocks `SIGPIPE` for the calling thread only, so that a closed pipe becomes an error of the write.
package func blockBrokenPipeSignal() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
}
