package import PipCompose

#if Media
internal import PipMedia
internal import PipSources

/// A parsed output to GStreamer elements: `gst:videoconvert ! autovideosink`.
package struct ElementsArgument: Sendable, Equatable {
    private let text: String

    /// Parses an output; nil for a text without the prefix `gst:`.
    ///
    /// - Throws: ``UsageError`` for an output without elements.
    package init?(_ text: String) throws(UsageError) {
        guard text.hasPrefix("gst:") else { return nil }
        self.text = String(text.dropFirst("gst:".count))
        guard !self.text.allSatisfy(\.isWhitespace) else {
            throw UsageError("gst: elements are missing: write gst:videoconvert ! autovideosink, as for gst-launch-1.0")
        }
    }

    /// The elements, with secrets masked.
    package var name: String { "gst:\(SourceElements(text).shown)" }

    package var sink: any Sink { ElementsSink(text) }
}
#else
/// Refuses `gst:` outputs in a program that was built without media.
package enum ElementsArgument: Sendable, Equatable {
    package init?(_ text: String) throws(UsageError) {
        guard text.hasPrefix("gst:") else { return nil }
        throw UsageError(
            "gst:…: \(withoutMedia), or pipe Y4M to another program: --output - | gst-launch-1.0 fdsrc ! y4mdec ! …")
    }

    package var name: String { "" }

    package var sink: any Sink { NullSink() }
}
#endif
