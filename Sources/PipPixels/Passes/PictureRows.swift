internal import CPixels
internal import PipEffects
internal import PipFrames
internal import PipPlan

/// A picture in one plane of pixels, for kernels to read.
@safe struct PicturePixels {
    let texture: RenderPlan.TextureIndex
    let size: PixelSize
    /// The order in an array of one, whose address loops take.
    let orders: [PipPixelOrder]
    let isFloat: Bool
    var order: PipPixelOrder { orders[0] }
    var hasAlpha: Bool { order.alpha >= 0 }

    /// `texel`: The texel format of the picture's texture.
    init(_ image: Image, texel: TexelFormat) {
        texture = image.textures[0]
        size = image.size
        isFloat = texel == .rgba32f
        orders = [PipPixelOrder(image.format, hasAlpha: image.alpha != .none)]
    }

    var bytesPerPixel: Int { isFloat ? 16 : Int(order.bytesPerPixel) }

    /// The picture in the form that kernels take.
    func pixels(_ plane: PixelPlane) -> PipPixels {
        unsafe PipPixels(
            texels: UnsafeRawPointer(plane.start), width: Int32(size.width), height: Int32(size.height),
            stride: Int64(plane.stride), isFloat: isFloat ? 1 : 0, order: order)
    }
}

extension PipPixelOrder {
    init(_ format: PixelFormat, hasAlpha: Bool) {
        let (bytes, red, green, blue, alpha): (Int32, Int32, Int32, Int32, Int32) =
            switch format {
            case .rgb24: (3, 0, 1, 2, -1)
            case .bgr24: (3, 2, 1, 0, -1)
            case .bgra, .bgrx: (4, 2, 1, 0, 3)
            case .argb, .xrgb: (4, 1, 2, 3, 0)
            case .abgr, .xbgr: (4, 3, 2, 1, 0)
            default: (4, 0, 1, 2, 3)
            }
        self.init(bytesPerPixel: bytes, red: red, green: green, blue: blue, alpha: hasAlpha ? alpha : -1)
    }
}

/// Rows of a picture as floats, with repeated pixels around its edges.
///
/// The newest few rows are kept.
@safe final class PictureRows {
    private let picture: PicturePixels
    private let functions: PipRowFunctions
    /// The columns of the picture that are read, which may reach beyond it.
    private let columns: Range<Int>
    private let straightens: Bool
    private var blocks: [RowBlock]
    /// The row numbers of the blocks.
    private var held: [Int?]
    private var plane: PixelPlane?

    /// - Parameters:
    ///   - picture: The picture.
    ///   - columns: The columns to read; columns beyond the edges repeat them.
    ///   - margin: The number of further columns on each side.
    ///   - kept: The number of rows that one row of the result reads.
    ///   - hasAlpha: True when the rows have alpha.
    ///   - straightens: True when colours are divided by alpha.
    ///   - functions: The loops over rows.
    init(
        _ picture: PicturePixels, columns: Range<Int>, margin: Int = 0, kept: Int = 1, hasAlpha: Bool,
        straightens: Bool, _ functions: PipRowFunctions
    ) {
        self.picture = picture
        self.columns = columns.lowerBound - margin..<columns.upperBound + margin
        self.straightens = straightens && picture.hasAlpha
        self.functions = functions
        blocks = (0..<kept).map { _ in RowBlock(count: columns.count, margin: margin, hasAlpha: hasAlpha) }
        held = Array(repeating: nil, count: kept)
        self.margin = margin
    }

    private let margin: Int

    func begin(_ memory: PlaneMemory) {
        plane = memory[picture.texture]
        for index in held.indices { held[index] = nil }
    }

    /// A row.
    ///
    /// Rows above and below the picture repeat its first and last row.
    func row(_ row: Int) -> RowBlock {
        let row = min(max(row, 0), picture.size.height - 1)
        let slot = row % blocks.count
        if held[slot] == row { return blocks[slot] }
        held[slot] = row
        let block = blocks[slot]
        guard let plane else { return block }
        // The columns within the picture are read; those beyond its edges repeat them.
        let inside = columns.clamped(to: 0..<picture.size.width)
        if inside.isEmpty {
            let edge = columns.upperBound <= 0 ? 0 : picture.size.width - 1
            unsafe unpack(plane, row, edge, 1, block.rows(from: -margin))
            repeatEdge(of: block, at: -margin, over: -margin..<columns.count - margin)
            return block
        }
        let offset = inside.lowerBound - columns.lowerBound - margin
        unsafe unpack(plane, row, inside.lowerBound, inside.count, block.rows(from: offset))
        repeatEdge(of: block, at: offset, over: -margin..<offset)
        repeatEdge(of: block, at: offset + inside.count - 1, over: offset + inside.count..<columns.count - margin)
        return block
    }

    private func unpack(_ plane: PixelPlane, _ row: Int, _ column: Int, _ count: Int, _ rows: UnsafePointer<PipRows>) {
        let isStraight: Int32 = straightens ? 1 : 0
        if picture.isFloat {
            unsafe functions.unpackFloats(plane.floats(row) + 4 * column, isStraight, rows, Int32(count))
        } else {
            let bytes = unsafe UnsafePointer(plane.row(row) + column * picture.bytesPerPixel)
            unsafe functions.unpack(bytes, picture.orders, isStraight, rows, Int32(count))
        }
    }

    private func repeatEdge(of block: RowBlock, at place: Int, over range: Range<Int>) {
        guard !range.isEmpty else { return }
        for component in 0..<4 {
            guard let row = unsafe block.component(component) else { continue }
            let value = unsafe row[place]
            for index in range { unsafe row[index] = value }
        }
    }
}
