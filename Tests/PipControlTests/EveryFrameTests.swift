import Foundation
import PipCompose
import PipPanelSupport
import PipTestSupport
import Testing

@testable import PipRig

/// Lets several clients change the composition at once, and checks every drawn frame.
@Suite("Every frame while clients change things", .timeLimit(.minutes(2)), .serialized)
struct EveryFrameTests {
    private static let size = PixelSize(64, 32)

    /// Writes the grey pictures, and returns a configuration with two grey squares over a grey picture.
    ///
    /// The clients move and fade both squares together.
    private static func rig(in folder: TemporaryFolder) throws -> String {
        try grey(48, size, to: folder, "road.y4m")
        for name in ["left", "right"] { try grey(235, PixelSize(8, 8), to: folder, "\(name).y4m") }
        return """
            canvas: {size: 64x32, fps: 60}
            cameras:
              road: {source: "\(folder.path("road.y4m"))", loop: on}
              left: {source: "\(folder.path("left.y4m"))", loop: on}
              right: {source: "\(folder.path("right.y4m"))", loop: on}
            scenes:
              all:
                main: road
                insets:
                  - {of: left, at: "0:0", width: 8, opacity: 0.5}
                  - {of: right, at: "56:24", width: 8, opacity: 0.5}
            effects: {road: [{brightness: 0}]}
            """
    }

    private static func grey(_ luma: UInt8, _ size: PixelSize, to folder: TemporaryFolder, _ name: String) throws {
        let head = "YUV4MPEG2 W\(size.width) H\(size.height) F60:1 Ip A1:1 C420jpeg\nFRAME\n"
        let chroma = [UInt8](repeating: 128, count: size.width * size.height / 2)
        try folder.write(
            Array(head.utf8) + [UInt8](repeating: luma, count: size.width * size.height) + chroma, to: name)
    }

    /// A client's random requests, and the picture that each request must lead to.
    private struct Client<Sight: Sendable & Equatable>: Sendable {
        let sights: [Sight]
        let request: @Sendable (Int, Sight) -> (method: String, path: String, body: String)

        /// Chooses the requests.
        ///
        /// - Parameters:
        ///   - first: The picture before the first request.
        ///   - choices: The pictures from which the requests are chosen.
        ///   - seed: The seed of the random numbers.
        ///   - request: Makes the request that leads to a picture, from the request's index and the picture.
        init(
            from first: Sight, _ choices: [Sight], seed: Int,
            _ request: @escaping @Sendable (Int, Sight) -> (String, String, String)
        ) {
            var dice = Dice(seed)
            sights = [first] + (0..<334).compactMap { _ in choices.randomElement(using: &dice) }
            self.request = request
        }

        func run(_ panel: RunningPanel) async throws {
            for (number, sight) in sights.enumerated().dropFirst() {
                let (method, path, body) = request(number, sight)
                let answer = try await panel.send(method, path, body)
                #expect(answer.status == 200, "\(method) \(path) \(body): \(answer.text)")
            }
        }

        /// The index of the first frame that shows an unrequested picture, or requested pictures in the wrong order.
        ///
        /// Nil if every frame is correct.
        func stray(in frames: [Sight]) -> Int? {
            var place = 0
            for (number, frame) in frames.enumerated() {
                guard let next = sights[place...].firstIndex(of: frame) else { return number }
                place = next
            }
            return nil
        }
    }

    /// Changes the grey by replacing the chain: with one brightness effect, or with two that together do the same.
    private static let painter = Client(from: 0, Array(0..<12), seed: 1) { number, step in
        let value = Double(step) / 32
        let whole = #"{"effect": "brightness", "values": {"brightness": \#(value)}}"#
        let half = #"{"effect": "brightness", "values": {"brightness": \#(value / 2)}}"#
        return ("PUT", "/api/v1/chains/road", number % 3 == 0 ? "[\(half), \(half)]" : "[\(whole)]")
    }

    /// Moves the squares to places that mirror each other.
    private static let mover = Client(
        from: GreyFrame.Place(x: 0, y: 0),
        (0...6).flatMap { x in (0...6).map { GreyFrame.Place(x: x * 2, y: $0 * 2) } }, seed: 2
    ) { _, place in
        let (left, right) = ("\(place.x):\(place.y)", "\(56 - place.x):\(24 - place.y)")
        return (
            "PATCH", "/api/v1/scene", #"{"layers": {"left": {"at": "\#(left)"}, "right": {"at": "\#(right)"}}}"#
        )
    }

    /// Sets both squares' opacity to a multiple of a quarter.
    private static let fader = Client(from: 2, [1, 2, 3, 4], seed: 3) { _, quarters in
        let look = #"{"opacity": \#(Double(quarters) / 4)}"#
        return ("PATCH", "/api/v1/scene", #"{"layers": {"left": \#(look), "right": \#(look)}}"#)
    }

    @Test(
        "row 65: three clients make 1,002 changes, and the frames show the requested pictures in order")
    func frames() async throws {
        let folder = try TemporaryFolder()
        let tap = FrameTap(.i420, buffering: .newest(4096), name: "every frame")
        async let seen = Self.look(at: tap)
        let ended = AsyncStream.makeStream(of: LiveRig.self)
        try await RunningPanel.run(try Self.rig(in: folder), tap: tap) { panel in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await Self.painter.run(panel) }
                group.addTask { try await Self.mover.run(panel) }
                group.addTask { try await Self.fader.run(panel) }
                try await group.waitForAll()
            }
            // Two frames later, the last requested picture has been drawn.
            let last = panel.live.session.statistics.output.frames + 2
            try await panel.wait(for: "two frames") { _ in panel.live.session.statistics.output.frames >= last }
            ended.continuation.yield(panel.live)
        }
        ended.continuation.finish()
        let frames = await seen
        var live: LiveRig?
        for await each in ended.stream { live = each }
        let statistics = try #require(live?.session.statistics)

        let tapped = try #require(statistics.sinks.first { $0.name == "every frame" })
        #expect(tapped.drops.total == 0 && frames.count == tapped.written)
        #expect(frames.count >= Self.painter.sights.count, "a frame has one change of a client at most")
        let pictures = frames.compactMap(\.picture)
        #expect(pictures.count == frames.count, "\(frames.first { $0.picture == nil }?.text ?? "")")
        #expect(Self.painter.stray(in: pictures.map(\.steps)) == nil)
        #expect(Self.mover.stray(in: pictures.map(\.place)) == nil)
        #expect(Self.fader.stray(in: pictures.map(\.quarters)) == nil)
        let last = try #require(pictures.last)
        #expect(last.steps == Self.painter.sights.last && last.place == Self.mover.sights.last)
        #expect(last.quarters == Self.fader.sights.last)
        FaultReport.record(
            row: 65, figures: "1,002 changes by three clients, \(frames.count) frames: none black, none torn")
    }

    private static func look(at tap: FrameTap) async -> [GreyFrame] {
        var frames: [GreyFrame] = []
        for await frame in tap.frames { frames.append(GreyFrame(frame)) }
        return frames
    }
}
