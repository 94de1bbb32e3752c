extension BlendMode {
    /// The operations of ``BlendKind/poisson``.
    ///
    /// Source: GPUImage, `GPUImagePoissonBlendFilter`; Pérez, Gangnet, Blake, "Poisson image editing", by a number of
    /// steps of Jacobi's method from the base on.
    package enum Poisson {
        /// A function of the overlay's 3×3 pixels: their difference from their surroundings, and its weight.
        package static func detail(_ mode: BlendMode) -> ShaderCall {
            ShaderCall(
                ShaderSource("PoissonDetail.frag", PackageResources.PoissonDetail_frag), [.float("mix", mode.mix)],
                changesAlpha: true, isWide: true)
        }

        /// A function of that difference and of a mask.
        package static func masked(_ mode: BlendMode) -> ShaderCall {
            ShaderCall(
                ShaderSource("PoissonMask.frag", PackageResources.PoissonMask_frag),
                [mode.channelUniform("channel"), .float("inverted", mode.isInverted ? 1 : 0)], changesAlpha: true,
                isWide: true)
        }

        /// A function of the base's 3×3 pixels.
        package static let mean = ShaderCall(
            ShaderSource("PoissonMean.frag", PackageResources.PoissonMean_frag), isWide: true)

        /// A function of that mean, the difference and the base's own pixel: the next step.
        package static let step = ShaderCall(
            ShaderSource("PoissonBlend.frag", PackageResources.PoissonBlend_frag), isWide: true)
    }
}
