#if Media
import PipCompose
import PipConcurrency
import PipFrames
import PipMedia
import Testing

/// Tests pictures and sound in a browser, through WHEP on the loopback interface.
@Suite(
    "WebRTC in Chromium", .serialized, .timeLimit(.minutes(4)),
    .enabled(if: Browser.program != nil, "needs the package chromium"))
struct WHEPTests {
    private static let size = PixelSize(640, 360)

    @Test("the composed picture is on a canvas, frame by frame", arguments: [VideoCodec.h264, .vp8], [false, true])
    func plays(codec: VideoCodec, asksForOffer: Bool) async throws {
        let numbered = NumberedPicture(Self.size, rate: 15)
        let broadcast = WebRTCBroadcast(encoding: .webRTC(codec))
        let output = numbered.picture --> broadcast
        try await numbered.run { _ in
            _ = try await eventually { numbered.latest > 5 ? true : nil }
            let first = numbered.latest
            let browser = try Browser(WHEPEndpoint(broadcast), asksForOffer: asksForOffer)
            let numbers = try await numbers(15, in: browser)
            // The page may draw a frame twice, more often on a busy machine, but never out of order.
            #expect(!numbers.contains(-1))
            #expect(numbers == numbers.sorted())
            // The viewer has seen no frame from before its connection.
            #expect(try #require(numbers.first) >= first)
            #expect(try #require(numbers.last) <= numbered.latest)
            let viewer = try #require(broadcast.viewers.first)
            #expect(viewer.state == .connected)
            #expect(viewer.frames >= Set(numbers).count)
        }
        #expect(broadcast.viewers.isEmpty)
        #expect(output.state == .finished)
        #expect(output.statistics.written >= 10)
    }

    @Test("a viewer hears the sound, whichever peer makes the offer", arguments: [false, true])
    func hears(asksForOffer: Bool) async throws {
        let numbered = NumberedPicture(Self.size, rate: 15)
        let sound = AudioMixer()
        sound.add(ToneSource(440))
        let broadcast = WebRTCBroadcast(sound: sound)
        numbered.picture --> broadcast
        try await numbered.run { _ in
            let browser = try Browser(WHEPEndpoint(broadcast), asksForOffer: asksForOffer)
            let numbers = try await numbers(15, in: browser)
            #expect(!numbers.contains(-1))
            let viewer = try await eventually(within: .seconds(60)) {
                browser.viewers["0"].flatMap { $0.soundPackets > 100 && $0.soundEnergy > 0.01 ? $0 : nil }
            }
            #expect(viewer != nil, "\(browser.viewers["0"].map { "\($0.soundPackets) \($0.soundEnergy)" } ?? "")")
        }
    }

    @Test("a viewer gets a key frame on request, and other key frames come only for new viewers")
    func keyFrames() async throws {
        let numbered = NumberedPicture(Self.size, rate: 15)
        // The encoder inserts no key frame by itself for a minute.
        let broadcast = WebRTCBroadcast(encoding: VideoEncoding(.h264, keyFrameInterval: .seconds(60)))
        numbered.picture --> broadcast
        try await numbered.run { _ in
            let browser = try Browser(WHEPEndpoint(broadcast), asksForKeys: true)
            _ = try await numbers(10, in: browser)
            let before = try #require(broadcast.viewers.first).keyRequests
            let keyFrames = try #require(browser.viewers["0"]).keyFrames
            browser.order("key")
            let asked = try await eventually {
                broadcast.viewers.first.map(\.keyRequests).flatMap { $0 > before ? $0 : nil }
            }
            #expect(asked != nil)
            let more = try await eventually { browser.viewers["0"].flatMap { $0.keyFrames > keyFrames ? true : nil } }
            #expect(more != nil)
        }
    }

    @Test("16 viewers share one encoder, and viewers that leave or whose browser is killed are removed")
    func manyViewers() async throws {
        let numbered = NumberedPicture(PixelSize(320, 180), rate: 10)
        let broadcast = WebRTCBroadcast()
        let output = numbered.picture --> broadcast
        try await numbered.run { _ in
            let browser = try Browser(WHEPEndpoint(broadcast), viewers: 16)
            let all = try await eventually(within: .seconds(120)) {
                let viewers = browser.viewers.values.filter { viewer in Set(viewer.frames.map(\.number)).count >= 10 }
                return viewers.count == 16 ? viewers : nil
            }
            let viewers = try #require(
                all, "\(browser.viewers.mapValues { "\($0.frames.count) \($0.state) \($0.error)" })")
            for viewer in viewers {
                let numbers = viewer.frames.map(\.number)
                #expect(!numbers.contains(-1))
                #expect(numbers == numbers.sorted())
            }
            #expect(broadcast.viewers.count == 16)
            // Each frame was encoded once, and sent to all viewers.
            let sent = broadcast.viewers.map(\.frames).reduce(0, +)
            #expect(output.statistics.written < sent / 2)

            browser.order("leave")
            #expect(try await eventually { broadcast.viewers.count == 15 ? true : nil } != nil)
            browser.kill()
            #expect(try await eventually { broadcast.viewers.isEmpty ? true : nil } != nil)
            #expect(output.state == .running)
            // Without viewers, no frame is encoded.
            let written = output.statistics.written
            let number = numbered.latest
            _ = try await eventually { numbered.latest > number + 5 ? true : nil }
            #expect(output.statistics.written <= written + 1)
        }
    }

    /// Waits until the first viewer has seen `count` different numbers, and returns all numbers seen.
    private func numbers(_ count: Int, in browser: Browser) async throws -> [Int] {
        let frames = try await eventually(within: .seconds(120)) {
            let frames = browser.viewers["0"]?.frames ?? []
            return Set(frames.map(\.number)).count >= count ? frames : nil
        }
        return try #require(frames, "\(String(describing: browser.viewers["0"]))").map(\.number)
    }
}
#endif
