/// An app's own source, whose frames a ``FrameProvider`` makes or fetches on demand.
///
/// ``AppSource`` is simpler for frames that arrive unasked, such as in a callback.
public final class CustomSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - label: The name in messages and statistics.
    ///   - makeProvider: Makes the provider. The session calls this closure on a separate thread when it opens the
    ///     source.
    public init(_ label: String, _ makeProvider: @escaping @Sendable () throws -> sending any FrameProvider) {
        node = GraphNode(.source(CustomSpecification(label: label, makeProvider: makeProvider)))
    }
}

private struct CustomSpecification: OpenableSource {
    let label: String
    let makeProvider: @Sendable () throws -> sending any FrameProvider

    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed {
        let provider: any FrameProvider
        do { provider = try makeProvider() } catch {
            throw .source(SourceError(label, "open", .failed, "\(error)"))
        }
        let (reader, stop) = ProviderReader.make(label, provider)
        return ReaderInlet.feed(
            id, label, ReaderSource(reader, clock: context.clock, onStop: stop, onError: context.onError), context)
    }
}
