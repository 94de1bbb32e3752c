import PipTestSupport
import Synchronization
import Testing

@testable import PipCompose

@Suite("Changes while a session runs", .serialized, .timeLimit(.minutes(5)))
struct LiveChangeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct Mistake: Error {}

    @Test("an effect's parameter that another task sets takes effect in later frames")
    func effect() async throws {
        let filter = try folder.gray(100) --> Contrast(1)
        let tap = FrameTap(.nv12)
        filter --> tap
        let session = try await Session(filter, options: .offline)
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            let before = await frames.next()
            #expect(before?.luma(5, 5) == 100)
            try await Task { try filter.update { $0.contrast = 0 } }.value
            // A luma of 0.5 is the code 0.5 · 219 + 16, rounded.
            let after = await firstFrame(&frames) { abs(Int($0.luma(5, 5)) - 126) <= 1 }
            #expect(after != nil)
        }
    }

    @Test("layers are moved, exchanged, added and removed")
    func layers() async throws {
        let picture = Compositor(canvas: smallSize)
        let main = picture.add(Layer(try folder.gray(50)))
        let inset = picture.add(Layer(try folder.gray(200)).placed(x: 32, y: 0, width: 32, height: 24))
        let tap = FrameTap(.nv12)
        picture --> tap
        let session = try await Session(picture, options: .offline)
        let third = Layer(try folder.gray(120)).placed(x: 0, y: 24, width: 32, height: 24)
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            func expect(_ wanted: [UInt8], _ what: String) async {
                let found = await firstFrame(&frames) { [$0.luma(2, 2), $0.luma(40, 2), $0.luma(2, 40)] == wanted }
                #expect(found != nil, "\(what)")
            }
            await expect([50, 200, 50], "as it was made")
            try inset.update { $0.placement.position = .at(x: 0, y: 0) }
            await expect([200, 50, 50], "moved")
            try picture.swap(main, inset)
            await expect([50, 200, 200], "exchanged")
            let added = picture.add(third)
            await expect([50, 200, 120], "added")
            try added.remove()
            await expect([50, 200, 200], "removed")
        }
        // The only remaining statistics of sinks are those of the tap.
        #expect(session.statistics.sinks.map(\.name) == ["frames"])
    }

    @Test("the layer under a pointer is found, and is drawn where it is dragged")
    func dragging() async throws {
        let picture = Compositor(canvas: smallSize)
        let (back, front) = (try folder.gray(50), try folder.gray(200))
        picture.add(Layer(back))
        let inset = picture.add(Layer(front).placed(x: 32, y: 0, width: 32, height: 24))
        let tap = FrameTap(.nv12)
        picture --> tap
        let session = try await Session(picture, options: .offline)
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            let hit = session.layer(atX: 40, y: 6, of: picture)
            #expect(hit?.layer == inset && hit?.source == front.node.id)
            #expect(abs((hit?.x ?? 0) - 0.25) < 1e-9 && abs((hit?.y ?? 0) - 0.25) < 1e-9)
            #expect(session.layer(atX: 5, y: 5, of: picture)?.source == back.node.id)
            #expect(session.layer(atX: 5, y: 500, of: picture) == nil)
            let placed = try #require(session.place(of: inset))
            #expect(placed.rect == PixelRect(x: 32, y: 0, width: 32, height: 24))
            // The change ends when it is planned, so one more frame may show the former position.
            try await session.configure {
                try inset.update {
                    $0.placement = $0.placement.dragged(
                        toX: 0, y: 24, content: placed.content, canvas: placed.canvas, reach: 0)
                }
            }
            let found = await firstFrame(&frames) { [$0.luma(40, 2), $0.luma(2, 40)] == [50, 200] }
            #expect(found != nil)
            #expect(session.layer(atX: 5, y: 30, of: picture)?.layer == inset)
        }
    }

    @Test("changes made together are drawn together")
    func atomic() async throws {
        let left = try folder.gray(60) --> Brightness(0)
        let right = try folder.gray(61) --> Brightness(0)
        let picture = Compositor(canvas: smallSize) {
            Layer(left)
            Layer(right).placed(x: 32, y: 0, width: 32, height: 48)
        }
        let tap = FrameTap(.nv12, buffering: .newest(64))
        picture --> tap
        let ticks = SignalCounter()
        var options = SessionOptions.live(200)
        options.heartbeat = { _ in ticks.signal() }
        let session = try await Session(picture, options: options)
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            _ = await frames.next()
            try await session.configure {
                try left.update { $0.brightness = 0.5 }
                // The session draws frames in the meantime, but none with only half of the change.
                #expect(ticks.wait(for: ticks.value + 5))
                try right.update { $0.brightness = 0.5 }
            }
            var kinds: Set<Bool> = []
            for _ in 0..<3000 where kinds.count < 2 {
                guard let frame = await frames.next() else { break }
                let isLeftBright = frame.luma(2, 2) > 100
                #expect(isLeftBright == (frame.luma(40, 2) > 100))
                kinds.insert(isLeftBright)
            }
            #expect(kinds == [false, true])
        }
    }

    @Test("a change that throws half-way, or cannot be drawn, leaves everything as it was", arguments: 0..<4)
    func rollsBack(kind: Int) async throws {
        let filter = try folder.gray(60) --> Brightness(0)
        let picture = Compositor(canvas: smallSize)
        let layer = picture.add(Layer(filter))
        let tap = FrameTap(.nv12)
        picture --> tap
        let session = try await Session(picture, options: .offline)
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            _ = await frames.next()
            await #expect(throws: (any Error).self) {
                try await session.configure {
                    try filter.update { $0.brightness = 0.5 }
                    switch kind {
                    case 0: throw Mistake()
                    case 1: try layer.update { $0.look.opacity = 7 }
                    case 2: picture.add(Layer(RawSource("/nowhere", format: .nv12, size: smallSize)))
                    default: picture.add(Layer(picture))
                    }
                }
            }
            #expect(filter.effect.brightness == 0)
            #expect(session.graph.order.count == 4)
            for _ in 0..<20 {
                let frame = await frames.next()
                #expect(frame?.luma(5, 5) == 60)
            }
            // Later changes still take effect.
            try await session.configure { try filter.update { $0.brightness = 0.5 } }
            let bright = await firstFrame(&frames) { $0.luma(5, 5) > 100 }
            #expect(bright != nil)
        }
        #expect(session.statistics.output.frames > 20)
    }

    @Test("a change that cannot be drawn is reported, and the picture stays as it was")
    func rejected() async throws {
        let source = try folder.gray(60)
        let picture = Compositor(canvas: smallSize) { Layer(source) }
        let tap = FrameTap(.nv12)
        picture --> tap
        let session = try await Session(picture, options: .offline)
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            _ = await frames.next()
            var events = session.events.makeAsyncIterator()
            let missing = RawSource("/nowhere", format: .nv12, size: smallSize)
            for (layer, reason) in [
                (Layer(source).faded(to: 7), "opacity is 7.0"), (Layer(missing), "/nowhere: cannot open"),
            ] {
                let handle = picture.add(layer)
                while let event = await events.next() {
                    guard case .changeRejected(let error) = event else { continue }
                    #expect(error.description.contains(reason))
                    break
                }
                // The layer has been taken back, so its handle throws.
                #expect(throws: GraphError.self) { try handle.update { $0.z = 3 } }
                #expect(picture.layers.count == 1)
            }
            let frame = await frames.next()
            #expect(frame?.luma(5, 5) == 60)
            // Later changes still take effect.
            try picture.layers.first?.update { $0.look.opacity = 0.5 }
            let faded = await firstFrame(&frames) { $0.luma(5, 5) < 50 }
            #expect(faded != nil)
        }
    }

    @Test("an output that cannot be opened ends alone, and another one that begins with it is complete")
    func besideFailure() async throws {
        let source = try folder.gray(60)
        let tap = FrameTap(.nv12)
        source --> tap
        let session = try await Session(source, options: .offline)
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            _ = await frames.next()
            let good = folder.path("good.y4m")
            let outputs = [
                source --> Y4MFile(good), source --> Y4MFile(folder.path("none/x.y4m")), source --> NullSink(),
            ]
            for await event in session.events { if case .sinkFailed = event { break } }
            #expect(await waitUntil { outputs[0].statistics.written >= 5 && outputs[2].statistics.written >= 5 })
            guard case .failed(let error) = outputs[1].state else { return #expect(Bool(false), "\(outputs[1].state)") }
            #expect(error.description.contains("x.y4m"))
            #expect(outputs[0].state == .running)
        }
    }

    @Test("frames that an app pushes are shown, and all of them are accounted for")
    func pushing() async throws {
        let layout = FrameLayout(.nv12, smallSize)
        let app = AppSource("drawn", layout: layout, frameRate: FrameRate(60))
        let tap = FrameTap(.nv12, buffering: .newest(8))
        app --> tap
        let session = try await Session(app, options: .live(60))
        var accepted = 0
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            for code in [20, 90, 160, 230] as [UInt8] {
                var bytes = [UInt8](repeating: code, count: layout.byteCount)
                for index in 64 * 48..<layout.byteCount { bytes[index] = 128 }
                // The newer one of two frames pushed in direct succession is shown.
                for last in [false, true] {
                    if !last { bytes[0] = 1 } else { bytes[0] = code }
                    if try bytes.withBytes({ try app.push(copying: $0, layout: layout) }) { accepted += 1 }
                }
                let shown = await firstFrame(&frames) { $0.luma(0, 0) == code && $0.luma(9, 9) == code }
                #expect(shown != nil)
            }
        }
        let source = session.statistics.sources[0]
        #expect(accepted == 8)
        #expect(source.kind == .app)
        #expect(source.delivered == 8)
        #expect(source.used + source.drops.total == 8)
    }

    @Test("a tap's frames arrive in order, and all frames are written or dropped")
    func tap() async throws {
        let source = try folder.gray(60)
        let tap = FrameTap(.i420, size: PixelSize(32, 24), buffering: .oldest(4))
        source --> tap
        let session = try await Session(source, options: .offline)
        try await session.run(frames: 50)
        var sequences: [UInt64] = []
        for await frame in tap.frames {
            #expect(frame.size == PixelSize(32, 24) && frame.layout.format == .i420)
            #expect(frame.luma(31, 23) == 60)
            sequences.append(frame.info.sequence)
        }
        #expect(sequences == sequences.sorted() && !sequences.isEmpty)
        let sink = session.statistics.sinks[0]
        #expect(sink.written + sink.drops.total <= 50)
        #expect(sink.written == sequences.count)
    }
}
