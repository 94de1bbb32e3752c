extension BlendMode {
    /// The GLSL functions of ``BlendKind/poisson``.
    ///
    /// Source: GPUImage, `GPUImagePoissonBlendFilter`; Pérez, Gangnet, Blake, "Poisson image editing". A number of
    /// Jacobi iterations start from the base.
    package enum Poisson {
        /// The function of the overlay's 3×3 pixels that gives the pixel's difference from its neighbours, and its
        /// weight.
        package static func detail(_ mode: BlendMode) -> ShaderCall {
            ShaderCall(
                ShaderSource("PoissonDetail.frag", PackageResources.PoissonDetail_frag), [.float("mix", mode.mix)],
                changesAlpha: true, isWide: true)
        }

        /// The function that multiplies the weight of that difference by a mask.
        package static func masked(_ mode: BlendMode) -> ShaderCall {
            ShaderCall(
                ShaderSource("PoissonMask.frag", PackageResources.PoissonMask_frag),
                [mode.channelUniform("channel"), .float("inverted", mode.isInverted ? 1 : 0)], changesAlpha: true,
                isWide: true)
        }

        /// The function of the base's 3×3 pixels that gives the mean of the neighbours.
        package static let mean = ShaderCall(
            ShaderSource("PoissonMean.frag", PackageResources.PoissonMean_frag), isWide: true)

        /// The function of the mean, the difference and the base's pixel that makes one Jacobi iteration.
        package static let step = ShaderCall(
            ShaderSource("PoissonBlend.frag", PackageResources.PoissonBlend_frag), isWide: true)
    }
}
