import CPixels
import Testing

@Suite("Instruction sets")
struct InstructionSetTests {
    /// The SIMD instruction sets that this machine supports.
    private static let sets = [PipSSE2, PipAVX2, PipAVX512, PipNEON].filter { pip_can_run($0) != 0 }

    /// Rows that effects may meet, including NaN, infinities and denormals.
    private static func rows(_ count: Int, seed: UInt64) -> [[Float]] {
        var state = seed
        func next() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            switch (state >> 33) % 64 {
            case 0: return .nan
            case 1: return .infinity
            case 2: return -.infinity
            case 3: return Float(bitPattern: 7)
            case 4: return -0.25
            case 5: return 1.5
            case 6: return 0
            case 7: return 1
            default: return Float((state >> 40) % 65536) / 65535
            }
        }
        return (0..<12).map { _ in (0..<count + 64).map { _ in next() } }
    }

    private typealias Floats = UnsafeBufferPointer<Float>
    private typealias Results = UnsafeMutableBufferPointer<Float>

    /// The bit patterns of the colours that `function` computes: red of all pixels, then green, blue and alpha.
    private static func result(
        of function: PipEffectFunction, count: Int, rows: [[Float]], hasAlpha: Bool
    ) -> [UInt32] {
        let size = 16
        let length = count + 64
        let pixels = (0..<size * size).map { UInt32(truncatingIfNeeded: $0 &* 2_654_435_761) | 0xff00_0000 }
        let values = (0..<4 * 512).map { Float(($0 * 37) % 256) / 255 }
        let uniforms = (0..<512).map { 0.25 + Float(($0 * 7) % 5) / 8 }
        var results = [Float](repeating: -1, count: 4 * length)
        unsafe pixels.withUnsafeBytes { (pixels: UnsafeRawBufferPointer) in
            unsafe values.withUnsafeBytes { (values: UnsafeRawBufferPointer) in
                unsafe uniforms.withUnsafeBufferPointer { (uniforms: Floats) in
                    unsafe rows.flatMap(\.self).withUnsafeBufferPointer { (inputs: Floats) in
                        unsafe results.withUnsafeMutableBufferPointer { (results: inout Results) in
                            guard let inputs = inputs.baseAddress, let out = results.baseAddress else {
                                return
                            }
                            let table = unsafe PipTexture(
                                texels: values.baseAddress, width: 128, height: 4, stride: 2048, isFloat: 1)
                            unsafe [PipTexture](repeating: table, count: 4).withUnsafeBufferPointer { tables in
                                var row = unsafe PipEffectRow()
                                unsafe (row.pixel, row.stepX, row.y) = (0.5, 1 / 64, 0.3)
                                unsafe (row.uniforms, row.tables) = (uniforms.baseAddress, tables.baseAddress)
                                unsafe row.picture = PipTexture(
                                    texels: pixels.baseAddress, width: Int32(size), height: Int32(size),
                                    stride: Int32(4 * size), isFloat: 0)
                                unsafe (row.ownX, row.ownY, row.ownStepX) = (0.5, 3.5, 1)
                                unsafe row.sampleMap = (Float(size), 0, 0, 0, Float(size), 0)
                                unsafe (row.pixelWidth, row.pixelHeight) = (1 / Float(size), 1 / Float(size))
                                unsafe row.count = Int32(count)
                                unsafe connect(&row, to: inputs, out, length: length, hasAlpha: hasAlpha)
                                unsafe function(&row)
                            }
                        }
                    }
                }
            }
        }
        // NaN has many bit patterns, which count as equal here.
        let own = (0..<4).flatMap { results[$0 * length + 16..<$0 * length + 16 + count] }
        return own.map { $0.isNaN ? 0x7fc0_0000 : $0.bitPattern }
    }

    /// Connects a row to 12 rows of input, and to three rows of output, or four with alpha.
    private static func connect(
        _ row: inout PipEffectRow, to inputs: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>, length: Int,
        hasAlpha: Bool
    ) {
        unsafe withUnsafeMutableBytes(of: &row.rows) { (bytes: UnsafeMutableRawBufferPointer) in
            let places = unsafe bytes.bindMemory(to: UnsafePointer<Float>?.self)
            for index in 0..<12 { unsafe places[index] = inputs + index * length + 16 }
        }
        unsafe row.result = (
            out + 16, out + length + 16, out + 2 * length + 16, hasAlpha ? out + 3 * length + 16 : nil
        )
    }

    @Test("all instruction sets give the same bits as scalar code, for every effect", arguments: [1, 3, 16, 61])
    func sameBits(count: Int) {
        let rows = Self.rows(count, seed: UInt64(count))
        var number: Int32 = 0
        guard let all = unsafe pip_effects(PipScalar, &number) else { return }
        #expect(number > 150)
        for index in 0..<Int(number) {
            let scalar = unsafe all[index]
            for set in Self.sets {
                guard let own = unsafe pip_effect(set, scalar.identity) else {
                    Issue.record("an instruction set has no code for effect \(index)")
                    continue
                }
                for hasAlpha in [false, true] {
                    let functions = unsafe [
                        hasAlpha ? scalar.functions.1 : scalar.functions.0,
                        hasAlpha ? own.pointee.functions.1 : own.pointee.functions.0,
                    ].compactMap { unsafe $0 }
                    let results = unsafe functions.map {
                        unsafe Self.result(of: $0, count: count, rows: rows, hasAlpha: hasAlpha)
                    }
                    #expect(
                        results.count == 2 && results[0] == results[1],
                        "\(unsafe String(cString: scalar.name)) by \(unsafe String(cString: pip_instruction_set_name(set)))"
                    )
                }
            }
        }
    }

    @Test("an unknown effect has no function, and scalar code runs on every machine")
    func identity() {
        #expect(unsafe pip_effect(pip_instruction_set(), 42) == nil)
        #expect(pip_can_run(PipScalar) != 0 && pip_can_run(pip_instruction_set()) != 0)
    }
}
