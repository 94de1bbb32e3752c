package import PipFrames

/// The largest picture that is read, checked before memory is taken for it.
package enum PictureLimits {
    /// Pixels across or down.
    package static let side = 16384
    /// Pixels in all.
    package static let area = 256_000_000
    /// Pictures of an animation.
    package static let pictures = 100_000

    /// The limit of size, in words.
    static let limit = "the limit of \(side) pixels a side and \(area / 1_000_000) million in all"

    /// Checks a size that a file claims.
    ///
    /// - Throws: ``CodecError`` when a side is zero, or when the picture is too large.
    package static func check(
        width: Int, height: Int, subject: String, position: CodecError.Position? = nil
    ) throws(CodecError) -> PixelSize {
        guard width > 0, height > 0 else {
            throw CodecError(subject, .damaged, "its size of \(width)x\(height) is empty", position)
        }
        guard width <= side, height <= side, width * height <= area else {
            throw CodecError(
                subject, .tooLarge, "its size of \(width)x\(height) is above \(limit)", position)
        }
        return PixelSize(width, height)
    }

    /// - Throws: ``CodecError`` when an animation has more pictures than are shown.
    static func check(pictures count: Int, subject: String) throws(CodecError) {
        guard count <= pictures else {
            throw CodecError(subject, .tooLarge, "it has more than \(pictures) pictures")
        }
    }

    /// The display time of a picture; implausibly short ones mean 100 ms, as in browsers.
    static func displayTime(milliseconds: Int) -> Duration { .milliseconds(milliseconds > 10 ? milliseconds : 100) }
}
