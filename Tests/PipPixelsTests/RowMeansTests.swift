import PipPlan
import Testing

@testable import PipPixels

@Suite("Means of square areas")
struct RowMeansTests {
    /// The means of all areas of `number` × `number` samples of a plane.
    private func means(of plane: Plane, by number: Int) -> Plane {
        var result = Plane(plane.width / number, plane.height / number, parts: plane.parts) { _, _, _ in 0 }
        let count = result.width * plane.parts
        let sums = RowMemory<UInt16>(rows: 1, count: RowMeans.room(of: number, count))
        let columns = ColumnMeans(.plane(mean: number), parts: plane.parts, count: count)
        let (height, stride, isPairs) = (result.height, plane.stride, plane.parts == 2)
        unsafe plane.withRows { source in
            unsafe result.withMutableRows { target in
                for row in 0..<height {
                    unsafe RowMeans.means(
                        InputRows(source(row * number), stride: stride), of: number, isPairs: isPairs,
                        to: MeanRow(start: target(row), count: count, sums: sums[0], columns: columns))
                }
            }
        }
        return result
    }

    @Test("means are rounded to the nearest samples", arguments: Array(2...16) + [20, 30, 63, 64], [1, 2])
    func means(number: Int, parts: Int) {
        let plane = Plane(number * 37, number * 3, parts: parts, seed: number)
        let result = means(of: plane, by: number)
        let worst = result.difference { x, y, part in
            var sum = 0.0
            for row in 0..<number {
                for column in 0..<number { sum += plane[x * number + column, y * number + row, part] }
            }
            return sum / Double(number * number)
        }
        // Halfway between two samples, either one is nearest.
        #expect(worst.steps <= 0.5001, "\(worst.place)")
        #expect(result.isPaddingIntact)
    }

    @Test("the mean of equal samples is that sample", arguments: 2...16, [0, 1, 127, 254, 255] as [UInt8])
    func equalSamples(number: Int, sample: UInt8) {
        for parts in 1...2 {
            let plane = Plane(number * 9, number, parts: parts) { _, _, _ in sample }
            #expect(means(of: plane, by: number).difference { _, _, _ in Double(sample) }.steps == 0)
        }
    }

    @Test("a mean halfway between two samples is rounded up, for areas of two and of four", arguments: [2, 4], [1, 2])
    func halves(number: Int, parts: Int) {
        // Half of the samples are 10 and half are 11, so the exact mean is 10.5.
        let plane = Plane(number * 5, number * 2, parts: parts) { x, _, _ in x % 2 == 0 ? 10 : 11 }
        #expect(means(of: plane, by: number).difference { _, _, _ in 11 }.steps == 0)
    }
}
