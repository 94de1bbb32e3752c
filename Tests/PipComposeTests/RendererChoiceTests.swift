import Foundation
import PipPatterns
import PipTestSupport
import Testing

@testable import PipCompose

/// Inverts the picture with an app's own GLSL, which the CPU renderer has no code for.
struct OwnInversion: Effect {
    static let name = "own-inversion"
    static let summary = "for tests"
    static let parameters: [EffectParameter<OwnInversion>] = []

    func operation(in context: EffectContext) -> EffectOperation {
        let text = "vec4 EFFECT(vec4 color, vec2 position) { return vec4(1.0 - color.rgb, color.a); }"
        return .pixel(ShaderCall(ShaderSource("OwnInversion.frag", text)))
    }
}

extension SessionOptions {
    /// A copy of the options with a chosen renderer.
    func drawn(by choice: RendererChoice) -> SessionOptions {
        var options = self
        options.renderer = choice
        return options
    }

    /// A copy of the options with the executors that a release build tries without a GPU.
    var withoutGPU: SessionOptions {
        var options = self
        options.executors = [[.cpu], [.gl, .cpu]]
        return options
    }
}

@Suite("The choice of the renderer")
struct RendererChoiceTests {
    @Test("a renderer chosen by name draws alone")
    func named() {
        for hasGPU in [false, true] {
            #expect(RendererChoice.gl.attempts(hasGPU: hasGPU) == [[.gl]])
            #expect(RendererChoice.cpu.attempts(hasGPU: hasGPU) == [[.cpu]])
        }
    }

    @Test("a debug build prefers OpenGL ES wherever it is available")
    func debug() {
        for hasGPU in [false, true] {
            let attempts = RendererChoice.automatic.attempts(hasGPU: hasGPU)
            #if DEBUG
            #expect(attempts == [[.gl], [.cpu]])
            #else
            #expect(attempts == (hasGPU ? [[.gl, .cpu]] : [[.cpu], [.gl, .cpu]]))
            #endif
        }
    }
}

