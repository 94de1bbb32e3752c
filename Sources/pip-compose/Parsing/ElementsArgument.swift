import PipCompose

#if Media
import PipMedia
import PipSources

/// Elements of GStreamer that the user typed as an output: `gst:videoconvert ! autovideosink`.
struct ElementsArgument: Sendable, Equatable {
    private let text: String

    /// Nil for what are no elements.
    ///
    /// - Throws: ``UsageError`` when there are none.
    init?(_ text: String) throws(UsageError) {
        guard text.hasPrefix("gst:") else { return nil }
        self.text = String(text.dropFirst("gst:".count))
        guard !self.text.allSatisfy(\.isWhitespace) else {
            throw UsageError(
                "gst: which elements? Write them as for gst-launch-1.0: gst:videoconvert ! autovideosink")
        }
    }

    /// The elements without what is secret.
    var name: String { "gst:\(SourceElements(text).shown)" }

    var sink: any Sink { ElementsSink(text) }
}
#else
/// Stands for elements in a program that was built without them.
enum ElementsArgument: Sendable, Equatable {
    init?(_ text: String) throws(UsageError) {
        guard text.hasPrefix("gst:") else { return nil }
        throw UsageError(
            "gst:…: this pip-compose was built without movies, streams and sound; build it with the trait Media, which "
                + "is on by default, or pipe Y4M to another program: --output - | gst-launch-1.0 fdsrc ! y4mdec ! …")
    }

    var name: String { "" }

    var sink: any Sink { NullSink() }
}
#endif
