/// Which samples along one side of a plane the places of a picture are means of, by an area filter.
///
/// The area around each place is as wide as the step to the next one, and at least one sample. What lies beyond the
/// plane's edges does not count.
struct AreaAxis {
    /// The first sample that each place reads.
    private(set) var starts: [Int32] = []
    /// Samples that each reads.
    let taps: Int
    /// The weight of tap `t` for place `i`, at `t * count + i`.
    private(set) var weights: [Float] = []
    /// Whole samples to a place, where all weigh the same; nil where they do not.
    let factor: Int?

    /// - Parameters:
    ///   - first: The middle of the first place's area, in samples.
    ///   - step: From a place to the next one.
    ///   - count: Places.
    ///   - length: Samples of the plane.
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

    /// The places in the middle of which every second one reads the next sample, with the weights of two.
    struct Doubling {
        /// The first place.
        let first: Int
        let pairs: Int
        /// The samples from a pair's first place to its second.
        let shift: Int
        /// Of two samples each.
        let weights: [Float]
    }

    /// Where most places are two to a sample; else nil.
    var doubling: Doubling? {
        let count = starts.count
        guard taps == 2, count >= 64 else { return nil }
        // At the edges places are moved inwards.
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

    /// The weight of a sample for a place.
    func weight(of place: Int, tap: Int) -> Float { weights[tap * starts.count + place] }
}
