import PipCompose
import PipRig
import Testing

@Suite("Names of other libraries")
struct ForeignNameTests {
    /// A row of the table, and one of the row's names in another library.
    private struct Entry: Sendable {
        let row: CounterpartRow
        let counterpart: Counterpart

        var spelling: String {
            switch counterpart.library {
            case .gpuImage: "GPUImage\(counterpart.name)Filter"
            case .metalPetal: "MTI\(counterpart.name)Filter"
            case .gpuImage2, .dtLiving, .coreImage, .ffmpeg: counterpart.name
            }
        }
    }

    private static let entries = CounterpartFamily.all.flatMap(\.rows).flatMap { row in
        row.names.map { Entry(row: row, counterpart: $0) }
    }

    /// The name here for another library's effect or blend, or the error message that refuses the name; empty for an
    /// unknown name.
    private func answer(_ name: String, asBlend: Bool) -> String {
        do throws(UsageError) {
            let foreign = ForeignName(name)
            return try asBlend ? foreign.blend()?.name ?? "" : foreign.effect()?.name ?? ""
        } catch {
            return error.description
        }
    }

    @Test(
        "every name of the table is accepted, or refused with this library's name or the reason",
        arguments: Self.entries.indices)
    func answersAll(_ index: Int) {
        let entry = Self.entries[index]
        let isBlend = if case .blend = entry.row.ours { true } else { false }
        let answer = answer(entry.spelling, asBlend: isBlend)
        switch (entry.row.ours, entry.counterpart.agreement) {
        case (.leftOut(let text), _), (.other(let text), _): #expect(answer.contains(text))
        case (_, .differs):
            // Another library may use the name for this effect, with a remark of its own, or the message may cover
            // several libraries.
            let remarks = Self.entries.filter { $0.row.name == entry.row.name }.compactMap { other -> String? in
                if case .differs(let text) = other.counterpart.agreement { text } else { nil }
            }
            #expect(
                answer == entry.row.name || remarks.contains { answer.contains($0) }
                    || answer.contains("in all libraries"))
        case (_, .same), (_, .noted):
            #expect(answer == entry.row.name || answer.contains("\(entry.counterpart.library.rawValue)'s is"))
        }
        #expect(!answer.contains("in all libraries") || entry.row.name.map { answer.contains($0) } ?? true)
    }

    @Test(
        "capitals, blanks, hyphens and a library's prefix do not count",
        arguments: [
            ("hflip", "mirror"), ("HFLIP", "mirror"), ("negate", "invert"), ("CISepiaTone", "sepia"),
            ("sepia_tone", "sepia"), ("GPUImageSepiaFilter", "sepia"), ("gl_sepia", "sepia"),
            ("gaussianblur", "gaussian-blur"), ("Gaussian Blur", "gaussian-blur"),
            ("MTIMPSGaussianBlurFilter", "gaussian-blur"),
            ("CircleGenerator", "circle"), ("GPUImageCrosshatchFilter", "crosshatch"), ("lut3d", "cube"),
            ("GPUImageNobleCornerDetectionFilter", "corners=noble"), ("pixellate-filter", "pixellate"),
        ])
    func acceptsEffects(_ name: String, _ ours: String) { #expect(answer(name, asBlend: false) == ours) }

    @Test(
        "blends are found as well",
        arguments: [
            ("GPUImageScreenBlendFilter", "screen"), ("CIScreenBlendMode", "screen"), ("addition", "add"),
            ("burn", "color-burn"), ("hardlight", "hard-light"), ("LinearDodge", "add"), ("Screen", "screen"),
        ])
    func acceptsBlends(_ name: String, _ ours: String) throws {
        #expect(answer(name, asBlend: true) == ours)
        #expect(try BlendMode(argument: name).kind.rawValue == ours)
    }

    @Test(
        "an effect that is only similar, or missing here, is an error that says so",
        arguments: [
            ("vflip", "FFmpeg's vflip is not supported; transform is similar: write transform=180,mirror"),
            ("eq", "write contrast, brightness, saturation and gamma"), ("lut", "cube=FILE"),
            ("colorize", "monochrome is similar"), ("CIPhotoEffectNoir", "left out"),
            ("GPUImageScreenBlendFilter", "is a blend here: blend=screen"),
            ("histogram", "FFmpeg's is histogram-display"),
        ])
    func tells(_ name: String, _ answer: String) throws {
        let error = #expect(throws: UsageError.self) { try EffectArgument.effects(name) }
        #expect(try #require(error).description.contains(answer))
    }

    @Test("parameters have this library's names, and the counterpart's values can be changed")
    func setsParameters() throws {
        let effects = try EffectArgument.effects(
            "GPUImageNobleCornerDetectionFilter=radius=3,CISepiaTone=0.5,ShiTomasiFeatureDetector=harris")
        let labels = effects.map(\.label)
        #expect(labels[0].hasPrefix("corners=measure=noble:radius=3"))
        #expect(labels[1] == "sepia=intensity=0.5")
        #expect(labels[2].hasPrefix("corners=measure=harris"))
    }

    @Test("a parameter with another scale is reported, and no other parameter")
    func remarks() throws {
        #expect(
            try EffectArgument("main:rotate=30,hflip").remarks == [
                "--effect main:rotate=30,hflip: FFmpeg's rotate is transform here: angle is in degrees, not in radians"
            ])
        #expect(try EffectArgument("main:mirror,transform=30,hflip").remarks == [])
        let remark = "FFmpeg's rotate is transform here: angle is in degrees, not in radians"
        let file = try RigFile("cameras: {a: pattern:scene}\neffects: {a: [{rotate: 30}]}", path: "r.yaml")
        #expect(file.remarks == ["r.yaml, effects of a: \(remark)"])
        let error = #expect(throws: UsageError.self) { try EffectArgument.effects("rotate=size=3") }
        #expect(try #require(error).description.hasSuffix(" (\(remark))"))
    }

    @Test("a table's names agree with the catalogue")
    func isSound() throws {
        for row in CounterpartFamily.all.flatMap(\.rows) {
            guard case .effect(let type, let values) = row.ours else { continue }
            #expect(EffectCatalogue.type(named: type.name) != nil)
            if !values.isEmpty { _ = try EffectArgument.effects("\(type.name)=\(values)") }
        }
    }
}
