internal import CPixels
internal import PipPlan

/// What gives a pass its pixels, row by row.
protocol RowHead: AnyObject {
    /// Reads other memory from now on: of another frame, or of another output.
    ///
    /// - Parameters:
    ///   - memory: The planes.
    ///   - time: Of the output.
    func begin(_ memory: PlaneMemory, at time: Duration)

    /// Gives a row of pixels: straight colours, and alpha where there is a row for it.
    ///
    /// - Parameters:
    ///   - row: The row of the canvas; rows come in order.
    ///   - block: Where they go.
    func read(_ row: Int, into block: RowBlock)
}

/// A part of a canvas that is drawn row by row.
struct RowRegion {
    /// Columns and rows of the canvas.
    var columns: Range<Int>
    var rows: Range<Int>

    var count: Int { columns.count }
}

/// A picture and the map to its samples: from canvas pixels, or from the positions that a function gives.
struct MappedPicture {
    let pixels: PicturePixels
    let map: Mapping
}

/// One colour.
final class SolidHead: RowHead {
    private let color: [Float]
    private let count: Int

    /// `color`: In the target's terms, with alpha.
    init(_ color: [Float], count: Int) {
        self.color = color
        self.count = count
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {}

    func read(_ row: Int, into block: RowBlock) {
        for (component, value) in color.enumerated() { block.fill(component, with: value, count: count) }
    }
}
