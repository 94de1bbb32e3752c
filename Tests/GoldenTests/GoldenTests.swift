import Foundation
import PipCompose
import PipPatterns
import Testing

@Suite("Whole pictures", .serialized)
struct GoldenTests {
    struct Scene: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable () -> any FrameProducer
        var testDescription: String { name }
    }

    private static let canvas = PixelSize(160, 90)

    private static func source(
        _ pattern: Pattern, seed: UInt64 = 0, _ size: PixelSize = PixelSize(320, 180), format: PixelFormat = .i420
    ) -> PatternSource { PatternSource(pattern, size: size, seed: seed, format: format) }

    static let scenes: [Scene] = [
        Scene(name: "picture-in-picture") {
            Compositor(canvas: canvas) {
                Layer(source(.scene))
                Layer(source(.scene, seed: 1)).placed(.topRight, width: 0.25, margin: 6)
            }
        },
        Scene(name: "rounded-bordered-shadowed") {
            Compositor(canvas: canvas) {
                Layer(source(.scene))
                Layer(source(.scene, seed: 1) --> Mirror()).placed(.bottomLeft, width: 0.35, margin: 8)
                    .rounded(8).bordered(2, .white).shadowed(blur: 6, offset: 3, opacity: 0.8)
            }
        },
        Scene(name: "grid") {
            let picture = Compositor(canvas: canvas) {
                Layer(source(.scene))
                Layer(source(.scene, seed: 1) --> Sobel(strength: 2))
                Layer(source(.bars, PixelSize(320, 180)) --> Saturation(0))
                Layer(source(.ramp))
            }
            picture.arrange(.grid)
            return picture
        },
        Scene(name: "turned-and-mirrored") {
            let picture = Compositor(canvas: canvas, background: .orange) {
                for orientation in Orientation.allCases.prefix(4) {
                    Layer(source(.bars)).oriented(orientation).fitted(.fit)
                }
                for orientation in Orientation.allCases.suffix(4) {
                    Layer(source(.bars)).oriented(orientation).fitted(.fit)
                }
            }
            picture.arrange(.grid)
            return picture
        },
        Scene(name: "effects-on-all") {
            Compositor(canvas: canvas) {
                Layer(source(.scene) --> Contrast(1.4) --> Gamma(0.7))
                Layer(source(.scene, seed: 1) --> GaussianBlur(radius: 4)).placed(.right, width: 0.4, margin: 4)
            } --> Saturation(1.6) --> Vignette(strength: 0.9)
        },
        Scene(name: "translucent-circle") {
            Compositor(canvas: canvas, background: .blue) {
                Layer(source(.bars)).faded(to: 0.7)
                Layer(source(.scene, seed: 1, PixelSize(240, 240))).placed(.center, width: 0.4).rounded(500)
                    .bordered(3, Color(red: 1, green: 1, blue: 0, alpha: 0.6))
            }
        },
        Scene(name: "cropped-and-off-the-edge") {
            Compositor(canvas: canvas, background: .gray) {
                Layer(source(.bars)).cropped(PixelRect(x: 41, y: 21, width: 160, height: 120))
                    .placed(x: 101, y: 51, width: 97, height: 73)
                Layer(source(.scene)).placed(x: -31, y: -13, width: 101, height: 57).rounded(9)
            }
        },
        Scene(name: "nested") {
            let inner = Compositor(canvas: PixelSize(120, 120), background: .red) {
                Layer(source(.scene, seed: 1)).fitted(.fit)
                Layer(source(.bars)).placed(.bottom, width: 0.5, margin: 4)
            }
            return Compositor(canvas: canvas) {
                Layer(source(.scene) --> Brightness(0.2))
                Layer(inner --> Gamma(1.5)).placed(.left, width: 0.4, margin: 10).rounded(6)
            }
        },
    ]

    /// Draws a scene's first frame in the given pixel format.
    private func draw(_ scene: Scene, as format: PixelFormat) async throws -> Frame {
        let producer = scene.make()
        let tap = FrameTap(format, buffering: .oldest(1))
        connect(producer, to: tap)
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await makeSession(producer, options)
        try await session.run(frames: 1)
        var frames = tap.frames.makeAsyncIterator()
        return try #require(await frames.next())
    }

    private func connect(_ producer: some FrameProducer, to tap: FrameTap) { producer --> tap }

    private func makeSession(_ producer: some FrameProducer, _ options: SessionOptions) async throws -> Session {
        try await Session(producer, options: options)
    }

    // GPUs round differently: by a few steps in some pixels, but not over a whole picture.
    @Test("a scene's picture matches the golden that a person has reviewed", arguments: scenes)
    func golden(_ scene: Scene) async throws {
        let actual = try await Picture(draw(scene, as: .rgba))
        let name = scene.name
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Goldens/\(name).png")
        guard FileManager.default.fileExists(atPath: url.path) else {
            if ProcessInfo.processInfo.environment["PIP_GOLDENS"] == "record" {
                try Data(actual.png()).write(to: url)
                Issue.record("\(name).png was recorded: look at it, then run the tests again")
            } else {
                Issue.record("\(name).png is missing: PIP_GOLDENS=record writes it")
            }
            return
        }
        let golden = try Picture(png: [UInt8](Data(contentsOf: url)))
        try #require(golden.size == actual.size)
        let (largest, rms) = golden.difference(actual)
        guard largest > 6 || rms > 0.8 else { return }
        Issue.record("\(name) differs by up to \(largest) steps, RMS \(rms)")
        Attachment.record(try actual.png(), named: "\(name)-actual.png")
        Attachment.record(try golden.png(), named: "\(name)-golden.png")
        Attachment.record(try golden.differencePicture(actual).png(), named: "\(name)-difference.png")
    }
}
