import CPixels
import Testing

@Suite("A matrix and a shade on planes")
struct ShadeLoopTests {
    private static let sets = [PipScalar, PipSSE2, PipAVX2, PipAVX512, PipNEON].filter { pip_can_run($0) != 0 }
    private static let shift = 4

    /// A matrix that mixes all components, in fixed point.
    private static var numbers: PipShadeNumbers {
        var numbers = PipShadeNumbers()
        numbers.matrix = ((19_000, -3_000, 2_500, 640), (-1_700, 15_000, 900, -320), (2_100, -1_100, 13_000, 160))
        numbers.offset = (16 * 16 + 8, 128 * 16 + 8, 128 * 16 + 8)
        numbers.shift = Int16(shift)
        return numbers
    }

    private static func bytes(_ count: Int, _ seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: (($0 + seed) &* 2_654_435_761) >> 13) }
    }

    /// The memory of two rows of a picture: luma, chroma, shades, and results of 7.
    private struct Picture {
        var luma = bytes(2 * 400, 1)
        var chroma = bytes(2 * 200, 2)
        var shades: [Int16] = (0..<800).map { Int16(($0 &* 7919) % 32768) }
        var means: [Int16] = (0..<200).map { Int16(($0 &* 104_729) % 32768) }
        var result = [UInt8](repeating: 7, count: 2 * 400)
        var resultChroma = [UInt8](repeating: 7, count: 2 * 200)
    }

    /// Applies the matrix with an instruction set.
    ///
    /// Chroma of pairs begins with Cr if `isSwapped` is true.
    private static func shaded(
        _ set: PipInstructionSet, count: Int, step: Int, isSwapped: Bool = false, isShaded: Bool
    ) -> Picture {
        var picture = Picture()
        let functions = unsafe pip_row_functions(set).pointee
        unsafe picture.luma.withUnsafeBufferPointer { luma in
            unsafe picture.chroma.withUnsafeBufferPointer { chroma in
                unsafe picture.shades.withUnsafeBufferPointer { shades in
                    unsafe picture.means.withUnsafeBufferPointer { means in
                        unsafe picture.result.withUnsafeMutableBufferPointer { result in
                            unsafe picture.resultChroma.withUnsafeMutableBufferPointer { resultChroma in
                                guard let y = luma.baseAddress, let c = chroma.baseAddress,
                                    let s = shades.baseAddress, let out = result.baseAddress,
                                    let outChroma = resultChroma.baseAddress
                                else { return }
                                let next = unsafe step == 2 ? c + 1 : c + 200
                                var rows = unsafe PipShadedRows(
                                    luma: (y, y + 400), chroma: isSwapped ? (next, c) : (c, next),
                                    chromaStep: Int32(step), shades: isShaded ? (s, s + 400) : (nil, nil),
                                    meanShades: means.baseAddress, result: (out, out + 400),
                                    resultChroma: (outChroma, step == 2 ? outChroma + 1 : outChroma + 200),
                                    resultStep: Int32(step))
                                var numbers = Self.numbers
                                unsafe functions.shadePlanes(&rows, &numbers, Int32(count))
                            }
                        }
                    }
                }
            }
        }
        return picture
    }

    @Test(
        "all instruction sets give the same bits as scalar code, and write nothing else",
        arguments: [16, 17, 31, 64, 100], [1, 2])
    func instructionSets(count: Int, step: Int) {
        for (isSwapped, isShaded) in [(false, true), (true, true), (false, false)] {
            let results = Self.sets.map {
                Self.shaded($0, count: count, step: step, isSwapped: isSwapped, isShaded: isShaded)
            }
            for (index, result) in results.enumerated() {
                #expect(result.result == results[0].result, "\(Self.sets[index])")
                #expect(result.resultChroma == results[0].resultChroma, "\(Self.sets[index])")
                #expect(result.result[2 * count..<400].allSatisfy { $0 == 7 })
                #expect(result.resultChroma[step * count..<200].allSatisfy { $0 == 7 })
            }
        }
    }

    @Test("results are within 0.65 steps of the matrix in Double", arguments: sets, [true, false])
    func reference(set: PipInstructionSet, isShaded: Bool) {
        let (count, picture, numbers) = (60, Picture(), Self.numbers)
        let result = Self.shaded(set, count: count, step: 1, isShaded: isShaded)
        func value(_ row: (Int16, Int16, Int16, Int16), _ luma: Double, _ place: (Int, shade: Double)) -> Double {
            let cb = Double(picture.chroma[place.0]) - 128
            let cr = Double(picture.chroma[200 + place.0]) - 128
            let tint = (Double(row.1) * cb + Double(row.2) * cr) / 16384 + Double(row.3) / 32
            return Double(row.0) * luma / 16384 + place.shade * tint
        }
        func shade(_ index: Int) -> Double { isShaded ? Double(picture.shades[index]) / 32768 : 1 }
        var worst = 0.0
        func compare(_ found: UInt8, _ exact: Double) {
            let limited = min(max(exact, 0), 255)
            worst = max(worst, abs(Double(found) - limited))
        }
        for column in 0..<count {
            var mean = 0.0
            for place in [2 * column, 2 * column + 1, 400 + 2 * column, 401 + 2 * column] {
                let luma = shade(place) * Double(picture.luma[place])
                mean += luma / 4
                compare(result.result[place], value(numbers.matrix.0, luma, (column, shade(place))) + 16)
            }
            let own = isShaded ? Double(picture.means[column]) / 32768 : 1
            compare(result.resultChroma[column], value(numbers.matrix.1, mean, (column, own)) + 128)
            compare(result.resultChroma[200 + column], value(numbers.matrix.2, mean, (column, own)) + 128)
        }
        #expect(worst <= 0.65, "\(worst)")
    }
}
