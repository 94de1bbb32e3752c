/// The kinds of blends of two pictures.
///
/// The raw value is the name on the command line.
///
/// Sources: W3C, Compositing and Blending Level 1; GPUImage's blend filters; Adobe Photoshop's modes by their published
/// formulas.
public enum BlendKind: String, Sendable, Hashable, CaseIterable {
    case normal
    case sourceOver = "source-over"
    case alpha
    case dissolve
    case add
    case subtract
    case multiply
    case divide
    case screen
    case overlay
    case hardLight = "hard-light"
    case softLight = "soft-light"
    case softLightPegtop = "soft-light-pegtop"
    case darken
    case lighten
    case darkerColor = "darker-color"
    case lighterColor = "lighter-color"
    case colorBurn = "color-burn"
    case colorDodge = "color-dodge"
    case linearBurn = "linear-burn"
    case vividLight = "vivid-light"
    case linearLight = "linear-light"
    case pinLight = "pin-light"
    case hardMix = "hard-mix"
    case difference
    case exclusion
    case hue
    case saturation
    case color
    case luminosity
    case mask
    case chromaKey = "chroma-key"
    case lumaWipe = "luma-wipe"
    case poisson

    /// One line of help for the command line.
    public var summary: String {
        switch self {
        case .normal: "the overlay over the base, by the overlay's alpha"
        case .sourceOver: "the overlay over the base; the base's alpha stays"
        case .alpha: "the overlay over the base, by alpha times mix; the base's alpha stays"
        case .dissolve: "a mix of the base and the overlay"
        case .add: "base plus overlay"
        case .subtract: "base minus overlay"
        case .multiply: "base times overlay: darker"
        case .divide: "base divided by overlay: lighter"
        case .screen: "the opposite of multiply: lighter"
        case .overlay: "multiply in dark parts of the base, screen in bright ones"
        case .hardLight: "multiply in dark parts of the overlay, screen in bright ones"
        case .softLight: "like hard-light, but softer"
        case .softLightPegtop: "like hard-light, but softer, with a continuous slope"
        case .darken: "the darker of each component"
        case .lighten: "the lighter of each component"
        case .darkerColor: "the darker of the two colours"
        case .lighterColor: "the lighter of the two colours"
        case .colorBurn: "darkens the base by the overlay, with more contrast"
        case .colorDodge: "lightens the base by the overlay"
        case .linearBurn: "base plus overlay minus white"
        case .vividLight: "color-burn in dark parts of the overlay, color-dodge in bright ones"
        case .linearLight: "base plus twice the overlay minus white"
        case .pinLight: "darken in dark parts of the overlay, lighten in bright ones"
        case .hardMix: "0 or 1 for each component, by the sum of base and overlay"
        case .difference: "the absolute difference of base and overlay"
        case .exclusion: "like difference, but with lower contrast"
        case .hue: "the overlay's hue with the base's saturation and luminosity"
        case .saturation: "the overlay's saturation with the base's hue and luminosity"
        case .color: "the overlay's hue and saturation with the base's luminosity"
        case .luminosity: "the overlay's luminosity with the base's hue and saturation"
        case .mask: "the base, where the overlay is white"
        case .chromaKey: "the overlay, where the base has one colour"
        case .lumaWipe: "from the base to the overlay, the bright parts of a pattern first"
        case .poisson: "the overlay's detail in the base's light, in many passes"
        }
    }

    /// True when the kind's GLSL function computes alpha, too.
    ///
    /// Otherwise, alpha is a + b - a · b, where a is the base's alpha, and b the overlay's weighted alpha.
    var decidesAlpha: Bool {
        switch self {
        case .sourceOver, .alpha, .dissolve, .mask, .chromaKey, .lumaWipe, .poisson: true
        default: false
        }
    }

