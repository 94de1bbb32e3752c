internal import CPixels
internal import PipEffects
internal import PipFrames
internal import PipPlan

/// Reads the pixels of a Y'CbCr image, converted by a matrix.
@safe final class YUVHead: RowHead {
    private let functions: PipRowFunctions
    private let region: RowRegion
    private let luma: PlaneSampler
    /// The samplers of Cb and Cr; empty for a grey image.
    private let chroma: [PlaneSampler]
    /// True when 2×2 pixels of the canvas share a chroma sample.
    private let isShared: Bool
    /// The conversion of the image's Y'CbCr.
    let transform: ColorTransform
    /// The conversion matrix, for components of 0 to 255.
    private let matrix: [Float]
    /// Memory for the Y', Cb and Cr of a row of pixels.
    private let rows: RowBlock
    private var lastCell: Int?

    /// - Parameters:
    ///   - contents: The pass, whose image is Y'CbCr.
    ///   - source: The map from the region's pixels to luma samples, without rotation or mirroring.
    ///   - region: The part of the canvas that is drawn.
    ///   - matrix: The conversion that is applied to the image's Y'CbCr.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(
        _ contents: PassContents, source: Mapping, _ region: RowRegion, matrix: ColorTransform,
        _ functions: PipRowFunctions
    ) {
        self.region = region
        self.functions = functions
        let image = contents.segment.image
        let layout = SampleLayout(image)
        let first = source.applied(x: Double(region.columns.lowerBound) + 0.5, y: Double(region.rows.lowerBound) + 0.5)
        luma = PlaneSampler(
            layout.luma,
            across: AreaAxis(first: first.x, step: source.a, count: region.count, of: image.size.width),
            down: AreaAxis(first: first.y, step: source.e, count: region.rows.count, of: image.size.height), functions)
        isShared = contents.usesChromaGrid
        let (columns, lines) = image.format.chromaSubsampling
        let siting = image.colorimetry.chromaSiting.offset
        let own = (x: columns == 2 ? siting.x : 0, y: lines == 2 ? siting.y : 0)
        let map = source.then(.translation(own.x, own.y)).then(.scale(1 / Double(columns), 1 / Double(lines)))
        let place: (x: Double, y: Double)
        let step: Double
        let size: PixelSize
        if isShared {
            let target = contents.canvas.colorimetry.chromaSiting.offset
            let cell = (x: region.columns.lowerBound / 2 * 2, y: region.rows.lowerBound / 2 * 2)
            place = map.applied(x: Double(cell.x) + 1 - target.x, y: Double(cell.y) + 1 - target.y)
            step = 2
            size = PixelSize(
                (region.columns.upperBound + 1) / 2 - cell.x / 2, (region.rows.upperBound + 1) / 2 - cell.y / 2)
        } else {
            place = map.applied(
                x: Double(region.columns.lowerBound) + 0.5, y: Double(region.rows.lowerBound) + 0.5)
            step = 1
            size = PixelSize(region.count, region.rows.count)
        }
        let across = AreaAxis(first: place.x, step: map.a * step, count: size.width, of: image.chromaSize.width)
        let down = AreaAxis(first: place.y, step: map.e * step, count: size.height, of: image.chromaSize.height)
        chroma = layout.chroma.map { PlaneSampler($0, across: across, down: down, functions) }
        transform = matrix
        self.matrix = matrix.rowsOfBytes
        rows = RowBlock(count: region.count + 2, hasAlpha: false)
        for component in 1...2 { rows.fill(component, with: 128, count: region.count) }
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {
        luma.begin(memory)
        for sampler in chroma { sampler.begin(memory) }
        lastCell = nil
    }

    func read(_ row: Int, into block: RowBlock) {
        readChroma(row)
        block.fill(3, with: 1, count: region.count)
        let index = row - region.rows.lowerBound
        let count = Int32(region.count)
        if luma.isDirect, luma.step == 1, let bytes = unsafe luma.bytes(index) {
            unsafe functions.colorsOfLuma(bytes, rows.component(1), rows.component(2), matrix, block.rows, count)
            return
        }
        unsafe rows.component(0)?.update(from: luma.row(index), count: region.count)
        unsafe functions.matrix(rows.rows, matrix, block.rows, count)
    }

    /// True when each pixel is a sample of luma, and each 2×2 pixels from an even column and row on are one of chroma.
    var readsSamples: Bool {
        isShared && region.columns.lowerBound % 2 == 0 && region.rows.lowerBound % 2 == 0 && luma.step == 1
            && chroma.count == 2 && luma.isDirect && chroma.allSatisfy { $0.isDirect && $0.step <= 2 }
    }

    /// The samples of two rows, of which `row` is the first; only where ``readsSamples`` is true.
    ///
    /// Nil while there is no frame.
    func samples(_ row: Int) -> PlaneSamples? {
        let index = row - region.rows.lowerBound
        guard let upper = unsafe luma.bytes(index), let lower = unsafe luma.bytes(index + 1),
            let cb = unsafe chroma[0].bytes(index / 2), let cr = unsafe chroma[1].bytes(index / 2)
        else { return nil }
        return unsafe PlaneSamples(upper: upper, lower: lower, cb: cb, cr: cr, step: chroma[0].step)
    }

    private func readChroma(_ row: Int) {
        let first = region.rows.lowerBound
        let cell = isShared ? row / 2 - first / 2 : row - first
        // A region that begins at an odd column begins with the second pixel of a chroma sample.
        let phase = isShared ? region.columns.lowerBound % 2 : 0
        guard lastCell != cell else { return }
        lastCell = cell
        for (index, sampler) in chroma.enumerated() {
            guard let out = unsafe rows.component(index + 1) else { continue }
            if !isShared {
                unsafe out.update(from: sampler.row(cell), count: region.count)
            } else if sampler.isDirect, let bytes = unsafe sampler.bytes(cell) {
                unsafe functions.widenTwice(bytes, Int32(sampler.step), out - phase, Int32(region.count + phase))
            } else {
                unsafe functions.twice(sampler.row(cell), out - phase, Int32(region.count + phase))
            }
        }
    }
}

