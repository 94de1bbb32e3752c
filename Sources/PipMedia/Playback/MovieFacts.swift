#if Media
package import PipConcurrency
internal import PipFrames
package import PipSources

/// The facts about a movie file that a list of recordings shows, read from the file itself.
package struct MovieFacts: Sendable, Equatable {
    /// The time at which the first picture was captured or composed; nil when the file does not state it.
    ///
    /// MP4 and QuickTime state whole seconds.
    package let start: WallTime?
    /// The playing time; nil when the file does not state it.
    package let duration: Duration?
    /// The names of the cameras in the picture, which the title states; empty for a file without a title.
    package let cameras: [String]
    /// The moments that the file keeps; empty for a recording that is no clip.
    package let moments: [RecordedMoment]
    /// True for a recording that was not completed: it is being written, or was interrupted.
    package let isUnfinished: Bool

    /// Reads a file's header and first picture.
    ///
    /// Blocks until they are read: some milliseconds, and at most some seconds.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: ``PipSources/SourceError`` when the file cannot be read, or has no pictures.
    package init(ofFile path: String) throws(SourceError) {
        let findings = try MovieFileCheck.findings(of: path)
        // GStreamer may tell nothing of such a file, and the reader would wait for two seconds.
        guard findings.hasIndex else { throw SourceError(path, "read", .damaged, "it has no index, the box moov") }
        isUnfinished = findings.isUnfinished
        let reader = try PacketReader(path, takesTruncated: true)
        guard try reader.nextPicture() != nil else { throw SourceError(path, "read", .damaged, "it has no pictures") }
        (start, duration) = (reader.date ?? MatroskaDate.time(inFile: path), reader.duration)
        cameras = reader.title.map { MovieTags.cameras(inTitle: $0) } ?? []
        moments = reader.comment.map { RecordedMoment.moments(inComment: $0) } ?? []
    }

    /// True for a file's name that a recording can have; hidden files are not complete.
    package static func isMovie(_ name: String) -> Bool {
        !name.hasPrefix(".") && MovieContainer(path: name) != nil
    }
}

/// A moment in the comment of a clip: `0:15 brake (0.6 g)`.
package struct RecordedMoment: Sendable, Hashable {
    /// The time from the clip's first shown picture to the moment, in whole seconds.
    package let offset: Duration
    /// The moment's name, with its cause in parentheses.
    package let text: String

    package init(_ text: String, at offset: Duration) { (self.text, self.offset) = (text, offset) }

    /// The moment as a comment has it.
    var comment: String {
        let seconds = max(0, (offset + .milliseconds(500)).components.seconds)
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest) \(text)"
    }

    /// Parses a file's comment; texts without a time are left out.
    static func moments(inComment comment: String) -> [RecordedMoment] {
        comment.split(separator: "; ").compactMap { entry in
            let parts = entry.split(separator: " ", maxSplits: 1)
            let numbers = parts.first?.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) } ?? []
            guard parts.count == 2, numbers.count == 2, let minutes = numbers[0], let seconds = numbers[1],
                minutes >= 0, minutes < 1 << 32, (0..<60).contains(seconds)
            else { return nil }
            return RecordedMoment(String(parts[1]), at: .seconds(60 * minutes + seconds))
        }
    }
}
#endif
