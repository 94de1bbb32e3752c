extension BlendMode {
    /// Where the base comes from.
    package enum Role: Sendable, Hashable {
        /// It is the chain's own picture, and the overlay the other one; with a mask as the third.
        case node(isMasked: Bool)
        /// It is the other picture, and opaque; the chain's own one is the overlay.
        case layer
        /// As `layer`, in linear light: both are decoded, and the result is left linear for ``LinearLayer``.
        case linearLayer

        fileprivate var isNode: Bool { if case .node = self { true } else { false } }
    }

    /// The function of two pictures (or, with a mask, three) that does it.
    package func call(_ role: Role) -> ShaderCall {
        if kind == .poisson { return Poisson.step }
        let file = kind.source
        let isMasked = role == .node(isMasked: true)
        let ending =
            switch role {
            case .node: ShaderSource("BlendNode.glsl", PackageResources.BlendNode_glsl).text
            case .layer: ShaderSource("BlendLayer.glsl", PackageResources.BlendLayer_glsl).text
            case .linearLayer:
                ShaderSource("LinearLight.glsl", PackageResources.LinearLight_glsl).text
                    + ShaderSource("LinearBlend.glsl", PackageResources.LinearBlend_glsl).text
            }
        let whole =
            kind.decidesAlpha
            ? ShaderSource("BlendPixels.glsl", PackageResources.BlendPixels_glsl)
            : ShaderSource("BlendColors.glsl", PackageResources.BlendColors_glsl)
        // A wipe without a pattern goes over the picture.
        let ramp = isInverted ? "(1.0 - position.x)" : "position.x"
        let text = (file.text + whole.text + ending).replacing("BLEND", with: "EFFECT_blend")
            .replacing("EFFECT_MASKED", with: isMasked ? "GL_ES" : "EFFECT_NONE")
            .replacing("EFFECT_MASK", with: kind == .lumaWipe ? ramp : "1.0")
        return ShaderCall(
            ShaderSource(file.name, text), uniforms, changesAlpha: kind == .mask && role.isNode)
    }

    /// True when the base stays as it is.
    package var isIdentity: Bool { kind != .lumaWipe && kind != .chromaKey && mix == 0 }

    /// The weights of a mask's components in its coverage.
    func channelUniform(_ name: String) -> Uniform {
        switch channel {
        case .luminance: .vector(name, 0.2126, 0.7152, 0.0722, 0)
        case .alpha: .vector(name, 0, 0, 0, 1)
        case .red: .vector(name, 1, 0, 0, 0)
        case .green: .vector(name, 0, 1, 0, 0)
        case .blue: .vector(name, 0, 0, 1, 0)
        }
    }

    private var uniforms: [Uniform] {
        [
            .float("mix", kind == .lumaWipe ? 1 : mix), channelUniform("channel"), channelUniform("maskChannel"),
            .float("inverted", isInverted ? 1 : 0), .float("maskInverted", isInverted ? 1 : 0),
            .color("key", color), .vector("range", sensitivity, sensitivity + max(smoothing, 1 / 1024)),
            .float("spill", spill), .float("progress", progress), .float("softness", max(width, 1 / 1024)),
        ]
    }
}
