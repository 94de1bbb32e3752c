internal import CPixels
internal import PipEffects
internal import PipFrames
internal import PipPlan

/// The last stage of a pass, which writes rows of pixels into planes.
protocol RowTarget: AnyObject {
    /// Sets the planes of the frame to write next.
    func begin(_ memory: PlaneMemory)

    /// Writes a row of the canvas, or two rows of 4:2:0.
    ///
    /// At the end of a canvas with an odd number of rows, both blocks are the last row.
    ///
    /// - Parameters:
    ///   - blocks: One row, or two.
    ///   - row: The index of the first row on the canvas.
    func write(_ blocks: [RowBlock], row: Int)
}

/// Writes pixels into one plane with four components per pixel.
@safe final class PixelTarget: RowTarget {
    private let functions: PipRowFunctions
    private let canvas: Canvas
    private let region: RowRegion
    private let isFloat: Bool
    private let blends: Bool
    private var plane: PixelPlane?

    /// - Parameters:
    ///   - canvas: The canvas.
    ///   - isFloat: True when the canvas has float texels.
    ///   - region: The part of the canvas that is drawn.
    ///   - blends: True when the pass blends its pixels over the canvas's.
    ///   - functions: The row loops that are compiled for one instruction set.
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

/// Writes pixels into 4:2:0 planes, or into one plane of luma.
@safe final class PlanesTarget: RowTarget {
    private let functions: PipRowFunctions
    private let canvas: Canvas
    private let region: RowRegion
    private let blends: Bool
    /// The matrix from the rows' components to Y', Cb and Cr.
    ///
    /// A pass that blends does not use the matrix, because its rows are Y'CbCr already.
    private let matrix: [Float]
    private let chromaRows: [Float]
    private var planes: [PixelPlane] = []

    /// - Parameters:
    ///   - canvas: The canvas.
    ///   - region: The part of the canvas that is drawn: whole 2×2 pixels, except at the canvas's last column and row.
    ///   - transform: The conversion of the rows' components to Y'CbCr.
    ///   - blends: True when the pass blends its pixels over the canvas's; the rows then hold Y'CbCr and alpha.
    ///   - functions: The row loops that are compiled for one instruction set.
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
            // A single last column also replaces the missing pixel beside it.
            if region.count % 2 == 1 { repeatLast(of: block) }
            guard row + index < region.rows.upperBound else { continue }
            let bytes = unsafe planes[0].row(line + index) + column
            if blends {
                unsafe functions.blendLuma(block.rows, bytes, count)
            } else {
                unsafe functions.storeLuma(block.rows, matrix, bytes, count)
            }
        }
        guard planes.count > 1 else { return }
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

    /// Writes two rows of a source that makes planes itself.
    func write(_ source: any PlaneSource, row: Int) {
        guard !planes.isEmpty else { return }
        let column = region.columns.lowerBound - canvas.region.x
        let line = row - canvas.region.y
        let step = planes.count == 2 ? 2 : 1
        let upper = unsafe planes[0].row(line) + column
        let lower = unsafe row + 1 < region.rows.upperBound ? planes[0].row(line + 1) + column : nil
        guard planes.count > 1 else {
            return unsafe source.write(row, to: PlaneRows(upper: upper, lower: lower, chroma: nil, step: step))
        }
        let cb = unsafe planes[1].row(line / 2) + column / 2 * step
        let cr = unsafe step == 2 ? cb + 1 : planes[2].row(line / 2) + column / 2
        unsafe source.write(row, to: PlaneRows(upper: upper, lower: lower, chroma: (cb, cr), step: step))
    }

    private func repeatLast(of block: RowBlock) {
        for component in 0..<4 {
            guard let row = unsafe block.component(component) else { continue }
            unsafe row[region.count] = row[region.count - 1]
        }
    }
}
