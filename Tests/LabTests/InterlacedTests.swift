import PipCompose
import PipFrames
import Testing

extension CameraLab {
    /// Tests with an S-Video camera: 25 pictures a second of two fields, which are a fiftieth of a second apart.
    @Suite("Interlaced cameras")
    struct InterlacedTests {
        @Test("F03: what moves has no teeth", arguments: ["YUYV", "YU12", "NV12"])
        func combs(format: String) async throws {
            let parameters = ["n_devs=1", "node_types=0x1", "num_inputs=1", "input_types=0x2"]
            try await withModule("vivid", parameters) {
                let node = try VideoNode("/dev/video0")
                try node.set("osd_text_mode", to: 2)
                try node.set("timestamp_source", to: 1)
                // The bars are upright, and move 12 columns to the right from one field to the next.
                try node.set(Vivid.Pattern.bars75)
                try node.set("horizontal_movement", to: 6)
                let camera = node.source(PixelSize(720, 576), FrameRate(25), format: format)
                let tap = FrameTap(.i420, buffering: .newest(4))
                camera --> tap
                var last: Frame?
                let run = try await SessionRun.watching(camera, tap, frames: 10) { _, frame, _ in last = frame }
                #expect(run.statistics.sources[0].format == format)
                let frame = try #require(last)
                #expect(frame.layout.size == PixelSize(720, 576))
                let rows = frame.withPlane(0) { bytes, layout in
                    (0..<layout.dimensions.height).map { row in
                        (0..<layout.rowBytes).map { column in
                            unsafe Int(
                                bytes.unsafeLoad(fromByteOffset: row * layout.strideInBytes + column, as: UInt8.self))
                        }
                    }
                }
                // Row 100 shows the edges of the bars.
                #expect(zip(rows[100], rows[100].dropFirst()).count { abs($0 - $1) > 8 } >= 7)
                // Each row must be like the row above it. The top rows are left out, because the driver's first row, as
                // in PAL, is not part of the picture.
                let all = rows.dropFirst(4)
                let teeth = zip(all, all.dropFirst()).reduce(0) { sum, pair in
                    sum + zip(pair.0, pair.1).count { abs($0 - $1) > 8 }
                }
                #expect(teeth == 0, "\(teeth) samples differ from those above")
            }
        }
    }
}
