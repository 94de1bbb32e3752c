#if Media
import Foundation
import PipCompose
import PipMedia
import PipTestSupport
import Testing

extension CameraLab {
    @Suite("Files of two cameras' own frames beside the composed picture", .inVirtualTime)
    struct CameraFileTests {
        private static let size = PixelSize(320, 180)

        @Test("have every frame of each camera, at the driver's times, while the picture has its own rate")
        func everyFrame() async throws {
            let folder = try TemporaryFolder()
            try await Vivid.withWebcams { nodes in
                let cameras = nodes.map { $0.source(Self.size) }
                let picture = Compositor(canvas: Self.size) {
                    Layer(cameras[0])
                    Layer(cameras[1]).placed(.topRight, width: 0.25, margin: 8)
                }
                let tap = FrameTap(.nv12, buffering: .newest(64))
                picture --> tap
                let encoding = VideoEncoding(.mjpeg)
                let composed =
                    picture
                    --> MovieFile(folder.path("drive.mkv"), encoding: encoding)
                    .limited(to: FrameRate(10))
                let files = [
                    cameras[0] --> CameraFile(folder.path("0.mkv"), encoding: encoding),
                    cameras[1] --> CameraFile(folder.path("1.mp4")),
                ]
                let run = try await SessionRun.watching(picture, tap, frames: 90) { _, _, _ in }
                for (index, output) in files.enumerated() {
                    let source = run.statistics.sources[index]
                    let statistics = output.statistics
                    run.expectAccounted(source)
                    #expect(output.state == .finished)
                    #expect(source.drops[.sequenceGap] == 0, "\(source)")
                    // Every frame that the camera delivered was written or counted as dropped.
                    let delivered = source.lastSequence.map { Int($0) + 1 } ?? 0
                    #expect(statistics.written + statistics.drops.total == delivered, "\(statistics), \(source)")
                    #expect(delivered >= 80 && statistics.drops.total == 0, "\(statistics)")
                    let times = try self.times(of: output.label)
                    #expect(times.count == statistics.written)
                    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
                    // The driver's intervals are exact in virtual time.
                    let interval = 1 / (source.framesPerSecond > 0 ? source.framesPerSecond.rounded() : 30)
                    #expect(steps.allSatisfy { abs($0 - interval) < 0.002 }, "\(steps)")
                }
                #expect(composed.statistics.written < 40, "\(composed.statistics)")
            }
        }

        /// The timestamps of a file's frames, in seconds.
        private func times(of path: String) throws -> [Double] {
            try runProgram([
                "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of",
                "csv=p=0",
                path,
            ]).split(separator: "\n").compactMap { line in line.split(separator: ",").first.flatMap { Double($0) } }
        }
    }
}

extension CameraLab {
    @Suite("Files of USB cameras that send JPEG")
    struct USBCameraFileTests {
        private static let size = PixelSize(640, 360)

        @Test("have each picture byte for byte, also of one that is unplugged meanwhile and comes back")
        func pictures() async throws {
            let folder = try TemporaryFolder()
            let pictures = try Pictures()
            let sent = [
                try await pictures.scene(5, size: Self.size), try await pictures.scene(7, seed: 1, size: Self.size),
            ]
            let files = [try pictures.file("a.mjpeg", sent[0]), try pictures.file("b.mjpeg", sent[1])]
            try await USBCamera.withCameras(files) { cameras in
                let sources = cameras.map { $0.source(Self.size) }
                let picture = Compositor(canvas: PixelSize(320, 180)) {
                    Layer(sources[0])
                    Layer(sources[1]).placed(.topRight, width: 0.25)
                }
                let tap = FrameTap(.nv12, buffering: .newest(2))
                picture --> tap
                let outputs = [
                    sources[0] --> CameraFile(folder.path("0.mp4")), sources[1] --> CameraFile(folder.path("1.mkv")),
                ]
                var again: USBCamera?
                defer { again?.unplug() }
                var back = 0
                let run = try await SessionRun.watching(picture, tap, frames: 180) { number, _, session in
                    if number == 50 { cameras[1].unplug() }
                    if number == 80 { again = try USBCamera(serial: "LAB1", pictures: files[1]) }
                    if number == 120 { back = session.statistics.sources[1].delivered }
                }
                for (index, output) in outputs.enumerated() {
                    let (statistics, source) = (output.statistics, run.statistics.sources[index])
                    #expect(output.state == .finished && statistics.drops.total == 0, "\(statistics)")
                    let written = try extracted(output.label, to: folder, "p\(index)")
                    #expect(
                        written.count == statistics.written && written.count > 60, "\(written.count), \(statistics)")
                    let numbers = written.map { picture in sent[index].firstIndex { $0 == picture } }
                    // The last picture of the vanished camera may be cut off.
                    #expect(numbers.filter { $0 == nil }.count <= index, "\(numbers)")
                    let drops = source.drops
                    let good = Int(source.lastSequence ?? 0) + 1 - drops[.sequenceGap] - drops[.short]
                    #expect((good - drops[.corrupted]...good).contains(statistics.written), "\(statistics), \(source)")
                    guard index == 0, drops[.sequenceGap] == 0 else { continue }
                    let steps = zip(numbers.dropFirst(), numbers).compactMap { next, last in
                        next.flatMap { next in last.map { (next - $0 + 5) % 5 } }
                    }
                    #expect(steps.allSatisfy { $0 == 1 }, "\(steps)")
                }
                #expect(run.statistics.sources[1].delivered > back && back > 0)
            }
        }

        /// The encoded JPEG pictures of a file, in order.
        private func extracted(_ path: String, to folder: TemporaryFolder, _ name: String) throws -> [Data] {
            try runProgram([
                "ffmpeg", "-v", "error", "-i", path, "-c", "copy", "-f", "image2", folder.path("\(name)-%05d.jpg"),
            ])
            return try folder.names.filter { $0.hasPrefix("\(name)-") }.sorted().map { Data(try folder.read($0)) }
        }
    }
}
#endif
