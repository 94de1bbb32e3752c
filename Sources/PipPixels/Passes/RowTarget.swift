internal import CPixels
internal import PipEffects
internal import PipFrames
internal import PipPlan

/// Where the rows of a pass go.
protocol RowTarget: AnyObject {
    /// Writes other memory from now on.
    func begin(_ memory: PlaneMemory)

    /// Writes a row of the canvas, or, of 4:2:0, two; the second is the first again where the canvas ends.
    ///
    /// - Parameters:
    ///   - blocks: One, or two.
    ///   - row: The first one's row.
    func write(_ blocks: [RowBlock], row: Int)
}

/// A picture of four components.
@safe final class PixelTarget: RowTarget {
    private let functions: PipRowFunctions
    private let canvas: Canvas
    private let region: RowRegion
    private let isFloat: Bool
    private let blends: Bool
    private var plane: PixelPlane?

    /// - Parameters:
    ///   - canvas: The canvas.
    ///   - isFloat: Whether its texels are floats.
    ///   - region: The part that is drawn.
    ///   - blends: Whether it is drawn over what is there.
    ///   - functions: The loops over rows.
    init(_ canvas: Canvas, isFloat: Bool, _ region: RowRegion, blends: Bool, _ functions: PipRowFunctions) {
        self.functions = functions
        self.canvas = canvas
        self.isFloat = isFloat
        self.region = region
        self.blends = blends
    }

    func begin(_ memory: PlaneMemory) { plane = memory[canvas.textures[0]] }

    func write(_ blocks: [RowBlock], row: Int) {
        guard let plane else { return }
        let (line, column) = (row - canvas.region.y, region.columns.lowerBound - canvas.region.x)
        let over: Int32 = blends ? 1 : 0
        if isFloat {
            unsafe functions.packFloats(blocks[0].rows, over, plane.floats(line) + 4 * column, Int32(region.count))
        } else {
            unsafe functions.pack(blocks[0].rows, over, plane.row(line) + 4 * column, Int32(region.count))
        }
    }
}

/// Planes of 4:2:0.
@safe final class PlanesTarget: RowTarget {
    private let functions: PipRowFunctions
    private let canvas: Canvas
    private let region: RowRegion
    private let blends: Bool
    /// From what the rows have to Y', Cb and Cr; not where it is blended.
    private let matrix: [Float]
    private let chromaRows: [Float]
    private var planes: [PixelPlane] = []

    /// - Parameters:
    ///   - canvas: The canvas.
    ///   - region: The part that is drawn: whole 2×2 pixels, but for the canvas's last column and row.
    ///   - transform: From what the rows have to Y'CbCr.
    ///   - blends: Whether it is drawn over what is there; then the rows have Y'CbCr and alpha.
    ///   - functions: The loops over rows.
    init(
        _ canvas: Canvas, _ region: RowRegion, _ transform: ColorTransform, blends: Bool, _ functions: PipRowFunctions
    ) {
        self.functions = functions
        self.canvas = canvas
        self.region = region
        self.blends = blends
        matrix = transform.rowsOfNumbers
        chromaRows = Array(transform.rowsOfNumbers[4...])
    }

    func begin(_ memory: PlaneMemory) {
        planes.removeAll(keepingCapacity: true)
        for texture in canvas.textures {
            guard let plane = memory[texture] else { return planes.removeAll(keepingCapacity: true) }
            planes.append(plane)
        }
    }

    func write(_ blocks: [RowBlock], row: Int) {
        guard !planes.isEmpty else { return }
        let column = region.columns.lowerBound - canvas.region.x
        let line = row - canvas.region.y
        let count = Int32(region.count)
        for (index, block) in blocks.enumerated() {
            // A last column stands alone: it counts for the pixel that is missing.
            if region.count % 2 == 1 { repeatLast(of: block) }
            guard row + index < region.rows.upperBound else { continue }
            let bytes = unsafe planes[0].row(line + index) + column
            if blends {
                unsafe functions.blendLuma(block.rows, bytes, count)
            } else {
                unsafe functions.storeLuma(block.rows, matrix, bytes, count)
            }
        }
        let isPairs = planes.count == 2
        let cb = unsafe planes[1].row(line / 2) + column / 2 * (isPairs ? 2 : 1)
        let cr = unsafe isPairs ? cb + 1 : planes[2].row(line / 2) + column / 2
        let (step, half) = (Int32(isPairs ? 2 : 1), Int32((region.count + 1) / 2))
        if blends {
            unsafe functions.blendChroma(blocks[0].rows, blocks[1].rows, cb, cr, step, half)
        } else {
            unsafe functions.storeChroma(blocks[0].rows, blocks[1].rows, chromaRows, cb, cr, step, half)
        }
    }

    private func repeatLast(of block: RowBlock) {
        for component in 0..<4 {
            guard let row = unsafe block.component(component) else { continue }
            unsafe row[region.count] = row[region.count - 1]
        }
    }
}
