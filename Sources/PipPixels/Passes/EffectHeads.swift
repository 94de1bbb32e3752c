internal import CPixels
internal import PipFrames
internal import PipPlan

/// Produces pixels with an effect's function of 3×3 pixels.
@safe final class NeighbourhoodHead: RowHead {
    private let call: EffectCall
    private let region: RowRegion
    private let offset: PixelOffset
    private let source: PictureRows

    /// - Parameters:
    ///   - call: The effect's function.
    ///   - picture: The picture, upright and one to one on the canvas.
    ///   - region: The part of the canvas that is drawn.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(_ call: EffectCall, of picture: MappedPicture, _ region: RowRegion, _ functions: PipRowFunctions) {
        self.call = call
        self.region = region
        offset = PixelOffset(picture.map, region)
        let first = region.columns.lowerBound + offset.columns
        source = PictureRows(
            picture.pixels, columns: first..<first + region.count, margin: 1, kept: 3, hasAlpha: true,
            straightens: true,
            functions)
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {
        call.begin(memory, at: time)
        source.begin(memory)
    }

    func read(_ row: Int, into block: RowBlock) {
        let middle = row + offset.rows
        call.setRows(source.row(middle - 1), source.row(middle), source.row(middle + 1))
        call.setResult(block)
        unsafe call.arguments.pointee.count = Int32(region.count)
        call.run()
    }
}

/// Produces pixels with a function that may read a picture at any position.
@safe final class SamplerHead: RowHead {
    private let call: EffectCall
    private let picture: PicturePixels
    private let region: RowRegion
    private let effectMap: Mapping
    private let source: Mapping
    private let functions: PipRowFunctions
    private var isReady = false

    /// - Parameters:
    ///   - call: The effect's function.
    ///   - picture: The picture, with the map from the function's positions to its samples.
    ///   - effectMap: The map from canvas pixels to the function's positions.
    ///   - region: The part of the canvas that is drawn.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(
        _ call: EffectCall, of picture: MappedPicture, effectMap: Mapping, _ region: RowRegion,
        _ functions: PipRowFunctions
    ) {
        self.call = call
        self.picture = picture.pixels
        self.region = region
        self.effectMap = effectMap
        self.functions = functions
        let sampleMap = picture.map
        source = effectMap.then(sampleMap)
        unsafe call.arguments.pointee.sampleMap = (
            Float(sampleMap.a), Float(sampleMap.b), Float(sampleMap.c), Float(sampleMap.d), Float(sampleMap.e),
            Float(sampleMap.f)
        )
        unsafe call.arguments.pointee.pixelWidth = Float(1 / sampleMap.extent.x)
        unsafe call.arguments.pointee.pixelHeight = Float(1 / sampleMap.extent.y)
        unsafe call.arguments.pointee.ownStepX = Float(source.a)
        unsafe call.arguments.pointee.ownStepY = Float(source.d)
        unsafe call.arguments.pointee.count = Int32(region.count)
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {
        call.begin(memory, at: time)
        isReady = false
        guard let plane = memory[picture.texture] else { return }
        isReady = true
        unsafe call.arguments.pointee.picture = PipTexture(
            texels: UnsafeRawPointer(plane.start), width: Int32(picture.size.width),
            height: Int32(picture.size.height), stride: Int32(plane.stride), isFloat: picture.isFloat ? 1 : 0)
    }

    func read(_ row: Int, into block: RowBlock) {
        guard isReady else { return }
        let column = region.columns.lowerBound
        call.locate(effectMap, column: column, row: row)
        let own = source.applied(x: Double(column) + 0.5, y: Double(row) + 0.5)
        unsafe call.arguments.pointee.ownX = Float(own.x)
        unsafe call.arguments.pointee.ownY = Float(own.y)
        call.setResult(block)
        call.run()
        // The function's result is premultiplied where the picture is premultiplied.
        if picture.hasAlpha && block.hasAlpha { unsafe functions.straighten(block.rows, Int32(region.count)) }
    }
}

/// Reads a picture's pixels at the positions that a warp function returns.
@safe final class WarpHead: RowHead {
    private let call: EffectCall
    private let picture: PicturePixels
    private let region: RowRegion
    private let positions: Mapping
    private let place: [Float]
    private let functions: PipRowFunctions
    private let places: RowBlock
    private var pixels: [PipPixels] = unsafe []

    /// - Parameters:
    ///   - call: The warp function.
    ///   - picture: The picture, with the map from the function's results to its samples.
    ///   - positions: The map from canvas pixels to the function's positions.
    ///   - region: The part of the canvas that is drawn.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(
        _ call: EffectCall, of picture: MappedPicture, positions: Mapping, _ region: RowRegion,
        _ functions: PipRowFunctions
    ) {
        let place = picture.map
        self.call = call
        self.picture = picture.pixels
        self.region = region
        self.positions = positions
        self.place = [place.a, place.b, place.c, place.d, place.e, place.f].map { Float($0) }
        self.functions = functions
        places = RowBlock(count: region.count, hasAlpha: true)
        unsafe call.arguments.pointee.count = Int32(region.count)
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {
        call.begin(memory, at: time)
        unsafe pixels.removeAll(keepingCapacity: true)
        if let plane = memory[picture.texture] { unsafe pixels.append(picture.pixels(plane)) }
    }

    func read(_ row: Int, into block: RowBlock) {
        guard unsafe !pixels.isEmpty else { return }
        let count = Int32(region.count)
        call.locate(positions, column: region.columns.lowerBound, row: row)
        call.setResult(places)
        call.run()
        // The block's third and fourth component hold the positions in the picture.
        let (x, y) = unsafe (places.component(2), places.component(3))
        unsafe functions.place(places.component(0), places.component(1), place, x, y, count)
        unsafe functions.sample(pixels, x, y, 1, picture.hasAlpha ? 1 : 0, block.rows, count)
    }
}

extension EffectCall {
    /// Sets the rows that the function reads: the drawn row and up to two rows of other pictures, or the rows above, at
    /// and below the drawn row.
    func setRows(_ first: RowBlock, _ second: RowBlock? = nil, _ third: RowBlock? = nil) {
        let (a, b, c) = unsafe (
            first.rows.pointee.components, second?.rows.pointee.components, third?.rows.pointee.components
        )
        unsafe arguments.pointee.rows = (
            UnsafePointer(a.0), UnsafePointer(a.1), UnsafePointer(a.2), UnsafePointer(a.3),
            UnsafePointer(b?.0), UnsafePointer(b?.1), UnsafePointer(b?.2), UnsafePointer(b?.3),
            UnsafePointer(c?.0), UnsafePointer(c?.1), UnsafePointer(c?.2), UnsafePointer(c?.3)
        )
    }

    /// Sets the row to which the function writes its results.
    func setResult(_ block: RowBlock) {
        unsafe arguments.pointee.result = block.rows.pointee.components
    }
}
