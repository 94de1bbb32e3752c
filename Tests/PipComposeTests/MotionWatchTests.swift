import PipTestSupport
import Testing

@testable import PipCompose

@Suite("Detection of motion and cuts")
struct MotionWatchTests {
    private static let size = MotionWatch.size

    /// A picture, as luma by column and row.
    private static func picture(_ luma: (Int, Int) -> Float) -> [Float] {
        (0..<size.height).flatMap { row in (0..<size.width).map { luma($0, row) } }
    }

    /// The luma of a room: brighter towards the right, with a pattern of squares.
    private static func room(_ column: Int, _ row: Int) -> Float {
        0.3 + 0.004 * Float(column) + ((column / 8 + row / 6) % 2 == 0 ? 0.1 : 0)
    }

    /// The luma of a street, which differs from the room's everywhere.
    private static func street(_ column: Int, _ row: Int) -> Float {
        row > 20 ? 0.2 : 0.8 - 0.3 * Float(column % 20 > 12 ? 1 : 0)
    }

    /// The events that a motion watch reports for pictures at 25 a second.
    private static func events(_ pictures: [[Float]]) -> [MotionEvent] {
        var watch = MotionWatch(MotionSensitivity())
        return pictures.enumerated().flatMap { number, picture in
            watch.take(picture, at: Timestamp(nanoseconds: Int64(number) * 40_000_000))
        }
    }

    private static func words(_ events: [MotionEvent]) -> [String] {
        events.compactMap { event in
            switch event {
            case .began: "began"
            case .moved: nil
            case .ended: "ended"
            case .sceneChanged: "scene"
            }
        }
    }

    /// Pictures of the room in which a square of 8 × 8 cells moves from left to right.
    private static let walk = (0..<50).map { step in
        picture { column, row in
            (step..<step + 8).contains(column) && (14..<22).contains(row) ? 0.9 : room(column, row)
        }
    }
    private static let empty = Array(repeating: picture(room), count: 50)

