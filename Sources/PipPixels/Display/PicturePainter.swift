internal import CYUV
package import PipFrames
package import PipGraph

/// Paints RGBA frames onto 32-bit pixels in the byte order of displays: blue, green, red, and an unused byte.
///
/// Thread: one thread at a time. Keeps memory for the rotated and the scaled picture, and allocates only when sizes
/// change.
package final class PicturePainter {
    private let turns: Orientation
    private let fit: FitMode
    private let turned = PixelMemory()
    private let scaler = PictureScaler()

    /// - Parameters:
    ///   - turns: The rotation of the picture; mirroring is ignored.
    ///   - fit: The fit into an area of another aspect ratio.
    package init(turns: Orientation = .identity, fit: FitMode = .fit) {
        self.turns = turns
        self.fit = fit
    }

    /// The size of a picture after its rotation.
    package func size(of picture: PixelSize) -> PixelSize { turns.size(of: picture) }

    /// Paints a frame onto an area, and black around the frame; does nothing unless the frame is RGBA.
    ///
    /// - Parameters:
    ///   - frame: The frame, in RGBA.
    ///   - area: The address of the area's upper left pixel.
    ///   - stride: The number of bytes from row to row of the area.
    ///   - size: The area's size, in pixels.
    @unsafe package func paint(
        _ frame: Frame, onto area: UnsafeMutableRawPointer, stride: Int, size: PixelSize
    ) {
        guard frame.layout.format == .rgba, let pixels = unsafe frame.unsafePlane(0) else { return }
        var picture = unsafe Pixels(
            start: pixels.assumingMemoryBound(to: UInt8.self), stride: frame.layout.planes[0].strideInBytes)
        let shown = turns.size(of: frame.layout.size)
        let place = PicturePlace(of: shown, on: size, fit)
        unsafe blacken(around: place.target, area, stride, size)
        if turns.quarterTurns != 0 { unsafe picture = turn(picture, frame.layout.size) }
        unsafe picture.start += place.source.y * picture.stride + place.source.x * 4
        if place.source.size != place.target.size {
            let scaled = unsafe scaler.scale(
                picture.start, stride: picture.stride, place.source.size, to: place.target.size)
            unsafe picture = unsafe Pixels(start: scaled, stride: place.target.width * 4)
        }
        let target = unsafe (area + place.target.y * stride + place.target.x * 4).assumingMemoryBound(to: UInt8.self)
        // libyuv names the bytes of a little-endian word from its highest byte.
        _ = unsafe ABGRToARGB(
            picture.start, Int32(picture.stride), target, Int32(stride), Int32(place.target.width),
            Int32(place.target.height))
    }

    @unsafe private struct Pixels {
        var start: UnsafePointer<UInt8>
        var stride: Int
    }

    @unsafe private func turn(_ picture: Pixels, _ size: PixelSize) -> Pixels {
        let shown = turns.size(of: size)
        let modes = [kRotate0, kRotate90, kRotate180, kRotate270]
        let room = unsafe turned.room(for: shown)
        let target = unsafe UnsafeMutableRawPointer(room).assumingMemoryBound(to: UInt8.self)
        _ = unsafe ARGBRotate(
            picture.start, Int32(picture.stride), target, Int32(shown.width * 4), Int32(size.width),
            Int32(size.height), modes[turns.quarterTurns])
        return unsafe Pixels(start: target, stride: shown.width * 4)
    }

    /// Paints black over the part of an area that the picture does not cover.
    @unsafe private func blacken(
        around picture: PixelRect, _ area: UnsafeMutableRawPointer, _ stride: Int, _ size: PixelSize
    ) {
        let (left, right) = (picture.x * 4, picture.maxX * 4)
        let end = size.width * 4
        for row in 0..<size.height where picture != size.bounds {
            let line = unsafe area + row * stride
            if row < picture.y || row >= picture.maxY {
                unsafe line.initializeMemory(as: UInt8.self, repeating: 0, count: end)
            } else {
                unsafe line.initializeMemory(as: UInt8.self, repeating: 0, count: left)
                unsafe (line + right).initializeMemory(as: UInt8.self, repeating: 0, count: end - right)
            }
        }
    }
}