    /// The GLSL source of the kind.
    ///
    /// The source declares `vec3 BLEND(vec3 b, vec3 o)`, or, if ``decidesAlpha`` is true, `vec4 BLEND(vec4 base, vec4
    /// over, float mask, vec2 position)`. Only the source of ``poisson`` declares `EFFECT` itself.
    var source: ShaderSource {
        switch self {
        case .normal: ShaderSource("NormalBlend.frag", PackageResources.NormalBlend_frag)
        case .sourceOver: ShaderSource("SourceOverBlend.frag", PackageResources.SourceOverBlend_frag)
        case .alpha: ShaderSource("AlphaBlend.frag", PackageResources.AlphaBlend_frag)
        case .dissolve: ShaderSource("DissolveBlend.frag", PackageResources.DissolveBlend_frag)
        case .add: ShaderSource("AddBlend.frag", PackageResources.AddBlend_frag)
        case .subtract: ShaderSource("SubtractBlend.frag", PackageResources.SubtractBlend_frag)
        case .multiply: ShaderSource("MultiplyBlend.frag", PackageResources.MultiplyBlend_frag)
        case .divide: ShaderSource("DivideBlend.frag", PackageResources.DivideBlend_frag)
        case .screen: ShaderSource("ScreenBlend.frag", PackageResources.ScreenBlend_frag)
        case .overlay: ShaderSource("OverlayBlend.frag", PackageResources.OverlayBlend_frag)
        case .hardLight: ShaderSource("HardLightBlend.frag", PackageResources.HardLightBlend_frag)
        case .softLight: ShaderSource("SoftLightBlend.frag", PackageResources.SoftLightBlend_frag)
        case .softLightPegtop: ShaderSource("SoftLightPegtopBlend.frag", PackageResources.SoftLightPegtopBlend_frag)
        case .darken: ShaderSource("DarkenBlend.frag", PackageResources.DarkenBlend_frag)
        case .lighten: ShaderSource("LightenBlend.frag", PackageResources.LightenBlend_frag)
        case .darkerColor: ShaderSource("DarkerColorBlend.frag", PackageResources.DarkerColorBlend_frag)
        case .lighterColor: ShaderSource("LighterColorBlend.frag", PackageResources.LighterColorBlend_frag)
        case .colorBurn: ShaderSource("ColorBurnBlend.frag", PackageResources.ColorBurnBlend_frag)
        case .colorDodge: ShaderSource("ColorDodgeBlend.frag", PackageResources.ColorDodgeBlend_frag)
        case .linearBurn: ShaderSource("LinearBurnBlend.frag", PackageResources.LinearBurnBlend_frag)
        case .vividLight: ShaderSource("VividLightBlend.frag", PackageResources.VividLightBlend_frag)
        case .linearLight: ShaderSource("LinearLightBlend.frag", PackageResources.LinearLightBlend_frag)
        case .pinLight: ShaderSource("PinLightBlend.frag", PackageResources.PinLightBlend_frag)
        case .hardMix: ShaderSource("HardMixBlend.frag", PackageResources.HardMixBlend_frag)
        case .difference: ShaderSource("DifferenceBlend.frag", PackageResources.DifferenceBlend_frag)
        case .exclusion: ShaderSource("ExclusionBlend.frag", PackageResources.ExclusionBlend_frag)
        case .hue: ShaderSource("HueBlend.frag", PackageResources.HueBlend_frag)
        case .saturation: ShaderSource("SaturationBlend.frag", PackageResources.SaturationBlend_frag)
        case .color: ShaderSource("ColorBlend.frag", PackageResources.ColorBlend_frag)
        case .luminosity: ShaderSource("LuminosityBlend.frag", PackageResources.LuminosityBlend_frag)
        case .mask: ShaderSource("MaskBlend.frag", PackageResources.MaskBlend_frag)
        case .chromaKey: ShaderSource("ChromaKeyBlend.frag", PackageResources.ChromaKeyBlend_frag)
        case .lumaWipe: ShaderSource("LumaWipeBlend.frag", PackageResources.LumaWipeBlend_frag)
        case .poisson: ShaderSource("PoissonBlend.frag", PackageResources.PoissonBlend_frag)
        }
    }
}
