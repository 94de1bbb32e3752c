/// The operations of ``Dilation``, ``Erosion``, ``Opening`` and ``Closing``.
enum Morphology {
    /// Makes an operation that takes the largest or smallest values of a square, horizontally and then vertically.
    ///
    /// Nil for a radius of less than half a drawn pixel.
    static func extreme(isLargest: Bool, radius: Float, in context: EffectContext) -> EffectOperation? {
        let reach = context.pixels(radius).rounded()
        guard reach > 0 else { return nil }
        let sign: Float = isLargest ? 1 : -1
        return .sequence(
            [(1, 0), (0, 1)].map { (x: Float, y: Float) in
                .sampler(
                    ShaderCall(
                        ShaderSource("Extreme.frag", PackageResources.Extreme_frag),
                        [.vector("line", x, y, Float(reach), sign)]))
            })
    }

    /// Makes a sequence of operations: each true takes the largest values of a square, each false the smallest.
    static func sequence(_ areLargest: [Bool], radius: Float, in context: EffectContext) -> EffectOperation {
        let operations = areLargest.compactMap { extreme(isLargest: $0, radius: radius, in: context) }
        return operations.isEmpty ? .none : .sequence(operations)
    }
}
