#if Media
internal import PipFrames
internal import PipSinks

/// The list of a live stream's files, as HTTP Live Streaming (RFC 8216) has it.
struct HLSPlaylist {
    /// A file in the list.
    struct Entry: Equatable {
        let name: String
        let duration: Duration
    }

    /// Where it is written.
    let path: String
    /// Files that are listed, at most; nil lists all.
    let length: Int?
    private(set) var entries: [Entry] = []
    /// The number of the first file in the list, from 0.
    private(set) var first = 0
    private var longest = Duration.zero

    init(path: String, length: Int?) {
        self.path = path
        self.length = length
    }

    /// Adds a file that is complete.
    ///
    /// - Returns: The files that nobody asks for any more: those that have been out of the list for as long as it is.
    mutating func add(_ entry: Entry) -> [String] {
        entries.append(entry)
        longest = max(longest, entry.duration)
        guard let length else { return [] }
        var gone: [String] = []
        // Who has the list still reads what it names.
        while entries.count > 2 * length {
            gone.append(entries.removeFirst().name)
            first += 1
        }
        return gone
    }

    /// The list's text; one that is complete says that nothing follows.
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

    /// Writes the list in one step: nobody sees half of it.
    ///
    /// - Parameter isComplete: Whether nothing follows any more.
    /// - Throws: ``PipSinks/SinkError`` when it cannot be written.
    func write(isComplete: Bool) throws(SinkError) {
        try WholeFile.replace(path, with: Array(text(isComplete: isComplete).utf8))
    }
}
#endif
