internal import Glibc

/// Computes the weights of Gaussian kernels.
package enum GaussianKernel {
    /// The weights of one side of a symmetric kernel, the centre's first.
    ///
    /// The weights of both sides add up to 1, with the centre counted once.
    ///
    /// The kernel is cut off where the remainder is below 1/256 of the sum.
    ///
    /// - Parameter deviation: The standard deviation in pixels; 0 or less gives a single weight.
    /// - Returns: The weights, at least one.
    package static func weights(deviation: Double) -> [Double] {
        guard deviation > 0 else { return [1] }
        let reach = Int((deviation * 2.9).rounded(.up))
        var weights = (0...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
        for index in weights.indices { weights[index] /= sum }
        return weights
    }
}
