import CV4L2
import PipCompose
import PipPatterns
import PipTestSupport
import Testing

extension CameraLab {
    @Suite("A virtual camera", .inVirtualTime)
    struct VirtualCameraTests {
        @Test("is read by ffmpeg in each format, with the colours of the picture", arguments: ["i420", "nv12", "yuyv"])
        func formats(format: String) async throws {
            let folder = try TemporaryFolder()
            let pixelFormat = try #require(PixelFormat(rawValue: format))
            try await Loopback.with {
                _ = try await Loopback.showing(VirtualCamera(labelled: "desk", format: pixelFormat)) { _ in
                    try Loopback.ffmpeg(
                        "-f v4l2 -i \(Loopback.path) -frames:v 4 -pix_fmt yuv444p -f rawvideo \(folder.path("frames"))")
                }
            }
            let bytes = try folder.read("frames")
            let area = Loopback.size.area
            try #require(bytes.count == 4 * 3 * area)
            let last = Array(bytes.suffix(3 * area))
            for (index, bar) in Loopback.bars.enumerated() {
                let place = 60 * Loopback.size.width + 40 * index + 20
                let samples = (0..<3).map { Double(last[place + $0 * area]) }
                let distances = zip(samples, bar.yuv(.bt601)).map { abs($0 - $1) }
                #expect(distances.allSatisfy { $0 <= 2 }, "bar \(index): \(samples) and not \(bar.yuv(.bt601))")
            }
        }

        @Test("row 60: readers that open and close it a hundred times cost no frame, and see the session's times")
        func churn() async throws {
            let tap = FrameTap(.i420, buffering: .newest(16))
            try await Loopback.with {
                let bars = PatternSource(.bars, size: Loopback.size)
                bars --> tap
                bars --> VirtualCamera(Loopback.path)
                let session = try await Session(bars, options: .ungoverned)
                async let running: Void = session.run()
                async let made = pictures(of: tap)
                while session.statistics.output.frames < 5 { try await Task.sleep(for: .milliseconds(10)) }
                var seen: [VideoReader.Taken] = []
                for turn in 0..<100 {
                    // Some readers never read a frame, and one reader leaves the device with fewer buffers.
                    let reader = try VideoReader(Loopback.path, buffers: turn == 50 ? 1 : 2)
                    if turn % 3 != 0 {
                        // The driver stamps a new reader's first frame with the time of the reader's arrival, so the
                        // test skips that frame.
                        _ = try reader.next()
                        seen.append(try reader.next())
                    }
                    try await Task.sleep(for: .milliseconds(20))
                }
                session.stop()
                try await running
                let statistics = session.statistics
                #expect(statistics.output.missed == 0 && statistics.output.frames >= 60, "\(statistics.output)")
                #expect(statistics.sinks[1].written == statistics.output.frames)
                #expect(statistics.sinks.allSatisfy { $0.drops.total == 0 && $0.error == nil }, "\(statistics.sinks)")
                let frames = await made
                let known = seen.map { frames[$0.timestamp.nanoseconds / 1000] == $0.bytes }
                #expect(known.count == 66 && known.allSatisfy(\.self), "\(known)")
                FaultReport.record(
                    row: 60, figures: "100 readers in \(statistics.output.frames) frames, none lost")
            }
        }

        @Test("tells its readers the colours and the rate, and is a camera for a session, too")
        func isCamera() async throws {
            try await Loopback.with {
                let sink = VirtualCamera(Loopback.path, format: .nv12)
                _ = try await Loopback.showing(sink.limited(to: FrameRate(15))) { _ in
                    let format = try VideoReader(Loopback.path).format()
                    #expect(format.ycbcr_enc == V4L2_YCBCR_ENC_601.rawValue)
                    #expect(format.quantization == V4L2_QUANTIZATION_LIM_RANGE.rawValue)
                    #expect(format.xfer_func == V4L2_XFER_FUNC_709.rawValue)
                    let camera = CameraSource(.path(Loopback.path))
                    let tap = FrameTap(.nv12, buffering: .newest(8))
                    camera --> tap
                    var colours: [Bool] = []
                    let run = try await SessionRun.watching(camera, tap, frames: 10) { _, frame, _ in
                        colours.append(frame.shows(Colour(red: 0.75, green: 0.75, blue: 0), x: 60, y: 60))
                        #expect(frame.size == Loopback.size)
                    }
                    #expect(colours.count == 10 && colours.allSatisfy(\.self))
                    #expect(run.statistics.sources[0].format == "NV12")
                }
            }
        }

        @Test("row 60: its readers get slates while all cameras are lost, and no frame less")
        func lostCameras() async throws {
            try await Loopback.with {
                try await Vivid.withWebcams { nodes in
                    for node in nodes { try node.set(.white) }
                    let picture = Compositor(canvas: Loopback.size) {
                        Layer(nodes[0].source(Loopback.size)).whenMissing(.slate)
                        Layer(nodes[1].source(Loopback.size)).placed(.topRight, width: 0.25).whenMissing(.slate)
                    }
                    let tap = FrameTap(.nv12, buffering: .newest(64))
                    picture --> tap
                    picture --> VirtualCamera(Loopback.path)
                    var reader: VideoReader?
                    var luma: [Int] = []
                    var held: [VideoNode.Held] = []
                    let run = try await SessionRun.watching(picture, tap, frames: 150) { number, _, _ in
                        if number == 10 { reader = try VideoReader(Loopback.path) }
                        if number == 40 { held = try nodes.map { try $0.disconnect() } }
                        if number > 10, let frame = try reader?.next() { luma.append(Int(frame.bytes[90 * 320 + 20])) }
                    }
                    #expect((luma.first ?? 0) > 225 && (luma.last ?? 255) < 100, "\(luma)")
                    #expect(luma.count == 139 && held.count == 2)
                    #expect(run.statistics.output.missed == 0)
                    #expect(run.statistics.sinks[1].written == run.statistics.output.frames)
                    #expect(run.statistics.sinks[1].drops.total == 0)
                }
            }
        }

        @Test(
            "is a camera for Chromium, with its label and the colours of the picture",
            .enabled(if: Browser.isInstalled, "needs Chromium"))
        func browser() async throws {
            try await Loopback.with {
                _ = try await Loopback.showing(VirtualCamera(Loopback.path).limited(to: FrameRate(5))) { _ in
                    let (camera, colours) = try Browser.look()
                    #expect(camera == "desk")
                    let expected = Loopback.bars.map { bar in [bar.red, bar.green, bar.blue].map { 255 * $0 } }
                    for (said, bar) in zip(colours, expected) {
                        let values = said.split(separator: ",").compactMap { Double($0) }
                        #expect(values.count == 3 && zip(values, bar).allSatisfy { abs($0 - $1) <= 3 }, "\(colours)")
                    }
                    #expect(colours.count == 8)
                }
            }
        }

        /// The frames of a tap, keyed by their timestamps in microseconds, which is the driver's precision.
        private func pictures(of tap: FrameTap) async -> [Int64: [UInt8]] {
            var frames: [Int64: [UInt8]] = [:]
            for await frame in tap.frames { frames[frame.timestamp.nanoseconds / 1000] = picture(frame) }
            return frames
        }

        /// The samples of all three planes of a frame, without padding.
        private func picture(_ frame: Frame) -> [UInt8] {
            (0..<3).flatMap { samples(frame, plane: $0) }
        }
    }
}
