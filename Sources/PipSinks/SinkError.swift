internal import Glibc
internal import PipFrames
public import SystemPackage

/// A failed operation of a sink, or of another writer of files.
public struct SinkError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs that react to it.
    public enum Kind: Sendable {
        /// The sink's options or name are invalid, or the sink cannot perform the operation.
        case invalidOptions
        /// The file, device, window or connection cannot be opened, or a needed library or encoder is missing.
        case cannotCreate
        /// Writing or another operation failed: the disk is full, the device is gone, or there is another reason.
        case failed
        /// The program that reads the pipe has closed it.
        case closedPipe
        /// The user has closed the window.
        case closedWindow
        /// The write was cancelled: the time for finishing had run out, or the joining of movies was stopped.
        case interrupted
    }

    /// The file's path, or the sink's name.
    public let sink: String
    /// The failed operation, worded to follow "cannot": `write frame 12`.
    public let operation: String
    /// The kind of failure, for programs that react to it.
    public let kind: Kind
    /// The reason, without a full stop at its end, such as the system's message for ``errno``.
    public let reason: String
    /// The error of the failed system call, or the one that describes the failure, such as `EEXIST`; nil if none does.
    public let errno: Errno?

    package init(_ sink: String, _ operation: String, _ kind: Kind, _ reason: String, errno: Errno? = nil) {
        self.sink = sink
        self.operation = operation
        self.kind = kind
        self.reason = reason
        self.errno = errno
    }

    init(_ sink: String, _ operation: String, _ kind: Kind, _ errno: Errno) {
        self.init(sink, operation, kind, "\(errno)", errno: errno)
    }

    /// True when the program that reads the standard output has closed it, as `head` does, which is no failure.
    public var endsStandardOutput: Bool {
        kind == .closedPipe && [OutputDestination.standardOutput.name, "/dev/stdout"].contains(sink)
    }

    /// True when the user has closed the window, or another program has closed the standard output: an end rather than
    /// a failure.
    public var endsByReader: Bool { kind == .closedWindow || endsStandardOutput }

    public var description: String { "\(sink.isEmpty ? "\"\"" : sink): cannot \(operation): \(reason)" }
}

extension SinkError {
    /// Makes the error for a file that exists and must not be overwritten.
    package static func exists(_ path: String) -> SinkError {
        SinkError(
            path, "create", .cannotCreate,
            "it exists; overwrite it with overwrite=on (join: --overwrite), or name another file", errno: .fileExists)
    }

    /// The error of a file that cannot be created; `errno` is the value that the failed call has set.
    package static func cannotCreate(_ path: String, errno: CInt) -> SinkError {
        cannotCreate(path, Errno(rawValue: errno))
    }

    /// The error of a file that cannot be created, with advice for a missing folder, or a folder of the same name.
    package static func cannotCreate(_ path: String, _ reason: Errno) -> SinkError {
        let folder = FilePath(path).removingLastComponent().string
        let help: String
        switch reason {
        case .noSuchFileOrDirectory where unsafe !folder.isEmpty && access(folder, F_OK) != 0:
            help = "the folder \(folder) does not exist; this makes it: mkdir -p \(ShellWord.quoted(folder))"
        case .isDirectory: help = "it is a folder; name a file in it"
        default: help = "\(reason)"
        }
        return SinkError(path, "create", .cannotCreate, help, errno: reason)
    }
}
