internal import Synchronization

/// An app's own sink, which passes frames to a ``FrameSink``.
public struct CustomSink: Sink {
    public let label: String
    public let opening: SinkOpening
    private let identity: Identity

    private final class Identity: Sendable {}

    /// - Parameters:
    ///   - label: The name in messages and statistics.
    ///   - makeSink: Makes the frame sink. The session calls this closure once when it first plans the output, to learn
    ///     the format, and again when it opens the output.
    public init(_ label: String, _ makeSink: @escaping @Sendable () throws -> sending any FrameSink) {
        self.label = label
        identity = Identity()
        opening = .writer { () throws(SinkError) in
            do {
                return CustomWriter(label, try makeSink())
            } catch {
                throw SinkError(label, "open", .cannotCreate, "\(error)")
            }
        }
    }

    public var destination: SinkDestination? { .object(ObjectIdentifier(identity)) }
}
