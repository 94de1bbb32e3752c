#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames
internal import PipSinks

/// The tags of a movie file: its date, the names of its cameras, its orientation and the program that wrote it.
struct MovieTags: Sendable {
    let container: MovieContainer
    /// The names of the cameras in the picture; nil for a picture without cameras.
    let title: String?
    /// The time at which the first picture was captured or composed.
    var start: WallTime
    /// The orientation in which players show the pictures.
    let orientation: Orientation
    /// The part of a movie that this file holds; nil when the file holds the whole movie.
    var part: MoviePart?
    /// The moments that a clip keeps; empty for other recordings.
    var moments: [Moment] = []
    /// The timestamp of the first picture that players show.
    var shownFrom = Timestamp.zero

    /// The program's name, for the tags of files.
    private static let program = "pip-compose"
    /// The longest title, in bytes.
    private static let longestTitle = 120

    /// The text between two cameras' names in a title.
    private static let separator = ", "
    /// The same text within a camera's name: it looks alike, but its space does not break.
    private static let comma = ",\u{a0}"

    /// Makes the title of a picture from its cameras' names, each once, cut after ``longestTitle``.
    ///
    /// Nil for a picture without cameras.
    static func title(_ cameras: [String]) -> String? {
        var names: [String] = []
        for name in cameras where !name.isEmpty && !names.contains(name) { names.append(name) }
        var title = names.map { $0.replacing(separator, with: comma) }.joined(separator: separator)
        while title.utf8.count > longestTitle { title.removeLast() }
        return title.isEmpty ? nil : title
    }

    /// The names of the cameras in a title.
    static func cameras(inTitle title: String) -> [String] {
        title.split(separator: separator).map { String($0.replacing(comma, with: separator)) }
    }

    /// Returns a comment about moments as the muxer gets it: with room for the moments that come later.
    private func reserved(_ comment: String) -> String {
        if isMatroska { return MatroskaText(comment: comment).placeholder }
        let room = container == .ts ? 0 : max(0, MatroskaText.longest - comment.utf8.count)
        return comment + String(repeating: " ", count: room)
    }

    /// The comment about the moments of a clip, as far as it has room; nil without moments.
    private func comment(_ moments: [Moment]) -> String? {
        var comment = ""
        for moment in moments {
            let recorded = RecordedMoment(moment.description, at: shownFrom.duration(to: moment.time))
            let longer = comment + (comment.isEmpty ? "" : "; ") + recorded.comment
            if longer.utf8.count > MatroskaText.longest { break }
            comment = longer
        }
        return comment.isEmpty ? nil : comment
    }

    /// True for Matroska and WebM, whose muxer escapes characters in texts.
    private var isMatroska: Bool { container == .mkv || container == .webm }

    /// Sets the tags that the pipeline's muxer can write.
    ///
    /// Call this method before the pipeline runs.
    func use(for pipeline: Pipeline) {
        let components = start.sinceEpoch.components
        let (seconds, microseconds) = (gint64(components.seconds), gint64(components.attoseconds / 1_000_000_000_000))
        unsafe pipeline.withElement("mux") { muxer in
            unsafe pip_tag_text(muxer, "encoder", Self.program)
            unsafe pip_tag_text(muxer, "application-name", Self.program)
            if let title {
                unsafe pip_tag_text(
                    muxer, "title", (isMatroska ? MatroskaText(title: title)?.placeholder : nil) ?? title)
            }
            if let comment = part?.comment ?? self.comment(moments).map(reserved) {
                unsafe pip_tag_text(muxer, "comment", comment)
            }
            if isMatroska {
                guard let second = unsafe g_date_time_new_from_unix_utc(seconds) else { return }
                defer { unsafe g_date_time_unref(second) }
                guard let time = unsafe g_date_time_add(second, microseconds) else { return }
                defer { unsafe g_date_time_unref(time) }
                unsafe pip_set_boxed(muxer, "creation-time", UnsafeMutableRawPointer(time))
            } else if let time = unsafe gst_date_time_new_from_unix_epoch_utc_usecs(seconds * 1_000_000 + microseconds)
            {
                defer { unsafe gst_date_time_unref(time) }
                unsafe pip_tag_time(muxer, "datetime", time)
            }
        }
        if isMatroska { pipeline.set("writing-app", of: "mux", to: Self.program) }
    }

    /// Writes the date into a complete file; a transport stream has none.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading and writing.
    ///   - size: The file's length in bytes.
    func date(_ descriptor: Int32, size: Int) {
        switch container {
        case .mp4, .mov: _ = MovieHeader(descriptor, size: size).write(created: start, orientation)
        case .mkv, .webm: MatroskaDate(descriptor)?.write(start)
        case .ts: break
        }
    }

    /// Writes the tags that the muxer cannot write.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading and writing.
    ///   - size: The file's length in bytes.
    ///   - moments: The moments that a clip keeps; empty for other recordings.
    /// - Returns: False when the muxer has not written the header yet, and when a Matroska file has its texts already.
    func complete(_ descriptor: Int32, size: Int, _ moments: [Moment] = []) -> Bool {
        let comment = self.comment(moments)
        switch container {
        case .mp4, .mov:
            let header = MovieHeader(descriptor, size: size)
            if let comment { header.write(comment: comment) }
            return header.write(created: start, orientation)
        case .mkv, .webm:
            let texts = [title.flatMap { MatroskaText(title: $0) }, comment.map { MatroskaText(comment: $0) }]
            return !texts.compactMap(\.self).map { $0.write(to: descriptor, size: size) }.contains(false)
        case .ts: return true
        }
    }
}
#endif
