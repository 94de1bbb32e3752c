import PipCompose
import PipPatterns

/// Composes some pictures to check that it can be done.
struct DrawingCheck {
    let findings: [Finding]
    let succeeded: Bool

    private static let frames = 10

    static func run() async -> DrawingCheck {
        let picture = Compositor(canvas: PixelSize(320, 180)) {
            Layer(PatternSource(.scene, size: PixelSize(320, 180)))
            Layer(PatternSource(.scene, size: PixelSize(320, 180), seed: 1) --> Saturation(0.5))
                .placed(.topRight, width: 0.25, margin: 8)
        }
        picture --> NullSink()
        var options = SessionOptions()
        options.clock = .maximum
        do {
            let session = try await Session(picture, options: options)
            try await session.run(frames: frames)
            let drawn = session.statistics.output.frames
            return DrawingCheck(findings: findings(session.renderer, drawn: drawn), succeeded: drawn == frames)
        } catch {
            let remedy = "sudo apt-get install libegl1 libgles2 libgbm1 libgl1-mesa-dri"
            let finding = Finding(subject: "drawing", severity: .problem, detail: "\(error)", remedy: remedy)
            return DrawingCheck(findings: [finding], succeeded: false)
        }
    }

    /// The renderer and its capabilities.
    static func findings(_ renderer: Capabilities, drawn: Int) -> [Finding] {
        [
            Finding(
                subject: "drawing", severity: drawn == frames ? .ok : .problem,
                detail:
                    "\(renderer.renderer), \(renderer.version), \(renderer.platform); \(drawn) of \(frames) test frames drawn"
            ),
            renderer.isSoftware
                ? Finding(
                    subject: "renderer", severity: .note,
                    detail:
                        "software: the CPU draws every pixel; 1280x720 with small effects is fine, large blurs are slow",
                    remedy:
                        "give it a GPU with its driver: ls -l /dev/dri; sudo apt-get install libgl1-mesa-dri"
                )
                : Finding(subject: "renderer", severity: .ok, detail: "hardware"),
            Finding(subject: "OpenGL ES", severity: .ok, detail: features(renderer)),
        ]
    }

    private static func features(_ renderer: Capabilities) -> String {
        let size = min(renderer.maxTextureSize, renderer.maxViewportWidth, renderer.maxViewportHeight)
        let features = [
            ("float targets", renderer.hasFloatTargets), ("dual-source blending", renderer.hasDualSourceBlending),
            ("persistent mapping", renderer.hasPersistentMapping), ("timer queries", renderer.hasTimerQueries),
            ("program binaries", renderer.hasProgramBinaries), ("dma-buf import", renderer.hasDMABufImport),
            ("native fences", renderer.hasNativeFences),
        ]
        let has = features.filter(\.1).map(\.0).joined(separator: ", ")
        let lacks = features.filter { !$0.1 }.map(\.0).joined(separator: ", ")
        return "pictures up to \(size)x\(size); has \(has.isEmpty ? "nothing optional" : has)"
            + (lacks.isEmpty ? "" : "; lacks \(lacks)")
    }
}
