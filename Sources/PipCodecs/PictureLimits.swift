package import PipFrames

/// The limits for the size of a picture, and for the number of an animation's pictures.
package enum PictureLimits {
    /// The largest width or height, in pixels.
    package static let side = 16384
    /// The most pixels of a picture.
    package static let area = 256_000_000
    /// The most pictures of an animation.
    package static let pictures = 100_000

    /// The limits of the size as text, for messages.
    static func limit(area: Int) -> String {
        let most = area < 1_000_000 ? "\(area)" : "\(area / 1_000_000) million"
        return "the limit of \(side) pixels a side and \(most) pixels in all"
    }

    /// Checks the size that a file's header states, and returns it.
    ///
    /// - Throws: ``CodecError`` when a side is zero, or the picture is too large.
    package static func check(
        width: Int, height: Int, subject: String, position: CodecError.Position? = nil,
        atMost area: Int = PictureLimits.area
    ) throws(CodecError) -> PixelSize {
        guard width > 0, height > 0 else {
            throw CodecError(subject, .damaged, "its size of \(width)x\(height) is empty", position)
        }
        guard width <= side, height <= side, width * height <= area else {
            throw CodecError(
                subject, .tooLarge, "its size of \(width)x\(height) is above \(limit(area: area))", position)
        }
        return PixelSize(width, height)
    }

    /// Checks the number of an animation's pictures.
    ///
    /// - Throws: ``CodecError`` when the animation has too many pictures.
    static func check(pictures count: Int, subject: String) throws(CodecError) {
        guard count <= pictures else {
            throw CodecError(subject, .tooLarge, "it has more than \(pictures) pictures")
        }
    }

    /// The display time of a picture, from the time that its file states.
    ///
    /// Times of 10 ms or less become 100 ms, as in browsers.
    static func displayTime(milliseconds: Int) -> Duration { .milliseconds(milliseconds > 10 ? milliseconds : 100) }
}
