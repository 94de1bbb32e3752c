internal import CPixels
internal import PipPlan

/// The first stage of a pass: it produces the pixels that the later stages change, one canvas row at a time.
protocol RowHead: AnyObject {
    /// Prepares for a frame.
    ///
    /// - Parameters:
    ///   - memory: The planes to read from now on.
    ///   - time: The output's time.
    func begin(_ memory: PlaneMemory, at time: Duration)

    /// Writes a row of pixels with straight (unpremultiplied) colours, and with alpha if the block holds alpha.
    ///
    /// - Parameters:
    ///   - row: The row of the canvas. The caller requests rows in ascending or in descending order, and may request a
    ///     row twice.
    ///   - block: The block that receives the pixels.
    func read(_ row: Int, into block: RowBlock)
}

/// A rectangle of a canvas that is drawn row by row.
struct RowRegion {
    /// The columns of the canvas that are drawn.
    var columns: Range<Int>
    var rows: Range<Int>

    var count: Int { columns.count }
}

/// A picture, and the map to its samples from canvas pixels or from a function's results.
struct MappedPicture {
    let pixels: PicturePixels
    let map: Mapping
}

/// A head that gives every pixel the same colour.
final class SolidHead: RowHead {
    private let color: [Float]
    private let count: Int

    /// Creates a head; `color` is in the target's encoding, with alpha as the last component.
    init(_ color: [Float], count: Int) {
        self.color = color
        self.count = count
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {}

    func read(_ row: Int, into block: RowBlock) {
        for (component, value) in color.enumerated() { block.fill(component, with: value, count: count) }
    }
}
