extension BlendMode {
    /// The role that the picture of a chain of effects plays in a blend.
    package enum Role: Sendable, Hashable {
        /// The chain's picture is the base, and the second picture the overlay. A third picture may mask the overlay.
        case node(isMasked: Bool)
        /// The chain's picture is the overlay, and the second picture the base, which is opaque.
        case layer
        /// Like `layer`, but in linear light: both pictures are decoded, and the result stays linear for
        /// ``LinearLayer``.
        case linearLayer

        fileprivate var isNode: Bool { if case .node = self { true } else { false } }
    }

    /// Makes the GLSL function that blends two pictures, optionally through a mask.
    ///
    /// The function of ``BlendKind/poisson`` is one Jacobi iteration, whatever the role.
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
        // Without a mask, a wipe moves horizontally over the picture.
        let ramp = isInverted ? "(1.0 - position.x)" : "position.x"
        let text = (file.text + whole.text + ending).replacing("BLEND", with: "EFFECT_blend")
            .replacing("EFFECT_MASKED", with: isMasked ? "GL_ES" : "EFFECT_NONE")
            .replacing("EFFECT_MASK", with: kind == .lumaWipe ? ramp : "1.0")
        return ShaderCall(
            ShaderSource(file.name, text), uniforms, changesAlpha: kind == .mask && role.isNode)
    }

    /// True when ``mix`` is 0, so that the blend leaves the base unchanged; false for luma wipes and chroma keys.
    package var isIdentity: Bool { kind != .lumaWipe && kind != .chromaKey && mix == 0 }

    /// A uniform `vec4` of the weights that give a mask's coverage from its red, green, blue and alpha.
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
