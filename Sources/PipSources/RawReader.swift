internal import PipCodecs
package import PipConcurrency
package import PipFrames

/// The properties of a file of raw frames, which has no header.
package struct RawOptions: Sendable {
    package var format: PixelFormat
    package var size: PixelSize
    package var rate: FrameRate
    /// The colour encoding; nil uses ``PipFrames/Colorimetry/assumed(for:_:)``.
    package var colorimetry: Colorimetry?
    /// True to start again at the end of the file, without end.
    ///
    /// Pipes cannot loop.
    package var loops = false
    /// The row stride of the first plane in memory; the file's rows have no padding.
    ///
    /// Units: bytes. Nil for rows without padding.
    package var stride: Int?

    package init(format: PixelFormat, size: PixelSize, rate: FrameRate = FrameRate(30)) {
        self.format = format
        self.size = size
        self.rate = rate
    }
}

/// Reads raw frames from a file or pipe.
package final class RawReader: FrameReader {
    package let description: SourceDescription
    package let interruption: Interruption
    private var file: InputFile
    private let loops: Bool
    private var vectors = FrameVectors()

    /// Opens a file or pipe of raw frames.
    ///
    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard input.
    ///   - options: The file's properties.
    ///   - interruption: The interruption that cancels waits for a pipe.
    /// - Throws: ``SourceError`` when the file cannot be opened, is empty, or holds no whole number of frames, when a
    ///   pipe should loop, or when the frames are empty or too large.
    package init(
        path: String, options: RawOptions, interruption: Interruption = Interruption()
    ) throws(SourceError) {
        self.interruption = interruption
        file = try InputFile(path: path, interruption: interruption)
        loops = options.loops
        let size: PixelSize
        do throws(CodecError) {
            size = try PictureLimits.check(width: options.size.width, height: options.size.height, subject: file.name)
        } catch {
            throw SourceError(file.name, "read", .invalidOptions, error.detail)
        }
        let layout = FrameLayout(options.format, size, stride: options.stride)
        let frameBytes = layout.payloadByteCount
        var length = SourceDescription.Length.unknown
        if let total = file.size {
            guard total > 0 else { throw SourceError(file.name, "read", .damaged, "it is empty") }
            guard total % frameBytes == 0 else {
                throw SourceError(
                    file.name, "read", .damaged,
                    "\(total) bytes are not a whole number of \(size) \(options.format) frames of \(frameBytes) bytes: "
                        + "there are \(total / frameBytes), and \(total % frameBytes) bytes more; check size and format"
                )
            }
            length = loops ? .endless : .frames(total / frameBytes)
        } else if loops {
            try file.requireLoop()
        }
        description = SourceDescription(
            name: file.name, layout: layout, colorimetry: options.colorimetry ?? .assumed(for: options.format, size),
            rate: options.rate, length: length)
    }

    package func skip(to index: Int) throws(SourceError) -> Int {
        let frameBytes = description.layout.payloadByteCount
        guard let count = file.size.map({ $0 / frameBytes }) else { return 0 }
        let next = loops ? index : min(index, count - 1)
        try file.seek(to: next % count * frameBytes)
        return next
    }

    package func read(into buffer: FrameBuffer, index: Int) throws(SourceError) -> Bool {
        try rewindAtEnd()
        return try file.readPlanes(into: buffer, description.layout, &vectors, frame: index)
    }

    package func next(index: Int, memory: () -> FrameBuffer?) throws(SourceError) -> FrameBuffer? {
        try rewindAtEnd()
        if let frame = try file.mapFrame(description.layout, frame: index) { return frame }
        guard let buffer = memory(), try read(into: buffer, index: index) else { return nil }
        return buffer
    }

    private func rewindAtEnd() throws(SourceError) {
        if loops, file.isAtEnd { try file.seek(to: 0) }
    }
}
