internal import PipCodecs
package import PipConcurrency
package import PipFrames

/// Writes frames as JPEG files, which are named like those of ``PNGWriter``.
package final class JPEGWriter: FrameWriter {
    package let name: String
    package let request: SinkRequest
    package let interruption: Interruption
    private var files: PictureFiles
    private let encoder: JPEGEncoder
    private let picture = ByteBuffer()
    private var layout: FrameLayout

    /// - Parameters:
    ///   - path: The files' path.
    ///   - quality: The quality, from 1 (small) to 100 (good).
    ///   - size: The size of the pictures; nil takes the composed size.
    /// - Throws: ``SinkError`` when the path is invalid, or memory is lacking.
    package init(path: String, quality: Int = 90, size: PixelSize? = nil) throws(SinkError) {
        name = path
        request = SinkRequest(format: .i420, size: size, colorimetry: .jpeg)
        let interruption = Interruption()
        self.interruption = interruption
        files = try PictureFiles(path, interruption: interruption)
        do throws(CodecError) {
            encoder = try JPEGEncoder(quality: quality)
        } catch {
            throw SinkError(path, "open", .failed, error.detail)
        }
        layout = FrameLayout(.i420, PixelSize(0, 0))
    }

    package func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError) {
        try check(info)
        layout = info.layout
        guard max(layout.size.width, layout.size.height) <= JPEGEncoder.largestSide else {
            throw SinkError(
                name, "open", .invalidOptions,
                "a JPEG file has at most \(JPEGEncoder.largestSide) pixels a side, frames are \(layout.size)")
        }
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
