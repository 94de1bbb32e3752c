extension BlendMode {
    /// The GLSL functions of ``BlendKind/poisson``.
    ///
    /// Source: GPUImage, `GPUImagePoissonBlendFilter`; Pérez, Gangnet, Blake, "Poisson image editing". The Jacobi
    /// iterations start from the base.
    package enum Poisson {
        /// The GLSL function that computes the difference of each overlay pixel from the mean of its four neighbours,
        /// and the weight of that difference.
        package static func detail(_ mode: BlendMode) -> ShaderCall {
            ShaderCall(
                ShaderSource("PoissonDetail.frag", PackageResources.PoissonDetail_frag), [.float("mix", mode.mix)],
                changesAlpha: true, isWide: true)
        }

        /// The GLSL function that multiplies the weight of the overlay's difference by a mask.
        package static func masked(_ mode: BlendMode) -> ShaderCall {
            ShaderCall(
                ShaderSource("PoissonMask.frag", PackageResources.PoissonMask_frag),
                [mode.channelUniform("channel"), .float("inverted", mode.isInverted ? 1 : 0)], changesAlpha: true,
                isWide: true)
        }

        /// The GLSL function that computes the mean of each pixel's four neighbours.
        package static let mean = ShaderCall(
            ShaderSource("PoissonMean.frag", PackageResources.PoissonMean_frag), isWide: true)

        /// The GLSL function of one Jacobi iteration, from the neighbours' mean, the overlay's difference and the pixel
        /// of the preceding iteration.
        package static let step = ShaderCall(
            ShaderSource("PoissonBlend.frag", PackageResources.PoissonBlend_frag), isWide: true)
    }
}
