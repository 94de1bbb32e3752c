internal import PipCodecs
package import PipConcurrency
package import PipFrames

/// Writes frames as picture files.
///
/// Each frame gets its own file if the path has a field, such as `frames/%05d.png`: the files are numbered from 1, in a
/// folder that is created if its parent exists. A file whose path has no field always holds the latest frame.
package class PictureWriter: FrameWriter {
    package let name: String
    package let request: SinkRequest
    package let interruption: Interruption
    private var files: PictureFiles
    private let encode: (Frame, ByteBuffer) throws(CodecError) -> Void
    private let picture = ByteBuffer()
    private var layout: FrameLayout

    /// - Parameters:
    ///   - path: The path of the files, with or without a field for the number.
    ///   - request: The requested format of the frames.
    ///   - encode: Encodes a frame, and replaces the buffer's contents with the encoded file.
    /// - Throws: ``SinkError`` when the path is invalid.
    init(
        path: String, request: SinkRequest, encode: @escaping (Frame, ByteBuffer) throws(CodecError) -> Void
    ) throws(SinkError) {
        name = path
        self.request = request
        self.encode = encode
        let interruption = Interruption()
        self.interruption = interruption
        files = try PictureFiles(path, interruption: interruption)
        layout = FrameLayout(request.format, PixelSize(0, 0))
    }

    package func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError) {
        try check(info)
        layout = info.layout
        try files.prepare()
    }

    package func write(_ frame: Frame) throws(SinkError) {
        try check(frame, layout)
        do throws(CodecError) {
            try encode(frame, picture)
        } catch {
            throw SinkError(name, "write", .failed, error.detail)
        }
        try files.write(picture)
    }

    package func finish() {}
}

/// Writes frames as PNG files.
package final class PNGWriter: PictureWriter {
    /// - Parameters:
    ///   - path: The path of the files, with or without a field for the number.
    ///   - request: The requested format: RGBA with premultiplied alpha by default, or `rgbx`, `rgb24` or `gray`.
    ///   - compression: zlib's level, from 0 (none) to 9.
    /// - Throws: ``SinkError`` when the path or the format is invalid.
    package init(
        path: String, request: SinkRequest = SinkRequest(format: .rgba, colorimetry: .srgb), compression: Int = 2
    ) throws(SinkError) {
        guard PNGEncoder.formats.contains(request.format) else {
            throw SinkError(
                path, "open", .invalidOptions, "a PNG file holds rgba, rgbx, rgb24 or gray, not \(request.format)")
        }
        let encoder = PNGEncoder(compression: compression)
        try super.init(path: path, request: request) { frame, file throws(CodecError) in
            try encoder.encode(frame, into: file, subject: path)
        }
    }
}

/// Writes frames as JPEG files.
package final class JPEGWriter: PictureWriter {
    /// - Parameters:
    ///   - path: The path of the files, with or without a field for the number.
    ///   - quality: The quality on libjpeg's scale, from 1 (small files) to 100 (best picture).
    ///   - size: The size of the pictures; nil for the size of the composition.
    /// - Throws: ``SinkError`` when the path is invalid, or memory is lacking.
    package init(path: String, quality: Int = 90, size: PixelSize? = nil) throws(SinkError) {
        let encoder: JPEGEncoder
        do throws(CodecError) {
            encoder = try JPEGEncoder(quality: quality)
        } catch {
            throw SinkError(path, "open", .failed, error.detail)
        }
        try super.init(path: path, request: SinkRequest(format: .i420, size: size, colorimetry: .jpeg)) {
            frame, file throws(CodecError) in
            try encoder.encode(frame, into: file, subject: path)
        }
    }

    package override func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError) {
        let size = info.layout.size
        guard max(size.width, size.height) <= JPEGEncoder.largestSide else {
            throw SinkError(
                name, "open", .invalidOptions,
                "a JPEG file has at most \(JPEGEncoder.largestSide) pixels a side, but frames are \(size)")
        }
        try super.open(info, rate: rate)
    }
}
