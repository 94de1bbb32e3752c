#if Media
internal import PipFrames
internal import PipSinks

/// The playlist of a stream's segments, for HTTP Live Streaming (RFC 8216).
struct HLSPlaylist {
    /// A segment in the playlist: its file name and duration.
    struct Entry: Equatable {
        let name: String
        let duration: Duration
    }

    /// The path of the playlist file.
    let path: String
    /// The largest number of segments in the playlist; nil lists all.
    let length: Int?
    private(set) var entries: [Entry] = []
    /// The number of the first entry, counted from the stream's first segment, which is 0.
    private(set) var first = 0
    private var longest = Duration.zero

    init(path: String, length: Int?) {
        self.path = path
        self.length = length
    }

    /// Adds a complete segment.
    ///
    /// - Returns: The names of segments that the caller must delete: they have left the playlist, and a client with an
    ///   older playlist has had time to request them.
    mutating func add(_ entry: Entry) -> [String] {
        entries.append(entry)
        longest = max(longest, entry.duration)
        guard let length else { return [] }
        var gone: [String] = []
        // A client with an older playlist still requests that playlist's segments.
        while entries.count > 2 * length {
            gone.append(entries.removeFirst().name)
            first += 1
        }
        return gone
    }

    /// Returns the text of the playlist; a complete playlist states that no segments follow.
    func text(isComplete: Bool) -> String {
        let listed = length.map { entries.suffix($0) } ?? entries[...]
        let target = max(1, Int(longest.inSeconds.rounded(.up)))
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:\(target)",
            "#EXT-X-MEDIA-SEQUENCE:\(first + entries.count - listed.count)", "#EXT-X-INDEPENDENT-SEGMENTS",
        ]
        if length == nil { lines.append("#EXT-X-PLAYLIST-TYPE:EVENT") }
        for entry in listed {
            let milliseconds = Int((entry.duration.inSeconds * 1000).rounded())
            let fraction = String(milliseconds % 1000)
            lines.append(
                "#EXTINF:\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction + ",")
            lines.append(entry.name)
        }
        if isComplete { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Replaces the playlist file in one step, so that no client reads half of it.
    ///
    /// - Parameter isComplete: True when no segments follow.
    /// - Throws: ``PipSinks/SinkError`` when the file cannot be written.
    func write(isComplete: Bool) throws(SinkError) {
        try WholeFile.replace(path, with: Array(text(isComplete: isComplete).utf8))
    }
}
#endif