    @Test("a motion begins once, ends once, and has the place of the moving square")
    func motion() throws {
        let events = Self.events(Self.empty + Self.walk + Self.empty)
        #expect(Self.words(events) == ["began", "ended"])
        let moved = events.compactMap { event -> PictureMotion? in
            if case .moved(let motion) = event { motion } else { nil }
        }
        #expect(moved.count > 40)
        for (before, after) in zip(moved, moved.dropFirst()).prefix(40) { #expect(after.x >= before.x - 0.02) }
        #expect(moved.allSatisfy { abs($0.y - 18.0 / 36) < 0.1 })
        #expect(moved.prefix(40).allSatisfy { (0.01...0.2).contains($0.area) })
        guard case .ended(let last)? = events.last else { return #expect(Bool(false)) }
        // The pictures are 50 still ones and 50 of the walk. The background model then takes some time to recover.
        #expect(last.timestamp.nanoseconds >= 99 * 40_000_000 && last.timestamp.nanoseconds < 150 * 40_000_000)
    }

    @Test("a picture that differs for one frame is not a motion")
    func flicker() {
        #expect(Self.events(Self.empty + [Self.walk[20]] + Self.empty) == [])
    }

    @Test("light that changes slowly or suddenly is not a motion, and neither is noise")
    func light() {
        let dimmer = (0..<50).map { step in
            Self.picture { Self.room($0, $1) - 0.004 * Float(step) }
        }
        var random = Dice(5)
        let noise = (0..<50).map { _ in
            Self.picture { Self.room($0, $1) - 0.2 + Float.random(in: -0.03...0.03, using: &random) }
        }
        #expect(Self.events(Self.empty + dimmer + noise + Self.empty) == [])
    }

    @Test("a cut is reported once, and a flash, a fade or one black frame is not a cut")
    func cuts() {
        let street = Array(repeating: Self.picture(Self.street), count: 50)
        let events = Self.events(Self.empty + street + Self.empty)
        #expect(Self.words(events) == ["scene", "scene"])
        guard case .sceneChanged(let at)? = events.first else { return #expect(Bool(false)) }
        #expect(at.nanoseconds == 50 * 40_000_000)
        let white = Self.picture { _, _ in 1 }
        #expect(!Self.words(Self.events(Self.empty + [white] + Self.empty)).contains("scene"))
        let flash = Self.picture { Self.street($0, $1) }
        #expect(!Self.words(Self.events(Self.empty + [flash] + Self.empty)).contains("scene"))
        let fade = (0...50).map { step in
            Self.picture { column, row in
                let share = Float(step) / 50
                return Self.room(column, row) * (1 - share) + Self.street(column, row) * share
            }
        }
        #expect(!Self.words(Self.events(Self.empty + fade + street)).contains("scene"))
    }

    @Test("a cut ends an earlier motion")
    func cutWhileMoving() {
        let street = Array(repeating: Self.picture(Self.street), count: 50)
        let pictures: [[Float]] = Self.empty + Array(Self.walk.prefix(30)) + street
        #expect(Self.words(Self.events(pictures)) == ["began", "ended", "scene"])
    }

    @Test("pictures without any detail belong to one scene")
    func flat() {
        let black = Array(repeating: Self.picture { _, _ in 0 }, count: 20)
        let gray = Array(repeating: Self.picture { _, _ in 0.5 }, count: 20)
        #expect(Self.events(black + gray + black) == [])
        let street = Array(repeating: Self.picture(Self.street), count: 20)
        #expect(Self.words(Self.events(black + street + black)) == ["scene", "scene"])
    }
}

@Suite("Meters of a picture's contents in an app", .serialized, .timeLimit(.minutes(5)))
struct FeatureMeterTests {
    let folder: TemporaryFolder
    private let size = PixelSize(160, 120)

    init() throws { folder = try TemporaryFolder() }

    /// A white rectangle on black, from (40, 30) to (120, 90).
    private func rectangle() throws -> RawSource {
        let luma = (0..<size.area).map { index in
            (40..<120).contains(index % 160) && (30..<90).contains(index / 160) ? UInt8(235) : 16
        }
        try folder.write(luma + [UInt8](repeating: 128, count: size.area / 2), to: "rectangle.nv12")
        return RawSource(folder.path("rectangle.nv12"), format: .nv12, size: size, loops: true)
    }

    @Test("a rectangle has four corners")
    func corners() async throws {
        let marked = try rectangle() --> Corners(mark: 0)
        let meter = CornerMeter()
        marked --> meter
        let session = try await Session(marked, options: .offline)
        _ = try await running(session) {
            var values = meter.values.makeAsyncIterator()
            let found = try #require(await values.next()).corners
            let wanted = [(40, 30), (120, 30), (40, 90), (120, 90)].map { (Double($0.0) / 160, Double($0.1) / 120) }
            #expect((4...6).contains(found.count))
            for (x, y) in wanted {
                #expect(found.contains { abs($0.x - x) < 0.03 && abs($0.y - y) < 0.05 }, "\(x) \(y): \(found)")
            }
            for corner in found {
                #expect(wanted.contains { abs($0.0 - corner.x) < 0.03 && abs($0.1 - corner.y) < 0.05 }, "\(corner)")
            }
        }
    }

    @Test("a rectangle has four lines, from edge to edge")
    func lines() async throws {
        let edges = try rectangle() --> Canny()
        let meter = LineMeter()
        edges --> meter
        let session = try await Session(edges, options: .offline)
        _ = try await running(session) {
            var values = meter.values.makeAsyncIterator()
            let lines = try #require(await values.next()).lines
            #expect(lines.count == 4, "\(lines)")
            let upright = lines.filter { abs($0.start.x - $0.end.x) < 0.03 }
            let level = lines.filter { abs($0.start.y - $0.end.y) < 0.03 }
            for (found, wanted) in zip(upright.map(\.start.x).sorted(), [0.25, 0.75]) {
                #expect(abs(found - wanted) < 0.02, "\(upright)")
            }
            for (found, wanted) in zip(level.map(\.start.y).sorted(), [0.25, 0.75]) {
                #expect(abs(found - wanted) < 0.03, "\(level)")
            }
            #expect(upright.count == 2 && level.count == 2)
            #expect(upright.allSatisfy { $0.start.y < 0.01 && $0.end.y > 0.99 })
            #expect(level.allSatisfy { $0.start.x < 0.01 && $0.end.x > 0.99 })
        }
    }

    @Test("motion is detected in a session's pictures, whatever their size")
    func motion() async throws {
        var frames: [UInt8] = []
        for step in 0..<60 {
            let left = step < 20 ? 200 : 2 * step
            let luma = (0..<size.area).map { index -> UInt8 in
                let (column, row) = (index % 160, index / 160)
                let isSquare = (left..<left + 24).contains(column) && (40..<80).contains(row)
                return isSquare ? 220 : UInt8(60 + column / 4)
            }
            frames += luma + [UInt8](repeating: 128, count: size.area / 2)
        }
        try folder.write(frames, to: "walk.nv12")
        let source = RawSource(folder.path("walk.nv12"), format: .nv12, size: size)
        let meter = MotionMeter()
        source --> meter
        let session = try await Session(source, options: .offline)
        async let run: Void = session.run()
        var events: [MotionEvent] = []
        for await event in meter.events { events.append(event) }
        try await run
        guard case .began(let motion)? = events.first else {
            return #expect(Bool(false), "\(events)")
        }
        #expect(abs(motion.y - 0.5) < 0.05 && (0.2...0.5).contains(motion.x), "\(motion)")
    }
}
