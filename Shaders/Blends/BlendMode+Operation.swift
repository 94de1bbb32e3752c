extension BlendMode {
    /// Where the base comes from.
    package enum Role: Sendable, Hashable {
        /// It is the chain's own picture, and the overlay the other one; with a mask as the third.
        case node(isMasked: Bool)
        /// It is the other picture, and opaque; the chain's own one is the overlay.
        case layer
    }

    /// The function of two pictures (or, with a mask, three) that does it.
    package func call(_ role: Role) -> ShaderCall {
        let file = kind.source
        let isMasked = role == .node(isMasked: true)
        let ending =
            role == .layer
            ? ShaderSource("BlendLayer.glsl", PackageResources.BlendLayer_glsl)
            : ShaderSource("BlendNode.glsl", PackageResources.BlendNode_glsl)
        let whole =
            kind.decidesAlpha
            ? ShaderSource("BlendPixels.glsl", PackageResources.BlendPixels_glsl)
            : ShaderSource("BlendColors.glsl", PackageResources.BlendColors_glsl)
        // A wipe without a pattern goes over the picture.
        let ramp = isInverted ? "(1.0 - position.x)" : "position.x"
        let text = (file.text + whole.text + ending.text).replacing("BLEND", with: "EFFECT_blend")
            .replacing("EFFECT_MASKED", with: isMasked ? "GL_ES" : "EFFECT_NONE")
            .replacing("EFFECT_MASK", with: kind == .lumaWipe ? ramp : "1.0")
        return ShaderCall(
            ShaderSource(file.name, text), uniforms, changesAlpha: kind == .mask && role != .layer)
    }

    /// Whether the base is left as it is.
    package var isIdentity: Bool { kind != .lumaWipe && kind != .chromaKey && mix == 0 }

    private var uniforms: [Uniform] {
        let weights: [Channel: [Float]] = [
            .luminance: [0.2126, 0.7152, 0.0722, 0], .alpha: [0, 0, 0, 1], .red: [1, 0, 0, 0], .green: [0, 1, 0, 0],
            .blue: [0, 0, 1, 0],
        ]
        let channel = weights[channel] ?? [0, 0, 0, 1]
        func vector(_ name: String) -> Uniform { .vector(name, channel[0], channel[1], channel[2], channel[3]) }
        return [
            .float("mix", kind == .lumaWipe ? 1 : mix), vector("channel"), vector("maskChannel"),
            .float("inverted", isInverted ? 1 : 0), .float("maskInverted", isInverted ? 1 : 0),
            .color("key", color), .vector("range", sensitivity, sensitivity + max(smoothing, 1 / 1024)),
            .float("spill", spill), .float("progress", progress), .float("softness", max(width, 1 / 1024)),
        ]
    }
}
