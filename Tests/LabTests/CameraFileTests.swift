#if Media
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
                    // Every frame that the driver delivered was written, or is counted.
                    let delivered = source.lastSequence.map { Int($0) + 1 } ?? 0
                    #expect(statistics.written + statistics.drops.total == delivered, "\(statistics), \(source)")
                    #expect(delivered >= 80 && statistics.drops.total == 0, "\(statistics)")
                    let times = try self.times(of: output.label)
                    #expect(times.count == statistics.written)
                    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
                    // By virtual time, the driver is exact.
                    let interval = 1 / (source.framesPerSecond > 0 ? source.framesPerSecond.rounded() : 30)
                    #expect(steps.allSatisfy { abs($0 - interval) < 0.002 }, "\(steps)")
                }
                #expect(composed.statistics.written < 40, "\(composed.statistics)")
            }
        }

        /// The times of a file's frames in seconds.
        private func times(of path: String) throws -> [Double] {
            try runProgram([
                "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of",
                "csv=p=0",
                path,
            ]).split(separator: "\n").compactMap { line in line.split(separator: ",").first.flatMap { Double($0) } }
        }
    }
}
#endif
