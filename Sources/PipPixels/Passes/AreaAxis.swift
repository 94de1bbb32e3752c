/// An area filter along one axis of a plane: for each position of the result, the samples whose weighted mean is taken.
///
/// The area around a position is as wide as the distance to the next position, and at least one sample. Samples beyond
/// the plane's edges do not count.
struct AreaAxis {
    /// The index of the first sample that each position reads.
    private(set) var starts: [Int32] = []
    /// The number of samples that each position reads, some with a weight of 0.
    let taps: Int
    /// The weight of tap `t` for position `i`, at index `t * count + i`.
    private(set) var weights: [Float] = []
    /// The width of the areas, in samples, if all samples weigh the same and each area begins where the area before it
    /// ends; else nil.
    let factor: Int?

    /// - Parameters:
    ///   - first: The centre of the first position's area, in samples from the plane's edge.
    ///   - step: The distance between the centres of neighbouring areas, in samples.
    ///   - count: The number of positions.
    ///   - length: The number of samples along the plane's axis.
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

    /// The positions that follow the pattern of a twofold enlargement: two positions for each sample, with the same two
    /// pairs of weights throughout.
    struct Doubling {
        /// The index of the first position that follows the pattern, from 0.
        let first: Int
        let pairs: Int
        /// The distance in samples between the areas of a pair's two positions.
        let shift: Int
        /// The two weights of a pair's first position, then the two weights of the pair's second position.
        let weights: [Float]
    }

    /// The positions that follow a twofold enlargement, if nearly all positions do.
    ///
    /// Nil for other patterns, and for fewer than 64 positions.
    var doubling: Doubling? {
        let count = starts.count
        guard taps == 2, count >= 64 else { return nil }
        // Near the edges, areas are moved inwards and do not follow the pattern.
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

    /// The weight of tap `tap` for a position.
    func weight(of place: Int, tap: Int) -> Float { weights[tap * starts.count + place] }
}