/// Two rows of luma, and the row of Cb and Cr that they share.
@safe struct PlaneSamples {
    let upper: UnsafePointer<UInt8>
    let lower: UnsafePointer<UInt8>
    let cb: UnsafePointer<UInt8>
    let cr: UnsafePointer<UInt8>
    /// The bytes from one sample of chroma to the next.
    let step: Int
}

/// The locations of luma and chroma in the planes of a Y'CbCr image.
struct SampleLayout {
    let luma: PlaneSampler.Component
    /// The locations of Cb and Cr; empty for a grey image.
    let chroma: [PlaneSampler.Component]

    init(_ image: Image) {
        let textures = image.textures
        func component(_ plane: Int, _ offset: Int, _ step: Int) -> PlaneSampler.Component {
            PlaneSampler.Component(texture: textures[plane], offset: offset, step: step)
        }
        switch image.format {
        case .nv12, .nv16: (luma, chroma) = (component(0, 0, 1), [component(1, 0, 2), component(1, 1, 2)])
        case .nv21: (luma, chroma) = (component(0, 0, 1), [component(1, 1, 2), component(1, 0, 2)])
        case .i420: (luma, chroma) = (component(0, 0, 1), [component(1, 0, 1), component(2, 0, 1)])
        case .yv12: (luma, chroma) = (component(0, 0, 1), [component(2, 0, 1), component(1, 0, 1)])
        case .yuyv: (luma, chroma) = (component(0, 0, 2), [component(0, 1, 4), component(0, 3, 4)])
        case .yvyu: (luma, chroma) = (component(0, 0, 2), [component(0, 3, 4), component(0, 1, 4)])
        case .uyvy: (luma, chroma) = (component(0, 1, 2), [component(0, 0, 4), component(0, 2, 4)])
        case .vyuy: (luma, chroma) = (component(0, 1, 2), [component(0, 2, 4), component(0, 0, 4)])
        default: (luma, chroma) = (component(0, 0, 1), [])
        }
    }
}

extension ColorTransform {
    /// The matrix and the offsets: three rows of three factors and an offset.
    var rowsOfNumbers: [Float] {
        zip(rows, offset).flatMap { row, offset in (row + [offset]).map { Float($0) } }
    }

    /// The matrix and the offsets, like ``rowsOfNumbers``, but with factors for components of 0 to 255.
    var rowsOfBytes: [Float] {
        zip(rows, offset).flatMap { row, offset -> [Float] in row.map { Float($0 / 255) } + [Float(offset)] }
    }
}
