public import SystemPackage

/// A source that cannot be opened, or that failed while it was read.
public struct SourceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure, by which a caller decides.
    public enum Kind: Sendable {
        /// The file does not exist.
        case notFound
        case notPermitted
        /// The content is not what it claims to be, is truncated, or is of an unsupported kind.
        case damaged
        /// The source's options do not fit it or each other.
        case invalidOptions
        /// Reading failed.
        case failed
    }

    /// The file's path, or the source's name.
    public let source: String
    /// The operation, to follow "cannot": `read frame 12`.
    public let operation: String
    /// The kind of failure.
    public let kind: Kind
    /// The reason, as a sentence without its full stop: for a system call, the system's message.
    public let reason: String
    /// The error of the system call; nil when the content is at fault.
    public let errno: Errno?

    package init(_ source: String, _ operation: String, _ kind: Kind, _ reason: String) {
        self.source = source
        self.operation = operation
        self.kind = kind
        self.reason = reason
        errno = nil
    }

    package init(_ source: String, _ operation: String, _ errno: Errno) {
        self.source = source
        self.operation = operation
        kind =
            switch errno {
            case .noSuchFileOrDirectory, .notDirectory: .notFound
            case .permissionDenied, .notPermitted: .notPermitted
            default: .failed
            }
        reason = "\(errno)"
        self.errno = errno
    }

    public var description: String { "\(source): cannot \(operation): \(reason)" }
}
