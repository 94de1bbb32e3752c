package import PipFrames

/// The header of a picture file of any kind.
package protocol PictureHeader {
    var size: PixelSize { get }
    /// The orientation for display; the identity for kinds without one.
    var orientation: Orientation { get }
    /// The display time of each picture; empty for kinds without animations.
    var durations: [Duration] { get }
}

extension PictureHeader {
    package var orientation: Orientation { .identity }
    package var durations: [Duration] { [] }
}
