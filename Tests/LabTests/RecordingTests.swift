import Foundation
import PipCompose
import PipTestSupport
import Testing

extension CameraLab {
    @Suite("Recordings that begin and end while two cameras run", .inVirtualTime)
    struct RecordingTests {
        private static let size = PixelSize(320, 180)
        private static let small = PixelSize(160, 90)

        @Test("cost no camera a frame, and hold every frame between their beginnings and ends")
        func recordings() async throws {
            let folder = try TemporaryFolder()
            try await Vivid.withWebcams { nodes in
                let picture = Compositor(canvas: Self.size) {
                    Layer(nodes[0].source(Self.size))
                    Layer(nodes[1].source(Self.size)).placed(.topRight, width: 0.25, margin: 8)
                }
                let tap = FrameTap(.nv12, buffering: .newest(64))
                picture --> tap
                var outputs: [Output] = []
                var sequences: [[UInt64]] = []
                let run = try await SessionRun.watching(picture, tap, frames: 240) { number, frame, session in
                    sequences.append(frame.info.inputs.map(\.sequence))
                    switch number {
                    case 60:
                        try await session.configure {
                            outputs.append(picture --> Y4MFile(folder.path("full.y4m")))
                        }
                    case 120:
                        try await session.configure {
                            outputs.append(picture --> Y4MFile(folder.path("small.y4m")).scaled(to: Self.small))
                        }
                    case 180:
                        try await session.configure {
                            outputs[0].remove()
                            outputs.append(picture --> Y4MFile(folder.path("next.y4m")).scaled(to: Self.small))
                        }
                    default: break
                    }
                }
                let frames = run.statistics.output.frames
                let numbers = (0..<UInt64(frames)).map { [$0, $0] }
                #expect(sequences == Array(numbers.prefix(sequences.count)) && sequences.count >= 240)
                #expect(run.statistics.output.missed == 0)
                for source in run.statistics.sources {
                    run.expectAccounted(source)
                    #expect(source.drops.total == 0 && source.lastSequence == UInt64(frames - 1), "\(source)")
                }
                #expect(run.cameraEvents.isEmpty, "\(run.cameraEvents)")

                let counts = outputs.map(\.statistics.written)
                try #require(counts.count == 3)
                for (output, size) in zip(outputs, [Self.size, Self.small, Self.small]) {
                    try expectWhole(output, of: size)
                }
                // The third recording begins when the first recording ends. The second and the third recording last
                // until the end of the session.
                let begins = [frames - counts[0] - counts[2], frames - counts[1], frames - counts[2]]
                for (begin, change) in zip(begins, [60, 120, 180]) {
                    #expect((change + 1...change + 3).contains(begin), "\(begins)")
                }
            }
        }

        /// Expects that the file of an output has all frames, and that no frame was dropped or repeated.
        private func expectWhole(_ output: Output, of size: PixelSize) throws {
            let statistics = output.statistics
            #expect(output.state == .finished)
            #expect(statistics.drops.total == 0 && statistics.repeated == 0, "\(statistics)")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: output.label))
            let header = try #require(bytes.firstIndex(of: 10)) + 1
            #expect(bytes[..<header].starts(with: "YUV4MPEG2 W\(size.width) H\(size.height) ".utf8))
            let frame = "FRAME\n".utf8.count + size.width * size.height * 3 / 2
            #expect(bytes.count == header + statistics.written * frame)
        }
    }
}
