#if Media
/// A viewer that cannot be served, or a peer that cannot be reached.
public struct WebRTCError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure, by which a server decides.
    public enum Kind: Sendable {
        /// No session draws the output now.
        case notRunning
        /// There are as many viewers as may be.
        case full
        /// A session description makes no sense.
        case invalidDescription
        /// The other side does not play what is sent.
        case unsupported
        /// There is no such viewer.
        case unknownViewer
        /// The media engine lacks a part, or failed.
        case failed
    }

    /// The output's name.
    public let output: String
    /// The kind of failure.
    public let kind: Kind
    /// The reason, as a sentence without its full stop.
    public let reason: String

    init(_ output: String, _ kind: Kind, _ reason: String) {
        self.output = output
        self.kind = kind
        self.reason = reason
    }

    public var description: String { "\(output): \(reason)" }
}
#endif
