internal import Logging

/// A source that is read frame by frame.
struct ReaderSpecification: OpenableSource {
    var label: String
    var makeReader: @Sendable () throws(SourceError) -> sending any FrameReader

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
