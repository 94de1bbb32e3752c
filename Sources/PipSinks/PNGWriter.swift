internal import PipCodecs
package import PipConcurrency
package import PipFrames

/// Writes frames as PNG files.
///
/// A path with a number's field, such as `frames/%05d.png`, makes a file of each frame, counted from 1; another path
/// always holds the last frame.
///
/// The folder of numbered files is created, if its parent exists.
package final class PNGWriter: FrameWriter {
    package let name: String
    package let request: SinkRequest
    package let interruption: Interruption
    private var files: PictureFiles
    private let encoder: PNGEncoder
    private let picture = ByteBuffer()
    private var layout: FrameLayout

    /// - Parameters:
    ///   - path: The files' path.
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
        name = path
        self.request = request
        let interruption = Interruption()
        self.interruption = interruption
        files = try PictureFiles(path, interruption: interruption)
        encoder = PNGEncoder(compression: compression)
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
            try encoder.encode(frame, into: picture, subject: name)
        } catch {
            throw SinkError(name, "write", .failed, error.detail)
        }
        try files.write(picture)
    }

    package func finish() {}
}
