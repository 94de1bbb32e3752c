import CPixels
import Testing

@Suite("Loops that read planes at displaced places")
struct WarpLoopTests {
    private static let sets = [PipScalar, PipSSE2, PipAVX2, PipAVX512, PipNEON].filter { pip_can_run($0) != 0 }
    private static let width = 37
    private static let height = 11
    private static let stride = 41

    /// A plane of bytes without any pattern; `pairs` doubles its rows.
    private static func plane(pairs: Bool) -> [UInt8] {
        (0..<(pairs ? 2 : 1) * stride * height).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    }

    /// Positions within and beyond the plane, on samples and between them, and NaN.
    private static func position(_ index: Int, _ length: Int) -> Float {
        switch index % 13 {
        case 0: .nan
        case 1: -3.5
        case 2: Float(length) + 9
        case 3: Float(index % length) + 0.5
        case 4: .infinity
        default: Float((index &* 7919) % (length * 1000)) / 1000
        }
    }

    /// The results of a warp of both components, and of the search for places, with an instruction set.
    private static func results(_ set: PipInstructionSet, count: Int, isPairs: Bool, becomePairs: Bool) -> [UInt32] {
        let functions = unsafe pip_row_functions(set).pointee
        let room = count + 64
        let (x, y) = ((0..<room).map { position($0, width) }, (0..<room).map { position($0 * 3 + 1, height) })
        var (samples, weights) = ([UInt32](repeating: 0, count: room), [UInt32](repeating: 0, count: room))
        var isCopy = [UInt8](repeating: 9, count: room)
        unsafe functions.findPlaces(x, y, Int32(width), Int32(height), &samples, &weights, &isCopy, Int32(count))
        var plane = plane(pairs: isPairs)
        var other = plane.reversed() as [UInt8]
        var out = [UInt8](repeating: 7, count: 2 * room)
        var single = [UInt8](repeating: 7, count: room)
        unsafe plane.withUnsafeMutableBufferPointer { plane in
            unsafe other.withUnsafeMutableBufferPointer { other in
                unsafe out.withUnsafeMutableBufferPointer { out in
                    let (step, resultStep) = (Int32(isPairs ? 2 : 1), Int32(becomePairs ? 2 : 1))
                    let first = unsafe PipSamples(
                        first: plane.baseAddress, stride: Int32(stride) * step, step: step)
                    let second = unsafe PipSamples(
                        first: isPairs ? plane.baseAddress.map { unsafe $0 + 1 } : other.baseAddress,
                        stride: Int32(stride) * step, step: step)
                    let results = unsafe [0, becomePairs ? 1 : room].map { offset in
                        unsafe PipSamples(
                            first: out.baseAddress.map { unsafe $0 + offset }, stride: 0, step: resultStep)
                    }
                    unsafe samples.withUnsafeBufferPointer { samples in
                        unsafe weights.withUnsafeBufferPointer { weights in
                            var places = unsafe PipPlaces(samples: samples.baseAddress, weights: weights.baseAddress)
                            unsafe functions.warpPairs([first, second], &places, results, Int32(count))
                            if !isPairs { unsafe functions.warp([first], &places, &single, Int32(count)) }
                        }
                    }
                }
            }
        }
        return samples[..<count] + weights[..<count] + isCopy[..<((count + 15) / 16)].map { UInt32($0) }
            + (out + single).map { UInt32($0) }
    }

    @Test(
        "all instruction sets give the same bytes, and write none beyond the last result",
        arguments: [1, 3, 16, 37, 61],
        [(false, false), (false, true), (true, false), (true, true)])
    func sameBytes(count: Int, _ pairs: (are: Bool, become: Bool)) {
        let expected = Self.results(PipScalar, count: count, isPairs: pairs.are, becomePairs: pairs.become)
        for set in Self.sets {
            let results = Self.results(set, count: count, isPairs: pairs.are, becomePairs: pairs.become)
            #expect(results == expected, "\(unsafe String(cString: pip_instruction_set_name(set)))")
        }
        let bytes = expected.dropFirst(2 * count + (count + 15) / 16).prefix(2 * (count + 64))
        let end = pairs.become ? 2 * count : count
        #expect(bytes.dropFirst(end).prefix(32).allSatisfy { $0 == 7 })
    }

    @Test("a result is within half a step of the mean of four samples, weighted in Double", arguments: sets)
    func formula(set: PipInstructionSet) {
        let count = 500
        let results = Self.results(set, count: count, isPairs: false, becomePairs: false)
        let (plane, room) = (Self.plane(pairs: false), count + 64)
        let warped = results.dropFirst(2 * count + (count + 15) / 16 + 2 * room).prefix(count)
        for (index, value) in warped.enumerated() {
            func place(_ position: Float, _ length: Int) -> Double {
                position.isNaN ? 0 : min(max(Double(position) - 0.5, 0), Double(length - 1))
            }
            let x = place(Self.position(index, Self.width), Self.width)
            let y = place(Self.position(index * 3 + 1, Self.height), Self.height)
            let (left, upper) = (min(Int(x), Self.width - 2), min(Int(y), Self.height - 2))
            let (right, down) = (x - Double(left), y - Double(upper))
            func sample(_ column: Int, _ row: Int) -> Double {
                Double(plane[(upper + row) * Self.stride + left + column])
            }
            let above = sample(0, 0) * (1 - right) + sample(1, 0) * right
            let below = sample(0, 1) * (1 - right) + sample(1, 1) * right
            let wanted = above * (1 - down) + below * down
            // Neighbours differ by up to 255 here, and places within 1/1024 of a sample become that sample.
            #expect(abs(Double(value) - wanted) <= 0.5 + 2 * 255.0 / 1024, "\(index)")
        }
    }

    @Test("neighbouring samples are found as copies, and copied from and into planes and pairs")
    func copies() {
        let functions = unsafe pip_row_functions(pip_instruction_set()).pointee
        let x = (0..<64).map { Float($0) + (($0 >= 20) ? 2.5 : 0.5) }
        let y = [Float](repeating: 3.5, count: 64)
        var (samples, weights) = ([UInt32](repeating: 0, count: 64), [UInt32](repeating: 0, count: 64))
        var isCopy = [UInt8](repeating: 9, count: 4)
        unsafe functions.findPlaces(x, y, 100, 8, &samples, &weights, &isCopy, 60)
        #expect(isCopy == [1, 0, 1, 1])
        #expect(samples[32] == 34 | 3 << 16)
        var bytes = (0..<64).map { UInt8($0) }
        for (step, resultStep, wanted) in [(1, 1, [0, 1, 30, 31]), (1, 2, [0, 30, 1, 31]), (2, 1, [0, 2, 1, 3])] {
            var out = [UInt8](repeating: 99, count: 6)
            unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                unsafe out.withUnsafeMutableBufferPointer { out in
                    let from = unsafe [0, step == 2 ? 1 : 30].map { offset in
                        unsafe PipSamples(
                            first: bytes.baseAddress.map { unsafe $0 + offset }, stride: 0, step: Int32(step))
                    }
                    let to = unsafe [0, resultStep == 2 ? 1 : 2].map { offset in
                        unsafe PipSamples(
                            first: out.baseAddress.map { unsafe $0 + offset }, stride: 0, step: Int32(resultStep))
                    }
                    unsafe functions.copyPairs(from, to, 2)
                }
            }
            #expect(out.map { Int($0) } == wanted + [99, 99])
        }
    }
}
