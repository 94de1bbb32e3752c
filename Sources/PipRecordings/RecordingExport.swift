#if Media
package import PipConcurrency
internal import PipFrames
package import PipSources

/// The files to join for a span of recordings, and the span within the joined files.
package struct RecordingSpan: Sendable, Hashable {
    /// The names of the recordings, in the order of joining.
    package let names: [String]
    /// The span in the time of the joined files.
    package let times: Range<Duration>

    /// The largest gap between two parts of a recording, whose files state their beginning in whole seconds.
    private static let largestGap = Duration.milliseconds(1500)

    /// Chooses the parts of a recording in a span of time, each of which begins where the one before ends; nil when no
    /// part lies in the span.
    ///
    /// - Parameters:
    ///   - recording: A part of the recording.
    ///   - others: The other recordings of its folder, in any order.
    ///   - from: The beginning of the span; nil for the beginning of the part.
    ///   - to: The end of the span; nil for the end of the part.
    init?(of recording: Recording, among others: [Recording], from: WallTime?, to: WallTime?) {
        let (from, to) = (from ?? recording.start, to ?? recording.end)
        let parts = others.filter { $0.name != recording.name && $0.series == recording.series } + [recording]
        var names: [String] = []
        // The time of day at which the joined files begin, and their length.
        var (origin, length) = (from.sinceEpoch, Duration.zero)
        for part in parts.sorted(by: { ($0.start.sinceEpoch, $0.fileName) < ($1.start.sinceEpoch, $1.fileName) })
        where part.end.sinceEpoch > from.sinceEpoch && part.start.sinceEpoch < to.sinceEpoch {
            if names.isEmpty { origin = part.start.sinceEpoch }
            let gap = part.start.sinceEpoch - origin - length
            if !names.isEmpty, gap > Self.largestGap || gap < .zero - Self.largestGap { break }
            names.append(part.name)
            length += part.duration
        }
        let (start, end) = (max(.zero, from.sinceEpoch - origin), min(length, to.sinceEpoch - origin))
        guard !names.isEmpty, start < end else { return nil }
        (self.names, times) = (names, start..<end)
    }
}

extension Recording {
    /// The name that the parts of one recording share: the file's name without its digits.
    package var series: String { fileName.filter { !$0.isNumber } }
}

extension Recordings {
    /// Chooses the parts of a recording in a span of time.
    ///
    /// - Parameters:
    ///   - name: The name of a part.
    ///   - from: The beginning of the span; nil for the beginning of the part.
    ///   - to: The end of the span; nil for the end of the part.
    /// - Returns: The parts, up to the first gap between them, and the span within them.
    /// - Throws: ``PipSources/SourceError`` when there is no such recording, and when it has no part in the span.
    package func span(of name: String, from: WallTime?, to: WallTime?) throws(SourceError) -> RecordingSpan {
        let recording = try recording(name)
        var query = RecordingQuery()
        (query.from, query.to, query.limit) = (from ?? recording.start, to ?? recording.end, 10_000)
        guard let span = RecordingSpan(of: recording, among: try list(query), from: from, to: to) else {
            throw SourceError(path(of: name), "export", .invalidOptions, "it has nothing in that span of time")
        }
        return span
    }
}
#endif
