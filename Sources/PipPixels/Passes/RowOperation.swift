internal import CPixels
internal import PipEffects
internal import PipFrames
internal import PipPlan

/// A stage of a pass that changes the pixels of a row.
protocol RowOperation: AnyObject {
    /// Prepares for a frame, with the planes in `memory` and the output time `time`.
    func begin(_ memory: PlaneMemory, at time: Duration)

    /// Changes the pixels of the canvas row `row`.
    func apply(to block: RowBlock, row: Int)
}

/// Applies a matrix and an offset to each pixel's colour.
@safe final class MatrixOperation: RowOperation {
    private let matrix: [Float]
    private let count: Int
    private let functions: PipRowFunctions

    init(_ transform: ColorTransform, count: Int, _ functions: PipRowFunctions) {
        matrix = transform.rowsOfNumbers
        self.count = count
        self.functions = functions
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {}

    func apply(to block: RowBlock, row: Int) {
        unsafe functions.matrix(block.rows, matrix, block.rows, Int32(count))
    }
}

/// Applies a curve to each component: as a polynomial, or as a table if the curve must be exact or no polynomial is
/// close enough.
@safe final class CurveOperation: RowOperation {
    private let count: Int
    private let functions: PipRowFunctions
    private let polynomial: CurvePolynomial?
    /// The curve's tables, one for each component or one for all; empty when a polynomial is used.
    private let tables: [[Float]]

    init(_ curve: Curve, count: Int, _ functions: PipRowFunctions) {
        self.count = count
        self.functions = functions
        let polynomial = curve.isExact ? nil : CurvePolynomial(curve)
        self.polynomial = polynomial
        tables = polynomial == nil ? curve.rowTables : []
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {}

    func apply(to block: RowBlock, row: Int) {
        for component in 0..<3 {
            guard let own = unsafe block.component(component) else { continue }
            if let polynomial {
                let values = polynomial.coefficients[min(component, polynomial.coefficients.count - 1)]
                unsafe functions.polynomial(
                    values, Int32(polynomial.degree), polynomial.takesRoot ? 1 : 0, own, Int32(count))
            } else {
                unsafe functions.curve(tables[min(component, tables.count - 1)], own, Int32(count))
            }
        }
    }
}

/// An effect's function, with the map to its positions from the pixels of a region.
struct PlacedCall {
    let call: EffectCall
    /// The map from canvas pixels to the function's positions.
    let positions: Mapping
    let region: RowRegion

    init(_ call: EffectCall, _ positions: Mapping, _ region: RowRegion) {
        self.call = call
        self.positions = positions
        self.region = region
        unsafe call.arguments.pointee.count = Int32(region.count)
    }

    /// Replaces the pixels of a canvas row with the function's results.
    ///
    /// `second` and `third` are the rows of further pictures that the function reads.
    func change(_ block: RowBlock, row: Int, _ second: RowBlock? = nil, _ third: RowBlock? = nil) {
        call.locate(positions, column: region.columns.lowerBound, row: row)
        call.setRows(block, second, third)
        call.setResult(block)
        call.run()
    }
}

/// Applies an effect's function to each pixel and its position.
final class EffectOperationRows: RowOperation {
    private let function: PlacedCall

    init(_ function: PlacedCall) { self.function = function }

    func begin(_ memory: PlaneMemory, at time: Duration) { function.call.begin(memory, at: time) }

    func apply(to block: RowBlock, row: Int) { function.change(block, row: row) }
}

/// Applies an effect's function to each pixel and the same pixel of other pictures.
@safe final class CombineOperation: RowOperation {
    private let function: PlacedCall
    private let functions: PipRowFunctions
    private let others: [OtherPicture]
    private let isFilled: (RenderPlan.TextureIndex) -> Bool

