package import PipFrames

/// The largest picture that is read, checked before memory is taken for it.
package enum PictureLimits {
    /// Pixels across or down.
    package static let side = 16384
    /// Pixels in all.
    package static let area = 256_000_000
    /// Pictures of an animation.
    package static let pictures = 512

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
                subject, .tooLarge,
                "its size of \(width)x\(height) is above the limit of \(side) pixels a side and "
                    + "\(area / 1_000_000) million in all",
                position)
        }
        return PixelSize(width, height)
    }
}
