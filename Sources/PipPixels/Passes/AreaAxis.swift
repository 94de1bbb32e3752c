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

    /// The weight of a sample for a place.
    func weight(of place: Int, tap: Int) -> Float { weights[tap * starts.count + place] }
}
