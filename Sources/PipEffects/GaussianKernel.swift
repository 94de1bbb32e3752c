internal import Glibc

/// A gaussian bell in numbers.
package enum GaussianKernel {
    /// The weights of a symmetric kernel, the centre's first; all together, both sides, are 1.
    ///
    /// It is cut where what is left out is below 1/256 of the whole. `deviation`: In pixels; 0 or less is a single
    /// weight.
    package static func weights(deviation: Double) -> [Double] {
        guard deviation > 0 else { return [1] }
        let reach = Int((deviation * 2.9).rounded(.up))
        var weights = (0...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
        for index in weights.indices { weights[index] /= sum }
        return weights
    }
}
