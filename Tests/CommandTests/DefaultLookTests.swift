import PipCompose
import PipPatterns
import PipTestSupport
import Testing

@testable import PipRig
@testable import pip_compose

@Suite("Effects named alone", .serialized)
struct DefaultLookTests {
    /// The effects whose defaults leave a still picture unchanged, with the reason.
    static let unseen = [
        "crop": "which part is to be left, only the user can say",
        "low-pass": "the mean of a still picture over time is that picture",
        "trails": "a still picture leaves no trail",
        "lookup": "needs a table",
        "cube": "needs a table",
    ]

    /// The thresholds of a visible change, of which one must be reached.
    ///
    /// Each threshold is a share of the red, green, blue and alpha values, and the least difference of these values in
    /// steps of 1/255. A look changes many values slightly; a mark changes few values strongly.
    static let visible = [(share: 0.005, steps: 8), (share: 0.0005, steps: 96)]

    @Test("an effect with its defaults shows on a photograph", arguments: EffectCatalogue.names)
    func shows(_ name: String) async throws {
        let type = try #require(EffectCatalogue.type(named: name))
        let effect = type.init()
        let steps = try await Self.difference(effect)
        if let reason = Self.unseen[name] {
            #expect(steps.max() == 0, "\(name) is seen, though \(reason): take it off the list")
        } else {
            let shares = Self.visible.map { visible in
                Double(steps.count { $0 >= visible.steps }) / Double(steps.count)
            }
            #expect(zip(shares, Self.visible).contains { $0 >= $1.share }, "\(shares)")
        }
    }

    @Test("an effect at its neutral values draws its input", arguments: EffectCatalogue.names)
    func isNeutral(_ name: String) async throws {
        let type = try #require(EffectCatalogue.type(named: name))
        guard let effect = type.neutral else { return }
        #expect(try await Self.difference(effect).max() == 0)
    }

    @Test("the neutral values that a page prints are read as the effect at its neutral values", arguments: Self.neutral)
    func neutralTextIsRead(_ name: String, _ text: String) throws {
        let type = try #require(EffectCatalogue.type(named: name))
        let label = try #require(type.neutral?.label)
        #expect(try EffectArgument.effects(text).map(\.label) == [label])
        let entry = try #require(EffectCatalogue.entries.first { $0.name == name })
        #expect(entry.page.contains("The effect changes nothing as \(ShellWord.quoted(text))."))
    }

    /// The effects with neutral values and without required parameters, each with the text of its neutral values.
    static let neutral: [(String, String)] = EffectCatalogue.entries.compactMap { entry in
        guard !entry.parameters.contains(where: \.isRequired) else { return nil }
        return entry.neutralText.map { (entry.name, $0) }
    }

    /// The differences between a picture with and without an effect, for each red, green, blue and alpha value.
    ///
    /// Units: 1/255.
    private static func difference(_ effect: some Effect) async throws -> [Int] {
        let source = PatternSource(.scene, size: PixelSize(320, 180), seed: 1)
        let filtered = source --> effect
        let (before, after) = (FrameTap(.rgba, buffering: .oldest(1)), FrameTap(.rgba, buffering: .oldest(1)))
        source --> before
        filtered --> after
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(filtered, options: options)
        try await session.run(frames: 1)
        let (input, output) = (try await bytes(before), try await bytes(after))
        try #require(input.count == output.count)
        return zip(input, output).map { abs(Int($0) - Int($1)) }
    }

    private static func bytes(_ tap: FrameTap) async throws -> [UInt8] {
        var frames = tap.frames.makeAsyncIterator()
        let frame = try #require(await frames.next())
        return frame.withPlane(0) { span, plane in
            (0..<plane.dimensions.height).flatMap { row in
                let start = row * plane.strideInBytes
                return unsafe span.withUnsafeBytes { unsafe [UInt8]($0[start..<start + plane.rowBytes]) }
            }
        }
    }
}
