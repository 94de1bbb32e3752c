internal import CPixels
internal import PipFrames
internal import PipPlan

/// Reads the pixels of an R'G'B' picture in one plane, unscaled or averaged.
@safe final class RGBHead: RowHead {
    private let functions: PipRowFunctions
    private let region: RowRegion
    private let hasAlpha: Bool
    private let way: Way

    private enum Way {
        /// Reads one sample for each pixel; `firstRow` is the picture's row for the region's first row.
        case direct(PictureRows, firstRow: Int)
        /// Averages red, green and blue, and the alpha of a picture with alpha, with a sampler each.
        case averaged([PlaneSampler])
    }

    /// - Parameters:
    ///   - picture: The upright picture.
    ///   - region: The part of the canvas that is drawn.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(_ picture: MappedPicture, _ region: RowRegion, _ functions: PipRowFunctions) {
        let (source, picture) = (picture.map, picture.pixels)
        self.functions = functions
        self.region = region
        hasAlpha = picture.hasAlpha
        let first = source.applied(x: Double(region.columns.lowerBound) + 0.5, y: Double(region.rows.lowerBound) + 0.5)
        let across = AreaAxis(first: first.x, step: source.a, count: region.count, of: picture.size.width)
        let down = AreaAxis(first: first.y, step: source.e, count: region.rows.count, of: picture.size.height)
        if across.factor == 1 && down.factor == 1 {
            let column = Int(across.starts[0])
            way = unsafe .direct(
                PictureRows(
                    picture, columns: column..<column + region.count, hasAlpha: picture.hasAlpha, straightens: true,
                    functions), firstRow: Int(down.starts[0]))
            return
        }
        let order = picture.order
        let offsets = [order.red, order.green, order.blue] + (picture.hasAlpha ? [order.alpha] : [])
        let components = offsets.enumerated().map { index, offset in
            PlaneSampler.Component(
                texture: picture.texture, offset: picture.isFloat ? index : Int(offset),
                step: picture.isFloat ? 4 : picture.bytesPerPixel, isFloat: picture.isFloat)
        }
        way = .averaged(components.map { PlaneSampler($0, across: across, down: down, functions) })
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {
        switch way {
        case .direct(let rows, _): rows.begin(memory)
        case .averaged(let samplers): for sampler in samplers { sampler.begin(memory) }
        }
    }

    func read(_ row: Int, into block: RowBlock) {
        let (index, count) = (row - region.rows.lowerBound, region.count)
        if !hasAlpha { block.fill(3, with: 1, count: count) }
        switch way {
        case .direct(let rows, let first):
            let own = rows.row(first + index)
            for component in 0..<(hasAlpha && block.hasAlpha ? 4 : 3) {
                guard let from = unsafe own.component(component) else { continue }
                unsafe block.component(component)?.update(from: from, count: count)
            }
        case .averaged(let samplers):
            for (component, sampler) in samplers.enumerated() {
                guard let out = unsafe block.component(component) else { continue }
                unsafe functions.addRow(sampler.row(index), 1 / 255, out, 1, Int32(count))
            }
            if hasAlpha && block.hasAlpha { unsafe functions.straighten(block.rows, Int32(count)) }
        }
    }
}
