#if Media
internal import PipConcurrency
internal import PipFrames

/// The header of a written MP4 or QuickTime file: its dates, and the orientation of its pictures.
///
/// GStreamer's muxer writes the time of its own start as the date, and no orientation (GStreamer 1.22, `gstqtmux.c`).
///
/// Source: ISO/IEC 14496-12, 8.2.2 "Movie header box", 8.3.2 "Track header box", 8.4.2 "Media header box".
struct MovieHeader {
    private let descriptor: Int32
    private let size: UInt64
    private let boxes: MovieBoxes

    /// The number of seconds from 1904, where the dates in these files begin, to 1970.
    private static let epoch: Int64 = 2_082_844_800

    /// Prepares to read the header of a file.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading and writing.
    ///   - size: The file's length in bytes.
    init(_ descriptor: Int32, size: Int) {
        self.descriptor = descriptor
        self.size = UInt64(max(0, size))
        boxes = MovieBoxes(descriptor: descriptor)
    }

    /// Writes the date and the orientation into the header.
    ///
    /// When a write fails, the file keeps the muxer's date or orientation.
    ///
    /// - Parameters:
    ///   - created: The time at which the first picture was captured or composed.
    ///   - orientation: The orientation in which players show the pictures.
    /// - Returns: False when the muxer has not completed the header yet.
    func write(created: WallTime, _ orientation: Orientation) -> Bool {
        guard let movie = boxes.first("moov", in: 0..<size) else { return false }
        let seconds = created.sinceEpoch.components.seconds + Self.epoch
        if let header = boxes.first("mvhd", in: movie.content) { write(seconds, to: header) }
        for track in boxes.boxes(in: movie.content) where track.kind == "trak" {
            if let header = boxes.first("mdia", "mdhd", in: track.content) { write(seconds, to: header) }
            guard let header = boxes.first("tkhd", in: track.content) else { continue }
            write(seconds, to: header)
            if let handler = boxes.first("mdia", "hdlr", in: track.content), isVideo(handler) {
                write(orientation, to: header)
            }
        }
        return true
    }

    /// Replaces the comment by one that takes no more room; zeros follow it.
    ///
    /// Source: Apple, QuickTime File Format, "Metadata atoms and types".
    func write(comment: String) {
        guard let data = boxes.first("moov", "udta", "meta", in: 0..<size),
            let list = boxes.first("ilst", in: data.content.lowerBound + 4..<data.content.upperBound),
            let entry = boxes.boxes(in: list.content).first(where: { $0.kind.hasSuffix("cmt") }),
            let text = boxes.first("data", in: entry.content), text.content.count >= 8 + comment.utf8.count
        else { return }
        let room = text.content.count - 8 - comment.utf8.count
        write(Array(comment.utf8) + Array(repeating: 0, count: room), at: text.content.lowerBound + 8)
    }

    private func isVideo(_ handler: MovieBoxes.Box) -> Bool {
        boxes.bytes(handler.content.lowerBound + 8, 4) == Array("vide".utf8)
    }

    /// Writes the creation time, which is the first field of each header after version and flags.
    private func write(_ seconds: Int64, to header: MovieBoxes.Box) {
        guard let version = boxes.bytes(header.content.lowerBound, 1).first, header.content.count >= 20 else { return }
        write(
            MovieBoxes.bytes(of: UInt64(max(0, seconds)), count: version == 1 ? 8 : 4),
            at: header.content.lowerBound + 4)
    }

    /// Writes the orientation's matrix into a video track's header.
    private func write(_ orientation: Orientation, to header: MovieBoxes.Box) {
        guard orientation != .identity, let version = boxes.bytes(header.content.lowerBound, 1).first else { return }
        let start = header.content.lowerBound + (version == 1 ? 52 : 40)
        // In the header, the matrix comes first, and then width and height in units of 1/65536.
        let sides = boxes.bytes(start + 36, 8)
        guard sides.count == 8, start + 44 <= header.content.upperBound else { return }
        let size = PixelSize(Int(sides[0]) << 8 | Int(sides[1]), Int(sides[4]) << 8 | Int(sides[5]))
        write(
            Self.matrix(orientation, size).flatMap { MovieBoxes.bytes(of: UInt64(truncatingIfNeeded: $0), count: 4) },
            at: start)
    }

    /// Returns the matrix that turns a stored picture upright, in the file's order and fixed-point numbers.
    ///
    /// - Parameters:
    ///   - orientation: The orientation in which players show the picture.
    ///   - size: The size of the stored picture.
    /// - Returns: The nine numbers a, b, u, c, d, v, x, y, w.
    static func matrix(_ orientation: Orientation, _ size: PixelSize) -> [Int] {
        let (width, height) = (size.width, size.height)
        // The directions of the stored axes in the shown picture, and the offset that moves the picture's corner to 0.
        let (a, b, c, d, x, y) =
            switch orientation.quarterTurns {
            case 1: (0, 1, -1, 0, height, 0)
            case 2: (-1, 0, 0, -1, width, height)
            case 3: (0, -1, 1, 0, 0, width)
            default: (1, 0, 0, 1, 0, 0)
            }
        let one = 1 << 16
        guard orientation.isMirrored else {
            return [a * one, b * one, 0, c * one, d * one, 0, x * one, y * one, 1 << 30]
        }
        // Mirroring moves the stored column x to width - x, before the turn.
        return [
            -a * one, -b * one, 0, c * one, d * one, 0, (x + a * width) * one, (y + b * width) * one, 1 << 30,
        ]
    }

    private func write(_ bytes: [UInt8], at offset: UInt64) { MovieBoxes.write(bytes, at: offset, to: descriptor) }
}
#endif
