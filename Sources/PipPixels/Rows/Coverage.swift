internal import PipPlan

/// The source samples that each sample of the result covers along one axis, with their weights.
struct Coverage {
    /// The first source sample that each sample of the result reads.
    private(set) var starts: [Int] = []
    /// The number of source samples that each sample of the result reads.
    let taps: Int
    /// The weights of the source samples; those of one sample of the result add up to 1.
    private var shares: [Double] = []

    /// - Parameters:
    ///   - axis: The area filter along one axis.
    ///   - count: The number of result samples.
    ///   - length: The number of source samples.
    init(_ axis: Blit.Scaling.Axis, count: Int, of length: Int) {
        let width = max(axis.step, 1)
        let parts = (0..<count).map { index in
            let center = axis.first + Double(index) * axis.step
            let low = min(max(center - width / 2, 0), Double(length) - 0.01)
            return (low: low, high: max(min(center + width / 2, Double(length)), low + 0.01))
        }
        func first(_ part: (low: Double, high: Double)) -> Int { Int((part.low + 1e-6).rounded(.down)) }
        taps = parts.map { Int(($0.high - 1e-6).rounded(.up)) - first($0) }.max() ?? 1
        for part in parts {
            let start = min(first(part), length - taps)
            shares += (start..<start + taps).map { sample in
                max(min(part.high, Double(sample + 1)) - max(part.low, Double(sample)), 0) / (part.high - part.low)
            }
            starts.append(start)
        }
    }

    /// The weights as whole numbers that add up to `whole` for each sample of the result.
    func weights(of whole: Double) -> [Int] {
        shares.indices.map { index in
            // Rounding the running sum keeps the errors of the weights from adding up.
            let before = shares[(index / taps * taps)..<index].reduce(0, +)
            return Int(((before + shares[index]) * whole).rounded()) - Int((before * whole).rounded())
        }
    }

    /// The source samples that the samples of the result read, all together.
    var range: Range<Int> { (starts.min() ?? 0)..<(starts.max() ?? 0) + taps }
}
