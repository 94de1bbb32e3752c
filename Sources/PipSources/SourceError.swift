public import SystemPackage

/// The error of a file or another source that cannot be opened, read or used.
public struct SourceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs that react to it.
    public enum Kind: Sendable {
        /// A file, folder, font, file of a sequence or part of a movie does not exist, or a live source cannot be
        /// opened.
        case notFound
        case notPermitted
        /// The content is damaged, truncated, too large or of an unsupported kind.
        case damaged
        /// The options do not fit the source or each other.
        case invalidOptions
        /// Another failure, such as a read error, a lost connection or an error of a ``FrameProvider``.
        case failed
    }

    /// The file's path, or the source's name.
    public let source: String
    /// The failed operation, worded to follow "cannot": `read frame 12`.
    public let operation: String
    /// The kind of failure, for programs that react to it.
    public let kind: Kind
    /// The reason, as a sentence without its full stop.
    ///
    /// After a failed system call, the system's message; after an error of a ``FrameProvider``, that error as text.
    public let reason: String
    /// The error of the system call; nil when no system call failed.
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
