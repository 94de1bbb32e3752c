#if Media
import PipCapture
import PipConcurrency
import PipFrames
import PipSinks
import PipTestSupport
import Testing

@testable import PipCompose
@testable import PipMedia

@Suite("Files of a camera's own frames")
struct CameraFileTests {
    @Test(
        "MJPEG is written byte for byte, and every frame has the driver's timestamp",
        arguments: [("a.mp4", 1.01 / 90000), ("a.mov", 1.01 / 90000), ("a.mkv", 0.00101)])
    func everyFrame(_ name: String, _ tick: Double) async throws {
        let rig = try RecordingRig()
        let pictures = RecordingRig.pictures(60)
        let output = rig.camera --> CameraFile(rig.folder.path(name))
        var times: [Timestamp] = []
        let session = try await rig.run { _ in times = rig.deliver(pictures.map { FakeFrame.compressed($0) }) }
        #expect(output.state == .finished)
        #expect(output.statistics.written == 60 && output.statistics.drops.total == 0, "\(output.statistics)")
        #expect(session.statistics.sources[0].used < 60)
        #expect(try rig.pictures(of: name) == pictures)
        let probe = try Probe(rig.folder.path(name))
        #expect(probe.fields["codec_name"] == "mjpeg" && probe.frames == 60)
        let errors = zip(probe.times, offsets(times)).map { abs($0 - $1) }
        #expect(probe.times.count == 60 && errors.allSatisfy { $0 < tick }, "\(errors.max() ?? 0)")
    }

    @Test("a file has a gap while the camera is away, and continues with the camera's first frame")
    func unplugged() async throws {
        let rig = try RecordingRig()
        let pictures = RecordingRig.pictures(40)
        let output = rig.camera --> CameraFile(rig.folder.path("a.mp4"))
        var times: [Timestamp] = []
        _ = try await rig.run { session in
            times = rig.deliver(pictures[..<20].map { FakeFrame.compressed($0) })
            await rig.replug(in: session)
            times += rig.deliver(pictures[20...].map { FakeFrame.compressed($0) })
        }
        #expect(output.statistics.written == 40 && output.statistics.drops.total == 0, "\(output.statistics)")
        #expect(try rig.pictures(of: "a.mp4") == pictures)
        let probe = try Probe(rig.folder.path("a.mp4"))
        let errors = zip(probe.times, offsets(times)).map { abs($0 - $1) }
        #expect(probe.times.count == 40 && errors.allSatisfy { $0 < 1.01 / 90000 }, "\(errors.max() ?? 0)")
        #expect(probe.times[20] - probe.times[19] > 4)
    }

    @Test("a camera that returns with another size continues in another file")
    func otherSize() async throws {
        let rig = try RecordingRig()
        let large = PixelSize(128, 96)
        let (small, next) = (RecordingRig.pictures(5), RecordingRig.pictures(7, large))
        rig.camera --> CameraFile(rig.folder.path("a.mkv"))
        _ = try await rig.run { session in
            _ = rig.deliver(small.map { FakeFrame.compressed($0) })
            await rig.replug("MJPG", large, in: session)
            _ = rig.deliver(next.map { FakeFrame.compressed($0) })
        }
        #expect(try rig.folder.names.sorted() == ["a-2.mkv", "a.mkv"])
        #expect(try rig.pictures(of: "a.mkv") == small)
        #expect(try rig.pictures(of: "a-2.mkv") == next)
    }

    @Test("successive files have each picture once, as the camera sent it")
    func segments() async throws {
        let rig = try RecordingRig()
        let pictures = RecordingRig.pictures(100)
        let output = rig.camera --> CameraFile(rig.folder.path("a-%03d.mp4"), segments: .duration(.seconds(1)))
        _ = try await rig.run { _ in
            for (index, picture) in pictures.enumerated() {
                _ = rig.deliver([.compressed(picture)])
                // The scripted driver takes no time: without this wait, the writer's queue of 60 frames could fill on a
                // busy machine.
                #expect(await becomes { output.statistics.written + 30 >= index })
            }
        }
        #expect(output.statistics.written == 100, "\(output.statistics)")
        let names = try rig.folder.names.sorted()
        #expect(names == ["a-001.mp4", "a-002.mp4", "a-003.mp4", "a-004.mp4"])
        #expect(try names.flatMap { try rig.pictures(of: $0) } == pictures)
    }

