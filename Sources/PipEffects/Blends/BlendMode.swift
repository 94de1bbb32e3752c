public import PipFrames

/// A blend of an overlay with a base: its kind and the kind's parameters.
///
/// ```swift
/// Blend(.multiply, base: scene, overlay: texture)
/// Layer(logo).placed(.topRight, width: 0.2).blended(.screen)
/// ```
public struct BlendMode: Sendable, Hashable {
    /// The channel that gives a mask's coverage.
    public enum Channel: String, Sendable, Hashable, CaseIterable { case luminance, alpha, red, green, blue }

    /// The kind, which selects the formula of the blend.
    public let kind: BlendKind
    /// The weight of the overlay, from 0 (base alone) to 1 (the complete blend).
    ///
    /// ``BlendKind/lumaWipe`` uses ``progress`` instead. ``BlendKind/chromaKey`` suppresses spill at every weight.
    public var mix: Float = 1
    /// The coverage channel of a ``Blend``'s mask, or of the overlay of ``BlendKind/mask``.
    public var channel = Channel.luminance
    /// True to exchange black and white of the mask, or to reverse a wipe without a mask.
    public var isInverted = false
    /// The key colour of ``BlendKind/chromaKey``: the overlay replaces the base where the base has this colour.
    public var color = Color.green
    /// The chroma distance up to which a colour counts as the key colour, 0…1.
    public var sensitivity: Float = 0.4
    /// The chroma distance over which the base fades in again, 0…1.
    public var smoothing: Float = 0.1
    /// The strength of spill suppression, which removes the key colour's reflection from the base, 0…1.
    public var spill: Float = 0
    /// The progress of ``BlendKind/lumaWipe``, from 0 (base) to 1 (overlay).
    public var progress: Float = 0.5
    /// The softness of the edge of ``BlendKind/lumaWipe``, 0…1.
    public var width: Float = 0.1
    /// The number of Jacobi iterations of ``BlendKind/poisson``, 1…100.
    ///
    /// Each iteration spreads light by one pixel.
    public var iterations = 10

    /// Creates a blend of a kind with default parameters.
    public init(_ kind: BlendKind) {
        self.kind = kind
        if kind == .dissolve { mix = 0.5 }
    }

    /// The parameters that this kind of blend has.
    public var parameters: [EffectParameter<BlendMode>] {
        var parameters: [EffectParameter<BlendMode>] = []
        switch kind {
        case .chromaKey:
            parameters += [
                EffectParameter("color", \.color, "the key colour, at which the overlay replaces the base"),
                EffectParameter(
                    "sensitivity", \.sensitivity, in: 0...1,
                    "the chroma distance up to which a colour is the key colour"),
                EffectParameter(
                    "smoothing", \.smoothing, in: 0...1, "the further chroma distance over which the base returns"),
                EffectParameter(
                    "spill", \.spill, in: 0...1, "the share of the key colour's reflection that is removed"),
            ]
        case .lumaWipe:
            parameters += [
                EffectParameter("progress", \.progress, in: 0...1, "0 is the base, 1 the overlay"),
                EffectParameter("width", \.width, in: 0...1, "the softness of the edge"),
            ]
        case .poisson:
            parameters.append(
                EffectParameter(
                    "iterations", \.iterations, in: 1...100, "the number of passes; each one spreads light by one pixel"
                ))
        default: break
        }
        if kind != .lumaWipe {
            parameters.append(EffectParameter("mix", \.mix, in: 0...1, "the weight of the blend; 0 is the base"))
        }
        if kind == .mask || kind == .lumaWipe {
            parameters += [
                EffectParameter("channel", \.channel, "the channel that gives the mask's coverage"),
                EffectParameter("inverted", \.isInverted, "whether black and white of the mask are exchanged"),
            ]
        }
        return parameters
    }

    /// Checks every parameter against its range.
    ///
    /// - Throws: ``EffectError`` for the first parameter that is out of range.
    public func validate() throws(EffectError) {
        for parameter in parameters { try parameter.check(self, of: "blend \(kind.rawValue)") }
    }
}

