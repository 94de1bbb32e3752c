internal import CPixels
internal import PipPlan

/// The reader of a pass: gives the pixels of the canvas row by row.
protocol RowHead: AnyObject {
    /// Reads other memory from now on: of another frame, or of another output.
    ///
    /// - Parameters:
    ///   - memory: The planes.
    ///   - time: The output's time.
    func begin(_ memory: PlaneMemory, at time: Duration)

    /// Writes a row of pixels: straight colours, and alpha if the block has a row for it.
    ///
    /// - Parameters:
    ///   - row: The row of the canvas; rows come in order.
    ///   - block: The destination.
    func read(_ row: Int, into block: RowBlock)
}

/// A part of a canvas that is drawn row by row.
struct RowRegion {
    /// Columns and rows of the canvas.
    var columns: Range<Int>
    var rows: Range<Int>

    var count: Int { columns.count }
}

/// A picture and the map to its samples, from canvas pixels or from a function's results.
struct MappedPicture {
    let pixels: PicturePixels
    let map: Mapping
}

/// A head of one colour.
final class SolidHead: RowHead {
    private let color: [Float]
    private let count: Int

    /// `color`: The colour in the target's encoding, with alpha.
    init(_ color: [Float], count: Int) {
        self.color = color
        self.count = count
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {}

    func read(_ row: Int, into block: RowBlock) {
        for (component, value) in color.enumerated() { block.fill(component, with: value, count: count) }
    }
}
