internal import CPixels
internal import PipEffects
internal import PipFrames
internal import PipPlan

/// A call of an effect's vector code for rows of pixels, with the values of the effect's uniforms and tables.
@safe final class EffectCall {
    /// The arguments of the vector code; the stage that runs the call fills in those that depend on the row.
    let arguments: UnsafeMutablePointer<PipEffectRow>
    /// The vector code for opaque rows, and the vector code for rows with alpha.
    private let functions: (PipEffectFunction, PipEffectFunction)
    private let uniforms: UnsafeMutablePointer<Float>
    private let tables: UnsafeMutablePointer<PipTexture>
    private var contents: [TableContents] = []
    /// The active period of each uniform that changes with time, and the index of the uniform's number in `uniforms`.
    private let shares: [(place: Int, period: ActivePeriod)]
    /// True when uniforms change with time.
    var changesWithTime: Bool { !shares.isEmpty }
    /// The number of frames for which uniforms had other values than for the frame before.
    private(set) var changes = 0
    /// The table of the picture that the function reads, such as a histogram, and its index among the tables; nil when
    /// the function reads no such table.
    private let pictureTable: (index: Int, texture: RenderPlan.TextureIndex, size: PixelSize)?

    /// Creates a call; nil when there is no vector code for the function.
    ///
    /// - Parameters:
    ///   - call: The function with the values of its uniforms.
    ///   - table: The table of the picture that the function reads; nil when the function reads no such table.
    ///   - set: The instruction set.
    init?(_ call: ShaderCall, table: SecondPicture? = nil, _ set: PipInstructionSet) {
        guard let effect = unsafe pip_effect(set, call.source.identity) else { return nil }
        guard let opaque = unsafe effect.pointee.functions.0, let translucent = unsafe effect.pointee.functions.1 else {
            return nil
        }
        unsafe functions = (opaque, translucent)
        var numbers: [Float] = []
        var shares: [(Int, ActivePeriod)] = []
        for index in 0..<Int(unsafe effect.pointee.uniformCount) {
            let uniform = unsafe effect.pointee.uniforms[index]
            let name = unsafe String(cString: uniform.name)
            let count = unsafe Int(uniform.count)
            let value = call.uniforms.first { $0.name == name }?.value
            if case .share(let period)? = value { shares.append((numbers.count, period)) }
            let given = value?.numbers ?? []
            numbers += given.prefix(count) + Array(repeating: 0, count: max(0, count - given.count))
        }
        self.shares = shares
        unsafe uniforms = .allocate(capacity: max(numbers.count, 1))
        unsafe uniforms.initialize(repeating: 0, count: max(numbers.count, 1))
        for (index, number) in numbers.enumerated() { unsafe uniforms[index] = number }
        let count = Int(unsafe effect.pointee.tableCount)
        unsafe tables = .allocate(capacity: max(count, 1))
        unsafe tables.initialize(repeating: PipTexture(), count: max(count, 1))
        var found: (Int, RenderPlan.TextureIndex, PixelSize)?
        for index in 0..<count {
            let name = unsafe String(cString: effect.pointee.tables[index].unsafelyUnwrapped)
            if let constant = call.textures.first(where: { $0.name == name })?.texture {
                let kept = TableContents(constant)
                contents.append(kept)
                unsafe tables[index] = kept.texture
            } else if let table, let texture = table.image.textures.first {
                found = (index, texture, table.image.size)
            }
        }
        pictureTable = found
        unsafe arguments = .allocate(capacity: 1)
        unsafe arguments.initialize(to: PipEffectRow())
        unsafe arguments.pointee.uniforms = UnsafePointer(uniforms)
        unsafe arguments.pointee.tables = UnsafePointer(tables)
    }

    deinit {
        unsafe uniforms.deallocate()
        unsafe tables.deallocate()
        unsafe arguments.deallocate()
    }

