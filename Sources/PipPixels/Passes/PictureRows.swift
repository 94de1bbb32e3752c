internal import CPixels
internal import PipEffects
internal import PipFrames
internal import PipPlan

/// A picture whose pixels lie in one plane, as the C row functions read it.
@safe struct PicturePixels {
    let texture: RenderPlan.TextureIndex
    let size: PixelSize
    /// The order of components, in an array of one element, because the row functions take its address.
    let orders: [PipPixelOrder]
    let isFloat: Bool
    var order: PipPixelOrder { orders[0] }
    var hasAlpha: Bool { order.alpha >= 0 }

    /// Describes a picture; `texel` is the format of its texture.
    init(_ image: Image, texel: TexelFormat) {
        texture = image.textures[0]
        size = image.size
        isFloat = texel == .rgba32f
        orders = [PipPixelOrder(image.format, hasAlpha: image.alpha != .none)]
    }

    var bytesPerPixel: Int { isFloat ? 16 : Int(order.bytesPerPixel) }

    /// The picture's size and memory, in the layout that the C row functions take.
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

/// Reads rows of a picture as floats, and repeats the edge pixels beyond the picture.
///
/// Keeps the rows that were read last.
@safe final class PictureRows {
    private let picture: PicturePixels
    private let functions: PipRowFunctions
    /// The columns that are read, some of which may lie beyond the picture.
    private let columns: Range<Int>
    private let straightens: Bool
    private var blocks: [RowBlock]
    /// The index of the row that each block holds; nil for an empty block.
    private var held: [Int?]
    private var plane: PixelPlane?

    /// - Parameters:
    ///   - picture: The picture to read.
    ///   - columns: The columns to read; columns beyond the picture repeat its edge pixels.
    ///   - margin: The number of further columns on each side of `columns`.
    ///   - kept: The number of rows that are kept: as many as one row of the result needs.
    ///   - hasAlpha: True when the blocks hold alpha.
    ///   - straightens: True when colours are divided by alpha.
    ///   - functions: The row loops that are compiled for one instruction set.
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

    /// Returns a row of the picture; reads the row unless a block still holds it.
    ///
    /// Rows above and below the picture repeat its first and last row.
    func row(_ row: Int) -> RowBlock {
        let row = min(max(row, 0), picture.size.height - 1)
        let slot = row % blocks.count
        if held[slot] == row { return blocks[slot] }
        held[slot] = row
        let block = blocks[slot]
        guard let plane else { return block }
        // Columns within the picture are read; columns beyond it repeat the edge pixels.
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
