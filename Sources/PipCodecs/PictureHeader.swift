package import PipFrames

/// The header of a picture file, for all file formats.
package protocol PictureHeader {
    var size: PixelSize { get }
    /// The orientation for display; the identity for formats without an orientation.
    var orientation: Orientation { get }
    /// The display time of each picture; may be empty for a file without an animation.
    var durations: [Duration] { get }
}

extension PictureHeader {
    package var orientation: Orientation { .identity }
    package var durations: [Duration] { [] }
}