    /// Prepares the call for a frame.
    ///
    /// `time`: The output's time.
    func begin(_ memory: PlaneMemory, at time: Duration) {
        var isChanged = false
        for share in shares {
            let value = Float(share.period.share(at: time))
            if unsafe uniforms[share.place] != value { isChanged = true }
            unsafe uniforms[share.place] = value
        }
        if isChanged { changes += 1 }
        guard let pictureTable, let plane = memory[pictureTable.texture] else { return }
        unsafe tables[pictureTable.index] = PipTexture(
            texels: UnsafeRawPointer(plane.start), width: Int32(pictureTable.size.width),
            height: Int32(pictureTable.size.height), stride: Int32(plane.stride), isFloat: 1)
    }

    /// Sets the positions of a row's pixels.
    ///
    /// - Parameters:
    ///   - map: The map from canvas pixels to the function's positions.
    ///   - column: The first pixel's column on the canvas.
    ///   - row: The row on the canvas.
    ///   - center: The position in a pixel that is mapped, in pixels from its upper left corner.
    func locate(_ map: Mapping, column: Int, row: Int, center: (x: Double, y: Double) = (0.5, 0.5)) {
        // The operations have the same order as in the GLSL code, so that CPU and GPU round alike at edges.
        let line = Float(row) + Float(center.y)
        unsafe arguments.pointee.pixel = Float(column) + Float(center.x)
        unsafe arguments.pointee.stepX = Float(map.a)
        unsafe arguments.pointee.stepY = Float(map.d)
        unsafe arguments.pointee.x = line * Float(map.b) + Float(map.c)
        unsafe arguments.pointee.y = line * Float(map.e) + Float(map.f)
    }

    /// Runs the vector code on the row that ``arguments`` describes.
    func run() {
        if unsafe arguments.pointee.result.3 == nil {
            unsafe functions.0(arguments)
        } else {
            unsafe functions.1(arguments)
        }
    }
}

/// The texels of a constant table, in memory that lives as long as the call.
@safe private final class TableContents {
    let texture: PipTexture
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ constant: ConstantTexture) {
        let (size, isFloat) = (constant.size, constant.format.isFloat)
        let texels = constant.texels ?? []
        // The table has four components per texel, whatever the format of the constant.
        let parts = constant.format.componentCount
        let bytes = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(size.area, 1) * (isFloat ? 16 : 4) + 64, alignment: 64)
        unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
        unsafe texels.withUnsafeBytes { from in
            for texel in 0..<size.area where !texels.isEmpty {
                for part in 0..<4 {
                    if isFloat {
                        let value =
                            unsafe part < parts
                            ? from.loadUnaligned(fromByteOffset: 4 * (texel * parts + part), as: Float.self)
                            : part == 3 ? 1 : 0
                        unsafe bytes.storeBytes(of: value, toByteOffset: 16 * texel + 4 * part, as: Float.self)
                    } else {
                        let value = unsafe part < parts ? from[texel * parts + part] : part == 3 ? 255 : 0
                        unsafe bytes[4 * texel + part] = value
                    }
                }
            }
        }
        unsafe self.bytes = bytes
        unsafe texture = PipTexture(
            texels: UnsafeRawPointer(bytes.baseAddress), width: Int32(size.width), height: Int32(size.height),
            stride: Int32(size.width * (isFloat ? 16 : 4)), isFloat: isFloat ? 1 : 0)
    }

    deinit { unsafe bytes.deallocate() }
}

extension TexelFormat {
    /// True for 32-bit floats; the planner gives the CPU no constants of 16-bit floats.
    fileprivate var isFloat: Bool { self == .rg32f || self == .rgba32f }

    fileprivate var componentCount: Int {
        switch self {
        case .r8: 1
        case .rg8, .rg32f: 2
        case .rgb8: 3
        case .rgba8, .rgba16f, .rgba32f: 4
        }
    }
}

extension UniformValue {
    /// The uniform's numbers, in the order in which the vector code reads them.
    var numbers: [Float] {
        switch self {
        case .float(let x): [x]
        case .vector2(let x, let y): [x, y]
        case .vector3(let x, let y, let z): [x, y, z]
        case .vector4(let x, let y, let z, let w): [x, y, z, w]
        case .integers2(let x, let y): [Float(x), Float(y)]
        case .integers4(let x, let y, let z, let w): [Float(x), Float(y), Float(z), Float(w)]
        case .matrix3(let values), .floats(let values), .matrices4(let values), .vectors3(let values),
            .vectors4(let values):
            values
        case .share: [0]
        }
    }
}
