package import PipConcurrency
package import PipFrames

/// A PNG, JPEG or WebP picture: one frame, to be shown for ever.
///
/// PNG and WebP come as RGBA with premultiplied alpha; JPEG as I420 or grey where its samples are of that kind, and as
/// RGB else. Of an animation it is the first picture.
package final class StillReader: FrameReader {
    package let description: SourceDescription
    package let interruption: Interruption
    private let file: PictureFile

    /// Reads a file and checks its header; the content decides on the kind, not the name.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isOverlay: True for overlays, which are limited to 8192 pixels a side and 64 MB decoded.
    ///   - rate: The nominal frame rate.
    ///   - interruption: Unused by a file; the protocol asks for one.
    /// - Throws: ``SourceError`` when it cannot be read, or is not a picture that is handled.
    package init(
        path: String, isOverlay: Bool = false, rate: FrameRate = FrameRate(30),
        interruption: Interruption = Interruption()
    ) throws(SourceError) {
        self.interruption = interruption
        file = try PictureFile(path: path, isOverlay: isOverlay, interruption: interruption)
        description = SourceDescription(
            name: file.name, layout: FrameLayout(file.format, file.size), colorimetry: file.colorimetry,
            orientation: file.orientation, rate: rate, length: .endless, isStill: true)
    }

    package func read(into buffer: FrameBuffer, index: Int) throws(SourceError) -> Bool {
        try file.decode(into: buffer, description.layout)
        return true
    }
}
