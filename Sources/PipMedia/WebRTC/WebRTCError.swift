#if Media
/// The failure to serve a viewer of a ``WebRTCBroadcast``.
///
/// Servers can derive an HTTP status from ``kind``.
public struct WebRTCError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure, from which servers can derive their response.
    public enum Kind: Sendable {
        /// No session sends the output at present.
        case notRunning
        /// The number of viewers has reached its limit.
        case full
        /// A session description is invalid.
        case invalidDescription
        /// The other side does not play the output's codec.
        case unsupported
        /// No viewer has the identifier.
        case unknownViewer
        /// The media engine lacks an element, or cannot make the connection.
        case failed
    }

    /// The name of the output, in messages and statistics.
    public let output: String
    /// The kind of failure, for an HTTP status.
    public let kind: Kind
    /// The reason for the failure, as a sentence without its full stop.
    public let reason: String

    init(_ output: String, _ kind: Kind, _ reason: String) {
        self.output = output
        self.kind = kind
        self.reason = reason
    }

    public var description: String { "\(output): \(reason)" }
}
#endif
