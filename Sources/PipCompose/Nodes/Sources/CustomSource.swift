/// A source of an app's own: frames that a ``FrameProvider`` makes or fetches.
///
/// For frames that come by themselves, by a callback say, ``AppSource`` is the simpler way.
public final class CustomSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - label: The name in messages and statistics.
    ///   - makeProvider: Makes the provider; called when a session opens the source, on a thread of its own.
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
