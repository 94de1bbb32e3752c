#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipMedia
import Synchronization
import Testing

/// The length of the measurement in seconds; nil when tests run without a measurement.
private let measuredSeconds = ProcessInfo.processInfo.environment["PIP_WEBRTC_SECONDS"].flatMap(Int.init)

/// Measures delays for `Benchmarks/webrtc`, and passes whatever the delays are.
@Suite(
    "The delay of WebRTC", .serialized,
    .enabled(if: measuredSeconds != nil && Browser.program != nil, "is a measurement: Benchmarks/webrtc"))
struct WebRTCDelay {
    @Test("the time from the camera to the canvas of the page", arguments: [VideoCodec.h264, .vp8])
    func delay(codec: VideoCodec) async throws {
        let numbered = NumberedPicture(.hd720, rate: 30)
        let broadcast = WebRTCBroadcast(encoding: .webRTC(codec))
        numbered.picture --> broadcast
        let viewer = try await numbered.run { _ in
            let browser = try Browser(WHEPEndpoint(broadcast))
            return try await eventually(within: .seconds(120)) {
                let viewer = browser.viewers["0"]
                return (viewer?.frames.count ?? 0) >= 30 * (measuredSeconds ?? 10) ? viewer : nil
            }
        }
        let offset = Date().timeIntervalSince1970 * 1000 - Double(MonotonicClock().now.nanoseconds) / 1e6
        // Leave out the first frames, during which the decoder starts.
        let frames = try #require(viewer).frames.dropFirst(60)
        let delays = frames.compactMap { frame in
            numbered.moment(of: frame.number).map { frame.time - offset - Double($0.nanoseconds) / 1e6 }
        }
        print("\(codec.name) 1280x720 at 30, camera's stamp to canvas: \(try spread(delays)), \(delays.count) frames")
    }

    @Test("offer to first picture", arguments: [VideoCodec.h264, .vp8])
    func opening(codec: VideoCodec) async throws {
        let numbered = NumberedPicture(.hd720, rate: 30)
        let broadcast = WebRTCBroadcast(encoding: .webRTC(codec))
        numbered.picture --> broadcast
        let openings = try await numbered.run { _ in
            let browser = try Browser(WHEPEndpoint(broadcast))
            var openings: [Browser.Viewer.Opening] = []
            for index in 0..<2 * (measuredSeconds ?? 10) {
                let viewer = try await eventually {
                    let viewer = browser.viewers["\(index)"]
                    return (viewer?.frames.count ?? 0) >= 15 ? viewer : nil
                }
                openings.append(try #require(viewer).opening)
                browser.order("next")
            }
            return openings
        }
        // The browser's first decoder takes long to start.
        for (name, openings) in [("first viewer", openings.prefix(1)), ("next viewers", openings.dropFirst())] {
            print(
                "\(codec.name) 1280x720 at 30, \(name), offer to answer: "
                    + "\(try spread(openings.map { $0.answered - $0.offered })); to connection: "
                    + "\(try spread(openings.map { $0.connected - $0.offered })); to first picture: "
                    + "\(try spread(openings.map { $0.received - $0.offered }))")
        }
    }

    private func spread(_ delays: [Double]) throws -> String {
        try #require(!delays.isEmpty)
        let delays = delays.sorted()
        func part(_ share: Double) -> Int { Int(delays[Int(Double(delays.count - 1) * share)].rounded()) }
        return "p50 \(part(0.5)) ms, p95 \(part(0.95)) ms, most \(part(1)) ms"
    }

    @Test("CPU time for each viewer")
    func cost() async throws {
        let numbered = NumberedPicture(PixelSize(640, 360), rate: 30)
        let broadcast = WebRTCBroadcast(encoding: .webRTC(.h264, rate: .bits(1_000_000)))
        numbered.picture --> broadcast
        let clock = MonotonicClock()
        try await numbered.run { _ in
            var shares: [Double] = []
            for count in [1, 8] {
                let browser = try Browser(WHEPEndpoint(broadcast), viewers: count)
                _ = try await eventually {
                    browser.viewers.values.filter { $0.frames.count > 30 }.count == count ? 0 : nil
                }
                let (time, used) = (clock.now, ProcessorTime.used)
                try await clock.sleep(for: .seconds(measuredSeconds ?? 10))
                shares.append((ProcessorTime.used - used).inSeconds / time.duration(to: clock.now).inSeconds)
                browser.kill()
                _ = try await eventually { broadcast.viewers.isEmpty ? true : nil }
            }
            let each = (shares[1] - shares[0]) / 7 * 1000
            print(
                "640x360 at 30, 1 Mbit/s: 1 viewer \(Int(shares[0] * 1000)) ms of CPU a second with composing and "
                    + "encoding, 8 viewers \(Int(shares[1] * 1000)) ms: \(String(format: "%.1f", each)) ms for each")
        }
    }
}
#endif