    @Test(
        "each frame of a camera with raw pixels is encoded, with the driver's timestamps", arguments: ["NV12", "YUYV"])
    func pixels(_ format: String) async throws {
        let rig = try RecordingRig(format)
        let output =
            rig.camera
            --> CameraFile(rig.folder.path("a.mp4"), encoding: VideoEncoding(rate: .quality(95)))
        var times: [Timestamp] = []
        _ = try await rig.run { _ in
            for code in 0..<30 {
                times += rig.deliver([FakeFrame(.fill(UInt8(60 + code * 4)))])
                // The scripted driver takes no time, but the encoder does: wait for the encoder.
                let goal = code - 8
                #expect(await becomes { output.statistics.written + output.statistics.drops.total >= goal })
            }
        }
        #expect(output.statistics.written == 30 && output.statistics.drops.total == 0, "\(output.statistics)")
        #expect(output.statistics.encoder != nil)
        let probe = try Probe(rig.folder.path("a.mp4"))
        #expect(probe.fields["codec_name"] == "h264" && probe.frames == 30 && probe.beginsWithKey)
        let errors = zip(probe.times, offsets(times)).map { abs($0 - $1) }
        #expect(probe.times.count == 30 && errors.allSatisfy { $0 < 1.01 / 90000 }, "\(errors.max() ?? 0)")
        try runProgram([
            "ffmpeg", "-v", "error", "-i", rig.folder.path("a.mp4"), "-fps_mode", "passthrough", "-f", "rawvideo",
            "-pix_fmt", "yuv420p", rig.folder.path("a.i420"),
        ])
        let bytes = try rig.folder.read("a.i420")
        let luma = stride(from: 0, to: bytes.count, by: 64 * 48 * 3 / 2).map { Int(bytes[$0 + 64 * 24 + 32]) }
        #expect(zip(luma, 0..<30).allSatisfy { abs($0 - 60 - $1 * 4) <= 2 }, "\(luma)")
    }

    @Test("a camera's file can have sound, like any recording")
    func sound() async throws {
        let rig = try RecordingRig()
        let mixer = AudioMixer()
        mixer.add(ToneSource(440))
        let output = rig.camera --> CameraFile(rig.folder.path("a.mkv"), sound: [mixer])
        var pictures: [[UInt8]] = []
        _ = try await rig.run { _ in
            rig.goByMachineTime()
            let start = rig.kernel.now
            while start.duration(to: rig.kernel.now) < .seconds(2) {
                let due = rig.kernel.now
                _ = await becomes { MonotonicClock().now > due }
                pictures += RecordingRig.pictures(1, from: pictures.count)
                _ = rig.deliver([.compressed(pictures[pictures.count - 1])])
            }
        }
        #expect(output.statistics.written == pictures.count, "\(output.statistics)")
        let packets = try Probe.packets("pts_time", of: rig.folder.path("a.mkv"), stream: "a:0")
        let last = packets.last?.first.flatMap { Double($0) }
        #expect(try rig.pictures(of: "a.mkv") == pictures)
        #expect(abs(try #require(last) - 2) < 0.2)
    }

