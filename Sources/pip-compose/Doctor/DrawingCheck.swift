import PipCompose
import PipPatterns
import PipRig

/// Composes test pictures with OpenGL ES and on the CPU.
struct DrawingCheck {
    let findings: [Finding]
    /// True if at least one renderer drew all test frames.
    let succeeded: Bool

    private static let frames = 10

    static func run() async -> DrawingCheck {
        let results = [await trial(of: .gl), await trial(of: .cpu)]
        return DrawingCheck(findings: results.flatMap(\.findings), succeeded: results.contains { $0.succeeded })
    }

    private static func trial(of choice: RendererChoice) async -> DrawingCheck {
        let picture = Compositor(canvas: PixelSize(320, 180)) {
            Layer(PatternSource(.scene, size: PixelSize(320, 180)))
            Layer(PatternSource(.scene, size: PixelSize(320, 180), seed: 1) --> Saturation(0.5))
                .placed(.topRight, width: 0.25, margin: 8)
        }
        picture --> NullSink()
        var options = SessionOptions()
        options.pace = .maximum
        options.renderer = choice
        do {
            let session = try await Session(picture, options: options)
            try await session.run(frames: frames)
            let drawn = session.statistics.output.frames
            let renderer = session.renderer
            let found =
                renderer.openGL.map { Self.findings($0, drawn: drawn) }
                ?? [Self.finding(renderer, drawn: drawn)]
            return DrawingCheck(findings: found, succeeded: drawn == frames)
        } catch {
            return DrawingCheck(findings: [Self.missing(choice, error)], succeeded: false)
        }
    }

    /// The finding about a renderer that failed with an error.
    static func missing(_ choice: RendererChoice, _ error: any Error) -> Finding {
        guard choice == .gl else { return Finding(subject: "CPU drawing", severity: .problem, detail: "\(error)") }
        return Finding(
            subject: "OpenGL ES", severity: .note,
            detail: "\(error); the CPU draws everything but an app's own GLSL",
            remedy: "sudo apt-get install libegl1 libgles2 libgbm1 libgl1-mesa-dri")
    }

    /// The finding about a session that the CPU drew.
    static func finding(_ renderer: SessionRenderer, drawn: Int) -> Finding {
        Finding(
            subject: "CPU drawing", severity: drawn == frames ? .ok : .problem,
            detail: "by \(renderer.instructionSet); \(drawn) of \(frames) test frames drawn")
    }

    /// The findings about a session that OpenGL ES drew, and about the capabilities of the context.
    static func findings(_ renderer: Capabilities, drawn: Int) -> [Finding] {
        [
            Finding(
                subject: "OpenGL ES", severity: drawn == frames ? .ok : .problem,
                detail:
                    "\(renderer.renderer), \(renderer.version), \(renderer.platform); \(drawn) of \(frames) test frames drawn"
            ),
            renderer.isSoftware
                ? Finding(
                    subject: "renderer", severity: .note,
                    detail:
                        "OpenGL runs in software, which is slow; it draws only what the CPU renderer cannot",
                    remedy:
                        "give this machine a GPU with its driver: ls -l /dev/dri; sudo apt-get install libgl1-mesa-dri"
                )
                : Finding(subject: "renderer", severity: .ok, detail: "hardware"),
            Finding(subject: "features", severity: .ok, detail: features(renderer)),
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
