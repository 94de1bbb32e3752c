internal import PipCodecs
package import PipConcurrency
package import PipFrames

/// Reads a YUV4MPEG2 stream from a file or pipe.
///
/// 8-bit samples with 4:2:0 chroma or grey are delivered unchanged; other samples are converted.
package final class Y4MReader: FrameReader {
    package let description: SourceDescription
    package let interruption: Interruption
    private var file: InputFile
    /// The offset of the first frame.
    ///
    /// Units: bytes.
    private let start: Int
    private let loops: Bool
    private let header: Y4MHeader
    private var vectors = FrameVectors()
    /// The converter for samples that need conversion, created for the first frame.
    private lazy var unpacker = Y4MUnpacker(header)

    /// The magic bytes at the beginning of every frame; tags may follow in the same line.
    private static let frameSignature: StaticString = "FRAME"

    /// Opens a stream and reads its header.
    ///
    /// Blocks until the writer of a pipe has written the header, or the interruption is raised.
    ///
    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard input.
    ///   - loops: True to start again at the end, without end. Pipes cannot loop.
    ///   - stride: The row stride of the luma plane in memory. Units: bytes. Nil for rows without padding.
    ///   - interruption: The interruption that cancels waits for a pipe.
    ///   - opening: The interruption that cancels the wait for the header; nil uses `interruption`.
    /// - Throws: ``SourceError`` when the file cannot be opened or is not a supported stream, when a pipe should loop,
    ///   or
    ///   when the wait for the header is interrupted.
    package init(
        path: String, loops: Bool = false, stride: Int? = nil, interruption: Interruption = Interruption(),
        opening: Interruption? = nil
    ) throws(SourceError) {
        self.interruption = interruption
        file = try InputFile(path: path, interruption: opening ?? interruption)
        if loops { try file.requireLoop() }
        self.loops = loops
        let (header, start) = try Self.header(of: file)
        file.interruption = interruption
        self.start = start
        self.header = header
        let notes = [header.samples.note, header.isInterlaced ? "interlaced, shown without deinterlacing" : nil]
            .compactMap(\.self)
        description = SourceDescription(
            name: file.name, layout: header.layout(stride: stride), colorimetry: header.deliveredColorimetry,
            rate: header.rate, length: loops ? .endless : Self.length(of: file, start, header),
            note: notes.isEmpty ? nil : notes.joined(separator: "; "))
    }

    package func skip(to index: Int) throws(SourceError) -> Int {
        // Frames with tags of different lengths can only be found in order.
        guard let count = Self.length(of: file, start, header).count, count > 0 else { return 0 }
        let next = loops ? index : min(index, count - 1)
        try file.seek(to: start + next % count * Self.frameByteCount(header))
        return next
    }

    package func read(into buffer: FrameBuffer, index: Int) throws(SourceError) -> Bool {
        try loop(index) { () throws(SourceError) in try copy(into: buffer, index) } != nil
    }

    package func next(index: Int, memory: () -> FrameBuffer?) throws(SourceError) -> FrameBuffer? {
        try loop(index) { () throws(SourceError) in
            if header.samples.isUnchanged, let frame = try file.mapFrame(description.layout, frame: index) {
                return frame
            }
            guard let buffer = memory() else { return nil }
            return try copy(into: buffer, index)
        }
    }

    /// Reads the line before a frame, and then the frame with `take`.
    ///
    /// At its end, a looping stream starts again.
    private func loop(
        _ index: Int, _ take: () throws(SourceError) -> FrameBuffer?
    ) throws(SourceError) -> FrameBuffer? {
        if try readFrameLine(index) { return try take() }
        guard loops, !interruption.isRaised else { return nil }
        guard index > 0 else { throw SourceError(file.name, "loop", .damaged, "it has no frames") }
        try file.seek(to: start)
        return try readFrameLine(index) ? try take() : nil
    }

    private func copy(into buffer: FrameBuffer, _ index: Int) throws(SourceError) -> FrameBuffer? {
        let isUnchanged = header.samples.isUnchanged
        let (memory, layout) =
            isUnchanged ? (buffer, description.layout) : (unpacker.packed, unpacker.packedLayout)
        if try file.readPlanes(into: memory, layout, &vectors, frame: index) {
            if !isUnchanged { unpacker.unpack(into: buffer, description.layout) }
            return buffer
        }
        guard interruption.isRaised else {
            throw SourceError(
                file.name, "read frame \(index)", .damaged,
                "the frame is cut off after 0 of \(layout.payloadByteCount) bytes")
        }
        return nil
    }

    /// Reads the line before a frame: `FRAME`, tags, and a line feed.
    ///
    /// - Returns: False at the end of the stream, or when interrupted.
    private func readFrameLine(_ index: Int) throws(SourceError) -> Bool {
        var line: InlineArray<6, UInt8> = InlineArray(repeating: 0)
        var span = line.mutableSpan
        let count = try unsafe span.withUnsafeMutableBytes { bytes throws(SourceError) in
            try unsafe file.read(bytes, "read frame \(index)")
        }
        if count == 0 || interruption.isRaised { return false }
        for offset in 0..<5 {
            guard offset < count else {
                throw SourceError(file.name, "read frame \(index)", .damaged, "it is cut off in its first line")
            }
            guard unsafe line[offset] == Self.frameSignature.utf8Start[offset] else {
                let cause =
                    "; the frame before it has fewer or more bytes than the stream's size and format require"
                throw SourceError(
                    file.name, "read frame \(index)", .damaged,
                    "it does not begin with FRAME" + (index == 0 ? "" : cause))
            }
        }
        var byte = count > 5 ? line[5] : 0
        var length = 6
        while byte != UInt8(ascii: "\n") {
            guard length < Y4MHeader.longestLine, length > 6 || byte == UInt8(ascii: " "),
                try unsafe withUnsafeMutableBytes(
                    of: &byte,
                    { bytes throws(SourceError) in
                        try unsafe file.read(bytes, "read frame \(index)") == 1
                    })
            else {
                if interruption.isRaised { return false }
                throw SourceError(file.name, "read frame \(index)", .damaged, "its first line is damaged")
            }
            length += 1
        }
        return true
    }

    /// Reads the stream's first line byte by byte, because bytes after the line could not be returned to a pipe.
    private static func header(
        of file: borrowing InputFile
    ) throws(SourceError) -> (Y4MHeader, end: Int) {
        var line: [UInt8] = []
        while line.count < Y4MHeader.longestLine {
            var byte: UInt8 = 0
            let count = try unsafe withUnsafeMutableBytes(of: &byte) { bytes throws(SourceError) in
                try unsafe file.read(bytes, "read its first line")
            }
            if file.interruption.isRaised {
                throw SourceError(
                    file.name, "read its first line", .failed, "reading was stopped before the header came")
            }
            if count == 0 || byte == UInt8(ascii: "\n") {
                do throws(CodecError) {
                    let header = try line.withBytes { line throws(CodecError) in
                        try Y4MHeader(line: line, subject: file.name)
                    }
                    guard count == 1 else {
                        throw CodecError(file.name, .damaged, "its first line is cut off", .byte(line.count))
                    }
                    return (header, line.count + 1)
                } catch {
                    throw SourceError(file.name, "read", .damaged, error.detail)
                }
            }
            line.append(byte)
        }
        throw SourceError(
            file.name, "read", .damaged,
            "not a YUV4MPEG2 stream: its first line does not end within \(Y4MHeader.longestLine) bytes")
    }

    /// The number of frames; unknown for a pipe, and when the file's size does not fit frames without tags.
    private static func length(
        of file: borrowing InputFile, _ start: Int, _ header: Y4MHeader
    ) -> SourceDescription.Length {
        guard let size = file.size else { return .unknown }
        let (count, rest) = (size - start).quotientAndRemainder(dividingBy: frameByteCount(header))
        return rest == 0 ? .frames(count) : .unknown
    }

    /// The number of bytes of a frame without tags, including its line.
    private static func frameByteCount(_ header: Y4MHeader) -> Int {
        header.samples.byteCount(of: header.size) + 6
    }
}