    /// - Parameters:
    ///   - function: The effect's function.
    ///   - others: The other pictures that the function reads.
    ///   - functions: The row loops that are compiled for one instruction set.
    ///   - isFilled: Returns true when an earlier frame has filled a texture.
    init(
        _ function: PlacedCall, _ others: [OtherPicture], _ functions: PipRowFunctions,
        isFilled: @escaping (RenderPlan.TextureIndex) -> Bool
    ) {
        self.function = function
        self.others = others
        self.functions = functions
        self.isFilled = isFilled
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {
        function.call.begin(memory, at: time)
        for other in others { other.begin(memory) }
    }

    func apply(to block: RowBlock, row: Int) {
        func pixels(_ index: Int) -> RowBlock? {
            guard index < others.count else { return nil }
            let other = others[index]
            return other.isHistory && !isFilled(other.texture) ? other.copy(of: block) : other.row(row)
        }
        function.change(block, row: row, pixels(0), pixels(1))
        guard others.contains(where: \.isHistory) else { return }
        // Later frames read the kept result, so a NaN or a value out of range would stay for ever.
        for component in 0..<(block.hasAlpha ? 4 : 3) {
            unsafe functions.limit(block.component(component), Int32(function.region.count))
        }
    }
}

/// A further picture that a function reads at the position of each pixel.
@safe final class OtherPicture {
    let isHistory: Bool
    let texture: RenderPlan.TextureIndex
    private let picture: PicturePixels
    private let map: Mapping
    private let interpolates: Bool
    private let region: RowRegion
    private let functions: PipRowFunctions
    private let block: RowBlock
    private var pixels: [PipPixels] = unsafe []
    /// The picture's rows, and the distance from a canvas row to its row of the picture.
    ///
    /// Nil where a pixel of the canvas is not exactly one sample.
    private let own: (rows: PictureRows, offset: Int)?

    /// - Parameters:
    ///   - other: The further picture.
    ///   - texel: The texel format of the picture's texture.
    ///   - map: The map from canvas pixels to positions in the chain.
    ///   - region: The part of the canvas that is drawn.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(
        _ other: SecondPicture, texel: TexelFormat, _ map: Mapping, _ region: RowRegion, _ functions: PipRowFunctions
    ) {
        isHistory = other.isHistory
        picture = PicturePixels(other.image, texel: texel)
        texture = picture.texture
        self.map = map.then(other.place)
        interpolates = !other.isSameSize
        self.region = region
        self.functions = functions
        block = RowBlock(count: region.count, hasAlpha: true)
        own = PixelOffset(exactly: map.then(other.place), region).map { [picture] offset in
            let first = region.columns.lowerBound + offset.columns
            let rows = PictureRows(
                picture, columns: first..<first + region.count, hasAlpha: true, straightens: true, functions)
            return (rows, offset.rows)
        }
    }

    func begin(_ memory: PlaneMemory) {
        own?.rows.begin(memory)
        unsafe pixels.removeAll(keepingCapacity: true)
        if let plane = memory[texture] { unsafe pixels.append(picture.pixels(plane)) }
    }

    /// Copies a row of the pass's own pixels, with alpha.
    func copy(of own: RowBlock) -> RowBlock {
        block.fill(3, with: 1, count: region.count)
        for component in 0..<4 {
            guard let from = unsafe own.component(component) else { continue }
            unsafe block.component(component)?.update(from: from, count: region.count)
        }
        return block
    }

    /// The picture's pixels for a canvas row, with straight (unpremultiplied) colours and alpha.
    func row(_ row: Int) -> RowBlock {
        guard unsafe !pixels.isEmpty else { return block }
        if let own { return own.rows.row(row + own.offset) }
        let first = map.applied(x: Double(region.columns.lowerBound) + 0.5, y: Double(row) + 0.5)
        unsafe functions.sampleLine(
            pixels, Float(first.x), Float(first.y), Float(map.a), Float(map.d), interpolates ? 1 : 0,
            picture.hasAlpha ? 1 : 0, block.rows, Int32(region.count))
        return block
    }
}

extension Curve {
    /// The curve's values as tables, one for each component or one for all.
    fileprivate var rowTables: [[Float]] {
        let table = table
        guard let texels = table.texels else { return [] }
        let count = 2 * table.size.width
        return (0..<table.size.height).map { column in
            unsafe texels.withUnsafeBytes { bytes in
                (0..<count).map {
                    unsafe bytes.loadUnaligned(fromByteOffset: 4 * (column * count + $0), as: Float.self)
                }
            }
        }
    }
}