extension BlendMode {
    /// Draws the overlay over the base, by the overlay's alpha.
    public static let normal = BlendMode(.normal)
    /// Draws the overlay over the base, and keeps the base's alpha.
    public static let sourceOver = BlendMode(.sourceOver)
    /// Adds the overlay to the base.
    public static let add = BlendMode(.add)
    /// Subtracts the overlay from the base.
    public static let subtract = BlendMode(.subtract)
    /// Multiplies base and overlay, which darkens.
    public static let multiply = BlendMode(.multiply)
    /// Divides the base by the overlay, which lightens.
    public static let divide = BlendMode(.divide)
    /// Multiplies the inverted base and the inverted overlay, and inverts the product, which lightens.
    public static let screen = BlendMode(.screen)
    /// Applies ``multiply`` in dark parts of the base, ``screen`` in bright parts.
    public static let overlay = BlendMode(.overlay)
    /// Applies ``multiply`` in dark parts of the overlay, ``screen`` in bright parts.
    public static let hardLight = BlendMode(.hardLight)
    /// Works like ``hardLight``, but softer.
    public static let softLight = BlendMode(.softLight)
    /// Pegtop's soft light, a softer ``hardLight`` whose slope is continuous.
    public static let softLightPegtop = BlendMode(.softLightPegtop)
    /// Takes the darker value of each component.
    public static let darken = BlendMode(.darken)
    /// Takes the lighter value of each component.
    public static let lighten = BlendMode(.lighten)
    /// Takes the darker of the two colours.
    public static let darkerColor = BlendMode(.darkerColor)
    /// Takes the lighter of the two colours.
    public static let lighterColor = BlendMode(.lighterColor)
    /// Darkens the base by the overlay, with more contrast.
    public static let colorBurn = BlendMode(.colorBurn)
    /// Lightens the base by the overlay.
    public static let colorDodge = BlendMode(.colorDodge)
    /// Adds base and overlay, and subtracts white.
    public static let linearBurn = BlendMode(.linearBurn)
    /// Applies ``colorBurn`` in dark parts of the overlay, ``colorDodge`` in bright parts.
    public static let vividLight = BlendMode(.vividLight)
    /// Adds twice the overlay to the base, and subtracts white.
    public static let linearLight = BlendMode(.linearLight)
    /// Applies ``darken`` in dark parts of the overlay, ``lighten`` in bright parts.
    public static let pinLight = BlendMode(.pinLight)
    /// Makes each component 0 or 1, depending on the sum of base and overlay.
    public static let hardMix = BlendMode(.hardMix)
    /// Takes the absolute difference of base and overlay.
    public static let difference = BlendMode(.difference)
    /// Works like ``difference``, but with lower contrast.
    public static let exclusion = BlendMode(.exclusion)
    /// Combines the overlay's hue with the base's saturation and luminosity.
    public static let hue = BlendMode(.hue)
    /// Combines the overlay's saturation with the base's hue and luminosity.
    public static let saturation = BlendMode(.saturation)
    /// Combines the overlay's hue and saturation with the base's luminosity.
    public static let color = BlendMode(.color)
    /// Combines the overlay's luminosity with the base's hue and saturation.
    public static let luminosity = BlendMode(.luminosity)

    /// Draws the overlay over the base, by the overlay's alpha times `mix`, and keeps the base's alpha.
    public static func alpha(_ mix: Float = 1) -> BlendMode { with(.alpha) { $0.mix = mix } }

    /// Interpolates between base and overlay: a `mix` of 0 is the base, 1 the overlay.
    public static func dissolve(_ mix: Float = 0.5) -> BlendMode { with(.dissolve) { $0.mix = mix } }

    /// Shows the base where the overlay's channel is white, or where it is black if `inverted` is true.
    public static func mask(_ channel: Channel = .luminance, inverted: Bool = false) -> BlendMode {
        with(.mask) {
            $0.channel = channel
            $0.isInverted = inverted
        }
    }

    /// Shows the overlay where the base has the key colour.
    public static func chromaKey(
        _ color: Color = .green, sensitivity: Float = 0.4, smoothing: Float = 0.1, spill: Float = 0
    ) -> BlendMode {
        with(.chromaKey) {
            $0.color = color
            $0.sensitivity = sensitivity
            $0.smoothing = smoothing
            $0.spill = spill
        }
    }

    /// Makes a transition from the base to the overlay along a pattern.
    ///
    /// The transition reaches the bright parts of the mask first; without a mask, the transition moves from right to
    /// left. If `inverted` is true, this order is reversed.
    public static func lumaWipe(progress: Float, width: Float = 0.1, inverted: Bool = false) -> BlendMode {
        with(.lumaWipe) {
            $0.progress = progress
            $0.width = width
            $0.isInverted = inverted
        }
    }

    private static func with(_ kind: BlendKind, _ change: (inout BlendMode) -> Void) -> BlendMode {
        var mode = BlendMode(kind)
        change(&mode)
        return mode
    }
}