@Suite("Sessions drawn by the CPU", .serialized, .timeLimit(.minutes(5)))
struct CPUSessionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func scene() throws -> Compositor {
        let gray = try folder.gray(200)
        return Compositor(canvas: smallSize) {
            Layer(PatternSource(.bars, size: smallSize))
            Layer(gray --> Contrast(0.5)).placed(x: 32, y: 0, width: 32, height: 24).rounded(6)
        }
    }

    @Test("the CPU writes the same files as OpenGL ES, but for one step of rounding")
    func files() async throws {
        var files: [[[UInt8]]] = []
        for choice in [RendererChoice.gl, .cpu] {
            let picture = try scene()
            picture --> Y4MFile(folder.path("\(choice).y4m"))
            picture --> RawFile(folder.path("\(choice).rgba"), format: .rgba)
            picture --> PNGFiles(folder.path("\(choice)-%d.png"))
            let session = try await Session(picture, options: .offline.drawn(by: choice))
            try await session.run(frames: 3)
            #expect(session.statistics.output.frames == 3)
            #expect(session.renderer.executor == (choice == .cpu ? .cpu : .gl))
            files.append(try ["y4m", "rgba"].map { try folder.read("\(choice).\($0)") })
            #expect(try folder.names.filter { $0.hasSuffix(".png") && $0.hasPrefix("\(choice)-") }.count == 3)
        }
        for (gl, cpu) in zip(files[0], files[1]) {
            #expect(gl.count == cpu.count)
            let differences = zip(gl, cpu).map { abs(Int($0) - Int($1)) }
            #expect(try #require(differences.max()) <= 2)
        }
    }

    @Test("a session drawn by the CPU has no OpenGL ES, and names its executor")
    func renderer() async throws {
        let picture = try scene()
        picture --> NullSink()
        let session = try await Session(picture, options: .offline.drawn(by: .cpu))
        #expect(session.renderer.executor == .cpu && session.renderer.openGL == nil)
        #expect(session.renderer.description == "the CPU (\(session.renderer.instructionSet))")
        #expect(session.renderer.isSoftware)
        #expect(session.plan.description(of: session.graph).contains("rows"))
        try await session.run(frames: 2)
        #expect(session.renderer.openGL == nil)
        #expect(await session.objectCounts.total == 0)

        let drawn = try scene()
        drawn --> NullSink()
        let other = try await Session(drawn, options: .offline.drawn(by: .gl))
        #expect(other.renderer.executor == .gl)
        #expect(other.renderer.description == other.renderer.openGL?.renderer)
    }

    @Test("several threads draw the same as one, and none remains after the session")
    func threads() async throws {
        let size = PixelSize(512, 256)
        var files: [[UInt8]] = []
        for threads in [nil, 1, 2, 3, 0] {
            let picture = Compositor(canvas: size) {
                Layer(PatternSource(.bars, size: size) --> Contrast(0.5))
                Layer(PatternSource(.noise, size: smallSize)).placed(x: 31, y: 17, width: 300, height: 222)
            }
            let name = threads.map { "\($0)" } ?? "auto"
            picture --> Y4MFile(folder.path("\(name).y4m"))
            var options = SessionOptions.offline.drawn(by: .cpu)
            options.drawingThreads = threads
            let session = try await Session(picture, options: options)
            try await session.run(frames: 3)
            files.append(try folder.read("\(name).y4m"))
            // The sessions of other tests may have drawing threads for a while.
            #expect(await waitUntil { !threadNames.contains("pip-draw") })
            withExtendedLifetime(session) {}
        }
        #expect(Set(files).count == 1 && files[0].count > 3 * size.area)
    }

    @Test("the CPU moves, exchanges and removes layers in a running session, and repeats unchanged pictures")
    func layers() async throws {
        let picture = Compositor(canvas: smallSize)
        let main = picture.add(Layer(try folder.gray(50)))
        let inset = picture.add(Layer(try folder.gray(200)).placed(x: 32, y: 0, width: 32, height: 24).rounded(2))
        let tap = FrameTap(.nv12)
        picture --> tap
        let session = try await Session(picture, options: .offline.drawn(by: .cpu))
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            func expect(_ wanted: [UInt8], _ what: String) async {
                let found = await firstFrame(&frames) { [$0.luma(12, 12), $0.luma(48, 12)] == wanted }
                #expect(found != nil, "\(what)")
            }
            await expect([50, 200], "as it was made")
            await expect([50, 200], "once more")
            try inset.update { $0.placement.position = .at(x: 0, y: 0) }
            await expect([200, 50], "moved")
            try picture.swap(main, inset)
            await expect([50, 200], "exchanged")
            try inset.remove()
            await expect([200, 200], "removed")
        }
        #expect(session.renderer.openGL == nil)
    }

    @Test("the CPU refuses an effect that only OpenGL ES draws, by its name")
    func refuses() async throws {
        let filter = try folder.gray(60) --> OwnInversion()
        filter --> NullSink()
        let error = await #expect(throws: SessionError.self) {
            try await Session(filter, options: .offline.drawn(by: .cpu))
        }
        #expect(error == .graph(.undrawable(effects: ["own-inversion"])))
        #expect(error?.description.hasPrefix("own-inversion: not drawable without OpenGL ES") == true)
    }

    @Test("OpenGL ES is opened for a change that needs it, and closed when nothing needs it")
    func goesOver() async throws {
        let source = try folder.gray(60)
        let contrast = source --> Contrast(1)
        let tap = FrameTap(.nv12)
        contrast --> tap
        let session = try await Session(contrast, options: .offline.withoutGPU)
        #expect(session.renderer.executor == .cpu && session.renderer.openGL == nil)
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            #expect(await frames.next()?.luma(5, 5) == 60)
            let own = Filter(OwnInversion())
            try own.insert(after: source)
            // Code 60 of the range 16 to 235, inverted, is 191.
            #expect(await firstFrame(&frames) { $0.luma(5, 5) == 191 } != nil)
            #expect(await waitUntil { session.renderer.executor == .gl })
            #expect(session.renderer.openGL != nil)
            own.remove()
            #expect(await firstFrame(&frames) { $0.luma(5, 5) == 60 } != nil)
            #expect(await waitUntil { session.renderer.executor == .cpu })
        }
        #expect(session.statistics.output.missed == 0)
    }

    @Test("OpenGL ES draws what the CPU cannot, and the CPU draws everything else")
    func mixed() async throws {
        let size = PixelSize(320, 240)
        var files: [[UInt8]] = []
        for options in [SessionOptions.offline.withoutGPU, .offline.drawn(by: .gl)] {
            let gray = try folder.gray(60)
            let picture = Compositor(canvas: size) {
                Layer(PatternSource(.bars, size: size) --> Vignette(strength: 0.5))
                Layer(gray --> OwnInversion()).placed(x: 32, y: 20, width: 64, height: 48)
            }
            picture --> Y4MFile(folder.path("mixed.y4m"))
            let session = try await Session(picture, options: options)
            #expect(session.renderer.isMixed == files.isEmpty)
            #expect((session.renderer.executor == .cpu) == files.isEmpty)
            #expect(session.renderer.description.hasPrefix("the CPU (") == files.isEmpty)
            #expect(session.renderer.description.hasSuffix(try #require(session.renderer.openGL).renderer))
            let text = session.plan.description(of: session.graph)
            #expect(text.contains("fetch   own-inversion of") == files.isEmpty, "\(text)")
            try await session.run(frames: 3)
            files.append(try folder.read("mixed.y4m"))
        }
        #expect(files[0].count == files[1].count)
        #expect(zip(files[0], files[1]).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    }

    @Test("a session continues unchanged when a change needs OpenGL ES and there is none")
    func keeps() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("PIP_EGL", "nonsense", 1)
            let folder = try TemporaryFolder()
            let source = try folder.gray(60)
            let contrast = source --> Contrast(1)
            let tap = FrameTap(.nv12)
            contrast --> tap
            let session = try await Session(contrast, options: .offline.withoutGPU)
            let (_, error) = try await running(session) {
                var frames = tap.frames.makeAsyncIterator()
                _ = await frames.next()
                let own = Filter(OwnInversion())
                let refused = await #expect(throws: SessionError.self) {
                    try await session.configure { try own.insert(after: source) }
                }
                #expect(refused == .graph(.undrawable(effects: ["own-inversion"])))
                for _ in 0..<5 { #expect(await frames.next()?.luma(5, 5) == 60) }
            }
            #expect(error == nil)
        }
    }

    @Test("a session that requires OpenGL ES does not start without it")
    func insists() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("PIP_EGL", "nonsense", 1)
            let source = PatternSource(.bars, size: smallSize)
            source --> NullSink()
            let error = await #expect(throws: SessionError.self) {
                try await Session(source, options: .offline.drawn(by: .gl))
            }
            guard case .gpu = error else { throw try #require(error) }
            // Without a required renderer, the CPU draws.
            let other = PatternSource(.bars, size: smallSize)
            other --> NullSink()
            let session = try await Session(other, options: .offline)
            try await session.run(frames: 2)
            #expect(session.renderer.executor == .cpu)
        }
    }
}
