public import PipFrames

/// How an overlay is blended with a base: a kind, and the parameters that this kind reads.
///
/// ```swift
/// Blend(.multiply, base: scene, overlay: texture)
/// Layer(logo).placed(.topRight, width: 0.2).blend(.screen)
/// ```
public struct BlendMode: Sendable, Hashable {
    /// What of a mask counts.
    public enum Channel: String, Sendable, Hashable, CaseIterable { case luminance, alpha, red, green, blue }

    public let kind: BlendKind
    /// How much of the overlay counts, from 0 (nothing) to 1.
    public var mix: Float = 1
    /// What of a mask counts: of the mask of a ``Blend``, or of the overlay of ``BlendKind/mask``.
    public var channel = Channel.luminance
    /// Whether black shows, and white does not.
    public var isInverted = false
    /// What of the base gives way, for ``BlendKind/chromaKey``.
    public var color = Color.green
    /// The distance up to which a colour is taken for it.
    public var sensitivity: Float = 0.4
    /// The distance over which the base comes back.
    public var smoothing: Float = 0.1
    /// How much of the colour's reflection is taken off the base, 0…1.
    public var spill: Float = 0
    /// How far ``BlendKind/lumaWipe`` has come, 0…1.
    public var progress: Float = 0.5
    /// How soft its edge is, 0…1.
    public var width: Float = 0.1
    /// How many passes ``BlendKind/poisson`` makes: light spreads by a pixel in each.
    public var iterations = 10

    public init(_ kind: BlendKind) {
        self.kind = kind
        if kind == .dissolve { mix = 0.5 }
    }

    /// What this kind reads.
    public var parameters: [EffectParameter<BlendMode>] {
        var parameters: [EffectParameter<BlendMode>] = []
        switch kind {
        case .chromaKey:
            parameters += [
                EffectParameter("color", \.color, "what of the base gives way"),
                EffectParameter("sensitivity", \.sensitivity, in: 0...1, "how near a colour must be"),
                EffectParameter("smoothing", \.smoothing, in: 0...1, "how soft the edge is"),
                EffectParameter("spill", \.spill, in: 0...1, "how much of the colour's reflection is taken off"),
            ]
        case .lumaWipe:
            parameters += [
                EffectParameter("progress", \.progress, in: 0...1, "0 is the base, 1 the overlay"),
                EffectParameter("width", \.width, in: 0...1, "how soft the edge is"),
            ]
        case .poisson:
            parameters.append(
                EffectParameter(
                    "iterations", \.iterations, in: 1...100, "passes, each of which spreads light by a pixel"))
        default: break
        }
        if kind != .lumaWipe { parameters.append(EffectParameter("mix", \.mix, in: 0...1, "how much counts")) }
        if kind == .mask || kind == .lumaWipe {
            parameters += [
                EffectParameter("channel", \.channel, "what of the mask counts"),
                EffectParameter("inverted", \.isInverted, "whether black shows"),
            ]
        }
        return parameters
    }

    /// Checks every parameter against what is allowed.
    public func validate() throws(EffectError) {
        for parameter in parameters { try parameter.check(self, of: "blend \(kind.rawValue)") }
    }
}

extension BlendMode {
    public static let normal = BlendMode(.normal)
    public static let sourceOver = BlendMode(.sourceOver)
    public static let add = BlendMode(.add)
    public static let subtract = BlendMode(.subtract)
    public static let multiply = BlendMode(.multiply)
    public static let divide = BlendMode(.divide)
    public static let screen = BlendMode(.screen)
    public static let overlay = BlendMode(.overlay)
    public static let hardLight = BlendMode(.hardLight)
    public static let softLight = BlendMode(.softLight)
    public static let softLightPegtop = BlendMode(.softLightPegtop)
    public static let darken = BlendMode(.darken)
    public static let lighten = BlendMode(.lighten)
    public static let darkerColor = BlendMode(.darkerColor)
    public static let lighterColor = BlendMode(.lighterColor)
    public static let colorBurn = BlendMode(.colorBurn)
    public static let colorDodge = BlendMode(.colorDodge)
    public static let linearBurn = BlendMode(.linearBurn)
    public static let vividLight = BlendMode(.vividLight)
    public static let linearLight = BlendMode(.linearLight)
    public static let pinLight = BlendMode(.pinLight)
    public static let hardMix = BlendMode(.hardMix)
    public static let difference = BlendMode(.difference)
    public static let exclusion = BlendMode(.exclusion)
    public static let hue = BlendMode(.hue)
    public static let saturation = BlendMode(.saturation)
    public static let color = BlendMode(.color)
    public static let luminosity = BlendMode(.luminosity)

    /// The overlay by its alpha, times a factor.
    public static func alpha(_ mix: Float = 1) -> BlendMode { with(.alpha) { $0.mix = mix } }

    /// A part of the one and the rest of the other.
    public static func dissolve(_ mix: Float = 0.5) -> BlendMode { with(.dissolve) { $0.mix = mix } }

    /// The base, where the overlay is white.
    public static func mask(_ channel: Channel = .luminance, inverted: Bool = false) -> BlendMode {
        with(.mask) {
            $0.channel = channel
            $0.isInverted = inverted
        }
    }

    /// The overlay, where the base has a colour.
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

    /// From the base to the overlay, along a pattern: bright parts of the mask first, or without a mask from right to
    /// left.
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
