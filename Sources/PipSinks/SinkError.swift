public import SystemPackage

/// A sink that cannot be created, or that failed while it was written.
public struct SinkError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, as far as a caller would act on it.
    public enum Kind: Sendable {
        /// Its options or its name make no sense.
        case invalidOptions
        /// The file cannot be created or opened.
        case cannotCreate
        /// Writing failed: the disk is full, the device is gone.
        case failed
        /// Nobody reads the other end of the pipe any more.
        case closedPipe
        /// It was given up because its time was over.
        case interrupted
    }

    /// The file's path, or the sink's name.
    public let sink: String
    /// What was tried, to follow "cannot": `write frame 12`.
    public let operation: String
    public let kind: Kind
    /// Why it failed, as a sentence without its full stop: for a call that failed, its name and the system's words.
    public let reason: String
    /// What the call gave as its reason; nil when no call failed.
    public let errno: Errno?

    package init(_ sink: String, _ operation: String, _ kind: Kind, _ reason: String, errno: Errno? = nil) {
        self.sink = sink
        self.operation = operation
        self.kind = kind
        self.reason = reason
        self.errno = errno
    }

    init(_ sink: String, _ operation: String, _ kind: Kind, call: String, _ errno: Errno) {
        self.init(sink, operation, kind, "\(call): \(errno)", errno: errno)
    }

    /// Whether it only says that the reader of the standard output has had enough, as `head` has.
    public var endsStandardOutput: Bool {
        kind == .closedPipe && [OutputDestination.standardOutput.name, "/dev/stdout"].contains(sink)
    }

    public var description: String { "\(sink): cannot \(operation): \(reason)" }
}
