package import PipCompose

/// A library whose names for effects the catalogue knows.
package enum EffectLibrary: String, Sendable, CaseIterable {
    case gpuImage = "GPUImage"
    case gpuImage2 = "GPUImage2"
    case dtLiving = "DTLiving"
    case metalPetal = "MetalPetal"
    case coreImage = "Core Image"
    case ffmpeg = "FFmpeg"

    /// The prefix of the library's names for effects, in lower case; nil for a library without one.
    var prefix: String? {
        switch self {
        case .gpuImage: "gpuimage"
        case .metalPetal: "mti"
        case .coreImage: "ci"
        case .gpuImage2, .dtLiving, .ffmpeg: nil
        }
    }
}

/// Another library's name for an effect or a blend.
///
/// The stored names of GPUImage's and MetalPetal's effects omit `GPUImage`, `MTI` and `Filter`.
package struct Counterpart: Sendable {
    /// The similarity between the other library's effect and the catalogue's effect.
    package enum Agreement: Sendable, Equatable {
        case same
        /// The effect is the same; the text notes a difference in its use, such as other parameters.
        case noted(String)
        /// The effect is only similar; the text says how it differs.
        case differs(String)
    }

    package let library: EffectLibrary
    package let name: String
    package let agreement: Agreement

    private init(_ library: EffectLibrary, _ name: String, _ agreement: Agreement) {
        self.library = library
        self.name = name
        self.agreement = agreement
    }

    static func gpuImage(_ name: String, _ agreement: Agreement = .same) -> Self { Self(.gpuImage, name, agreement) }
    static func gpuImage2(_ name: String, _ agreement: Agreement = .same) -> Self { Self(.gpuImage2, name, agreement) }
    static func dtLiving(_ name: String, _ agreement: Agreement = .same) -> Self { Self(.dtLiving, name, agreement) }
    static func metalPetal(_ name: String, _ agreement: Agreement = .same) -> Self {
        Self(.metalPetal, name, agreement)
    }
    static func coreImage(_ name: String, _ agreement: Agreement = .same) -> Self { Self(.coreImage, name, agreement) }
    static func ffmpeg(_ name: String, _ agreement: Agreement = .same) -> Self { Self(.ffmpeg, name, agreement) }
}

/// An effect, a blend, a feature or the lack of one, with its names in other libraries.
package struct CounterpartRow: Sendable {
    package enum Ours: Sendable {
        /// An effect, with the values that make it the counterpart: `corners` with `noble`.
        case effect(any Effect.Type, with: String)
        case blend(BlendKind)
        /// A feature that is neither an effect nor a blend.
        case other(String)
        /// No counterpart; the text is the reason.
        case leftOut(String)
    }

    package let ours: Ours
    package let names: [Counterpart]
    package let note: String

    static func effect(
        _ type: any Effect.Type, with values: String = "", _ names: Counterpart..., note: String = ""
    ) -> Self {
        Self(ours: .effect(type, with: values), names: names, note: note)
    }

    static func blend(_ kind: BlendKind, _ names: Counterpart..., note: String = "") -> Self {
        Self(ours: .blend(kind), names: names, note: note)
    }

    static func other(_ text: String, _ names: Counterpart..., note: String = "") -> Self {
        Self(ours: .other(text), names: names, note: note)
    }

    static func leftOut(_ reason: String, _ names: Counterpart...) -> Self {
        Self(ours: .leftOut(reason), names: names, note: "")
    }

    /// The name of the blend, or of the effect with its values; nil for anything else.
    package var name: String? {
        switch ours {
        case .effect(let type, let values): values.isEmpty ? type.name : "\(type.name)=\(values)"
        case .blend(let kind): kind.rawValue
        case .other, .leftOut: nil
        }
    }
}

/// A titled group of counterpart rows.
package struct CounterpartFamily: Sendable {
    package let title: String
    package let rows: [CounterpartRow]

    init(_ title: String, _ rows: [CounterpartRow]) {
        self.title = title
        self.rows = rows
    }

    package static let all = [colour, measuring, imageProcessing, blending, looks, faces, composition]
}
