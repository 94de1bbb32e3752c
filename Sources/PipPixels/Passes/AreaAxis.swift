/// An area filter along one side of a plane: the samples whose mean each position of a picture is.
///
/// The area around a position is as wide as the step to the next position, and at least one sample. Samples beyond the
/// plane's edges do not count.
struct AreaAxis {
    /// The first sample that each position reads.
    private(set) var starts: [Int32] = []
    /// The number of samples that each position reads.
    let taps: Int
    /// The weight of tap `t` for position `i`, at `t * count + i`.
    private(set) var weights: [Float] = []
    /// The number of whole samples for each position, if all weigh the same; else nil.
    let factor: Int?

    /// - Parameters:
    ///   - first: The middle of the first position's area, in samples.
    ///   - step: The distance of positions, in samples.
    ///   - count: The number of positions.
    ///   - length: The number of samples of the plane.
    init(first: Double, step: Double, count: Int, of length: Int) {
        let width = max(abs(step), 1)
        let areas = (0..<count).map { index in
            let center = first + Double(index) * step
            let low = min(max(center - width / 2, 0), Double(length) - 0.01)
            return (low: low, high: max(min(center + width / 2, Double(length)), low + 0.01))
        }
        func firstSample(_ low: Double) -> Int { Int((low + 1e-3).rounded(.down)) }
        let taps = min(areas.map { Int(($0.high - 1e-6).rounded(.up)) - firstSample($0.low) }.max() ?? 1, length)
        self.taps = max(taps, 1)
        var columns: [[Float]] = []
        for area in areas {
            let start = max(0, min(firstSample(area.low), length - self.taps))
            starts.append(Int32(start))
            columns.append(
                (start..<start + self.taps).map { sample in
                    let share = min(area.high, Double(sample + 1)) - max(area.low, Double(sample))
                    return Float(max(share, 0) / (area.high - area.low))
                })
        }
        weights = (0..<self.taps).flatMap { tap in columns.map { $0[tap] } }
        let (own, found, shares) = (self.taps, starts, weights)
        let isWhole = found.indices.allSatisfy { Int(found[$0]) == Int(found[0]) + $0 * own }
        let isEven = shares.allSatisfy { abs($0 * Float(own) - 1) < 1e-4 }
        factor = isEven && isWhole ? own : nil
    }

    /// The positions in the middle, of which every second one reads the next sample, with the weights of two.
    struct Doubling {
        /// The first position.
        let first: Int
        let pairs: Int
        /// The samples from a pair's first position to its second.
        let shift: Int
        /// The weights of two samples each.
        let weights: [Float]
    }

    /// The doubling, if most positions are two to a sample; else nil.
    var doubling: Doubling? {
        let count = starts.count
        guard taps == 2, count >= 64 else { return nil }
        // At the edges, positions are moved inwards.
        let first = 4
        func isLike(_ place: Int) -> Bool {
            starts[place] == starts[place - 2] + 1
                && (0..<2).allSatisfy { abs(weight(of: place, tap: $0) - weight(of: place - 2, tap: $0)) < 1e-5 }
        }
        let end = (first + 2..<count).first { !isLike($0) } ?? count
        guard end > count - 8 else { return nil }
        let weights = [first, first + 1].flatMap { place in (0..<2).map { weight(of: place, tap: $0) } }
        return Doubling(
            first: first, pairs: (end - first) / 2, shift: Int(starts[first + 1] - starts[first]), weights: weights)
    }

    /// The weight of a sample for a position.
    func weight(of place: Int, tap: Int) -> Float { weights[tap * starts.count + place] }
}
