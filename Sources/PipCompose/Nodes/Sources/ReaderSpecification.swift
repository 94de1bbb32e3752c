internal import Logging

/// A source that is read frame by frame.
package struct ReaderSpecification: OpenableSource {
    package var label: String
    private let makeReader: @Sendable () throws(SourceError) -> sending any FrameReader

    /// - Parameters:
    ///   - label: What messages call it.
    ///   - makeReader: Opens the source, when a session does.
    package init(
        label: String, makeReader: @escaping @Sendable () throws(SourceError) -> sending any FrameReader
    ) {
        self.label = label
        self.makeReader = makeReader
    }

    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed {
        do throws(SourceError) {
            let source = ReaderSource(try makeReader(), clock: context.clock, onError: context.onError)
            let description = source.description
            var format = SourceFormat(
                layout: description.layout, colorimetry: description.colorimetry, orientation: description.orientation)
            format.isStill = description.isStill
            if let note = description.note { context.logger?.warning("\(label): \(note)") }
            return SourceFeed(id: id, name: label, inlet: .reader(source), format: format, rate: description.rate)
        } catch {
            throw .source(error)
        }
    }
}