    @Test("a camera can be recorded alone without drawing, paused and stopped")
    func alone() async throws {
        let rig = try RecordingRig()
        let pictures = RecordingRig.pictures(30)
        let output = rig.camera --> CameraFile(rig.folder.path("a.mkv"))
        let session = try await rig.run(drawing: false) { _ in
            _ = rig.deliver(pictures[..<10].map { FakeFrame.compressed($0) })
            #expect(await becomes { output.statistics.written == 10 })
            try output.pause()
            #expect(await becomes { output.state == .paused })
            // The output's state changes before the session pauses the recording, so these pictures may be recorded.
            _ = rig.deliver(pictures[10..<20].map { FakeFrame.compressed($0) })
            try output.resume()
            #expect(await becomes { output.state == .running })
            try await output.stop()
            _ = rig.deliver(pictures[20...].map { FakeFrame.compressed($0) })
        }
        #expect(output.state == .finished)
        #expect(session.statistics.sinks.count == 1)
        let written = try rig.pictures(of: "a.mkv")
        #expect(written.prefix(10) == pictures.prefix(10) && written.count == output.statistics.written)
        #expect(written.count <= 20)
    }

    @Test("files begin and end while the camera streams, each with exactly its own frames, two at a time")
    func oneAfterTheOther() async throws {
        let rig = try RecordingRig()
        let pictures = RecordingRig.pictures(60)
        let whole = rig.camera --> CameraFile(rig.folder.path("whole.mov"))
        _ = try await rig.run { session in
            for index in 0..<10 {
                let output = try await session.configure {
                    rig.camera --> CameraFile(rig.folder.path("\(index).mp4"))
                }
                _ = rig.deliver(pictures[index * 6..<index * 6 + 5].map { FakeFrame.compressed($0) })
                try await output.stop()
                #expect(output.statistics.written == 5, "\(output.statistics)")
                _ = rig.deliver([FakeFrame.compressed(pictures[index * 6 + 5])])
            }
        }
        #expect(whole.statistics.written == 60 && whole.statistics.drops.total == 0)
        #expect(try rig.pictures(of: "whole.mov") == pictures)
        for index in 0..<10 {
            #expect(try rig.pictures(of: "\(index).mp4") == Array(pictures[index * 6..<index * 6 + 5]), "\(index)")
        }
    }

    @Test("pictures without Huffman tables, as many cameras send them, can be played", arguments: ["a.mp4", "a.mkv"])
    func withoutTables(_ name: String) async throws {
        let rig = try RecordingRig()
        let pictures = RecordingRig.pictures(8).map { TestJPEG.withoutHuffmanTables($0) }
        rig.camera --> CameraFile(rig.folder.path(name))
        _ = try await rig.run { _ in _ = rig.deliver(pictures.map { FakeFrame.compressed($0) }) }
        #expect(try Probe(rig.folder.path(name)).frames == 8)
        let sizes = try Probe.packets("size", of: rig.folder.path(name)).compactMap { Int($0[0]) }
        #expect(sizes == pictures.map(\.count))
    }

    @Test("invalid pictures are left out and counted")
    func damaged() async throws {
        let rig = try RecordingRig()
        let pictures = RecordingRig.pictures(6)
        let output = rig.camera --> CameraFile(rig.folder.path("a.mp4"))
        _ = try await rig.run { _ in
            var frames = pictures.map { FakeFrame.compressed($0) }
            frames.insert(.compressed(Array(repeating: 7, count: 900)), at: 3)
            _ = rig.deliver(frames)
        }
        #expect(output.statistics.written == 6 && output.statistics.drops[.corrupted] == 1)
        #expect(try rig.pictures(of: "a.mp4") == pictures)
    }

    @Test("a file that cannot hold the camera's format is refused with the formats that it can hold")
    func refused() async throws {
        let rig = try RecordingRig()
        let picture = Compositor(canvas: RecordingRig.size) { Layer(rig.camera) }
        picture --> NullSink()
        rig.camera --> CameraFile(rig.folder.path("a.webm"))
        let session = try await Session(
            picture, options: SessionOptions(), cameras: CameraDirectory(calls: rig.kernel))
        let error = await #expect(throws: SessionError.self) { try await session.run() }
        #expect(error?.description.contains("cannot hold the MJPEG pictures") == true, "\(String(describing: error))")
        #expect(error?.description.contains(".mp4, .mov, .mkv can") == true)
        #expect(try rig.folder.names.isEmpty)
    }
}
#endif
