#if Media
internal import PipFrames

/// The edit lists of a complete MP4 or QuickTime file, which say what part of each track players show.
///
/// GStreamer's muxer writes one list for each track: an optional empty edit, and then the whole track (GStreamer 1.22,
/// `gst_qt_mux_update_edit_lists`).
///
/// Source: ISO/IEC 14496-12, 8.6.6 "Edit list box".
struct MovieEdits {
    private let descriptor: Int32
    private let size: UInt64
    private let boxes: MovieBoxes

    /// An edit: its length in the movie's time scale, and its beginning in the track's; nil for an empty edit.
    struct Edit: Equatable {
        var length: UInt64
        var start: UInt64?
    }

    /// Prepares to change the edits of a file.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading and writing.
    ///   - size: The file's length in bytes.
    init(_ descriptor: Int32, size: Int) {
        self.descriptor = descriptor
        self.size = UInt64(max(0, size))
        boxes = MovieBoxes(descriptor: descriptor)
    }

    /// Leaves out the beginning of the movie: players decode it, but show and play only what follows.
    ///
    /// A file without edit lists, such as one that was not completed, is shown from its first picture on.
    func skip(_ lead: Duration) {
        guard let movie = boxes.first("moov", in: 0..<size), let header = boxes.first("mvhd", in: movie.content),
            let scale = number(of: header, long: (20, 4), short: (12, 4)), scale > 0
        else { return }
        let skipped = UInt64((lead.inSeconds * Double(scale)).rounded())
        shorten(header, by: skipped, long: (24, 8), short: (16, 4))
        for track in boxes.boxes(in: movie.content) where track.kind == "trak" {
            guard let media = boxes.first("mdia", "mdhd", in: track.content),
                let list = boxes.first("edts", "elst", in: track.content),
                let mediaScale = number(of: media, long: (20, 4), short: (12, 4)),
                let edits = edits(of: list)
            else { continue }
            write(Self.skipping(skipped, of: edits, scale: Double(mediaScale) / Double(scale)), to: list)
            if let header = boxes.first("tkhd", in: track.content) {
                shorten(header, by: skipped, long: (28, 8), short: (20, 4))
            }
        }
    }

    /// Returns the edits without their beginning.
    ///
    /// - Parameters:
    ///   - skipped: The length to leave out, in the movie's time scale.
    ///   - edits: The edits.
    ///   - scale: The track's time scale over the movie's.
    /// - Returns: The remaining edits.
    static func skipping(_ skipped: UInt64, of edits: [Edit], scale: Double) -> [Edit] {
        var (rest, left) = (skipped, [Edit]())
        for edit in edits {
            let cut = min(rest, edit.length)
            rest -= cut
            if cut == edit.length { continue }
            left.append(
                Edit(length: edit.length - cut, start: edit.start.map { $0 + UInt64((Double(cut) * scale).rounded()) }))
        }
        return left
    }

    // MARK: Fields

    /// The position and the size of a field behind a box's version and flags, in bytes.
    private typealias Field = (offset: UInt64, count: Int)

    private func isLong(_ box: MovieBoxes.Box) -> Bool { boxes.bytes(box.content.lowerBound, 1).first == 1 }

    private func number(of box: MovieBoxes.Box, long: Field, short: Field) -> UInt64? {
        let field = isLong(box) ? long : short
        let bytes = boxes.bytes(box.content.lowerBound + field.offset, field.count)
        return bytes.count == field.count ? MovieBoxes.number(bytes[...]) : nil
    }

    private func shorten(_ box: MovieBoxes.Box, by length: UInt64, long: Field, short: Field) {
        guard let whole = number(of: box, long: long, short: short), whole > length else { return }
        let field = isLong(box) ? long : short
        write(MovieBoxes.bytes(of: whole - length, count: field.count), at: box.content.lowerBound + field.offset)
    }

    private func edits(of list: MovieBoxes.Box) -> [Edit]? {
        guard let count = number(of: list, long: (4, 4), short: (4, 4)), count < 16 else { return nil }
        let size = isLong(list) ? 8 : 4
        return (0..<Int(count)).map { index in
            let bytes = boxes.bytes(list.content.lowerBound + UInt64(8 + index * (2 * size + 4)), 2 * size)
            let start = bytes.dropFirst(size)
            return Edit(
                length: MovieBoxes.number(bytes.prefix(size)),
                start: start.allSatisfy { $0 == 0xff } ? nil : MovieBoxes.number(start))
        }
    }

    /// Writes fewer edits than before; a box of free space takes the rest of the list.
    private func write(_ edits: [Edit], to list: MovieBoxes.Box) {
        let size = isLong(list) ? 8 : 4
        var entries: [UInt8] = []
        for edit in edits {
            entries += MovieBoxes.bytes(of: edit.length, count: size)
            entries += edit.start.map { MovieBoxes.bytes(of: $0, count: size) } ?? [UInt8](repeating: 0xff, count: size)
            // The rate, 1.
            entries += [0, 1, 0, 0]
        }
        let head = boxes.bytes(list.content.lowerBound, 4)
        let used = 16 + entries.count
        let room = list.content.count + 8 - used
        guard !edits.isEmpty, head.count == 4, room == 0 || room >= 8 else { return }
        var bytes = MovieBoxes.bytes(of: UInt64(used), count: 4) + Array("elst".utf8) + head
        bytes += MovieBoxes.bytes(of: UInt64(edits.count), count: 4) + entries
        if room > 0 { bytes += MovieBoxes.bytes(of: UInt64(room), count: 4) + Array("free".utf8) }
        write(bytes, at: list.content.lowerBound - 8)
    }

    private func write(_ bytes: [UInt8], at offset: UInt64) { MovieBoxes.write(bytes, at: offset, to: descriptor) }
}
#endif
