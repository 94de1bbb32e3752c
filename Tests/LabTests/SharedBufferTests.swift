import PipCompose
import PipTestSupport
import Testing

extension CameraLab {
    /// Tests with a render node, through which Mesa's software renderer imports dma-bufs like a GPU's driver.
    @Suite("Cameras' memory as textures")
    struct SharedBufferTests {
        private static let size = PixelSize(320, 180)

        @Test(
            "gives the pixels that copies give",
            arguments: [PixelFormat.nv12, .nv16, .yuyv, .gray, .bgra])
        func contiguous(format: PixelFormat) async throws {
            try await withModule("vgem") {
                try await Vivid.withWebcams { try await expectEqual($0, format.fourCC.description) }
            }
        }

        @Test("gives them with a dma-buf for each plane, too", arguments: ["NM12"])
        func separate(format: String) async throws {
            try await withModule("vgem") {
                try await Vivid.withWebcams(isMultiPlanar: true) { try await expectEqual($0, format) }
            }
        }

        @Test("is not used where it has several strides: then it is copied")
        func severalStrides() async throws {
            try await withModule("vgem") {
                try await Vivid.withWebcams { nodes in
                    try set(nodes)
                    let run = try await compose(nodes, "YU12", .always).run
                    #expect(run.statistics.output.sharedPlanes == 0 && run.statistics.output.frames > 0)
                }
            }
        }

        @Test("is let go of with a camera that is unplugged, and taken again with one that is back")
        func returning() async throws {
            try await withModule("vgem") {
                try await Vivid.withWebcams { nodes in
                    try set(nodes)
                    var before = 0
                    let picture = Self.picture(nodes, "NV12")
                    let tap = FrameTap(.rgba, buffering: .newest(4))
                    picture --> tap
                    let run = try await SessionRun.watching(
                        picture, tap, frames: 150, options: Self.options(.always)
                    ) {
                        number, _, session in
                        // The driver plugs the camera in again as soon as all programs have closed its node.
                        if number == 20 { try nodes[1].set("disconnect") }
                        if number == 100 { before = session.statistics.output.sharedPlanes }
                    }
                    #expect(run.cameraEvents.contains { if case .reopened = $0.event { true } else { false } })
                    #expect(run.statistics.output.sharedPlanes > before, "the one that is back is shared again")
                }
            }
        }

        /// Expects that the last frame is the same with shared and with copied buffers.
        private func expectEqual(_ nodes: [VideoNode], _ format: String) async throws {
            try set(nodes)
            let shared = try await compose(nodes, format, .always)
            let copied = try await compose(nodes, format, .never)
            #expect(shared.run.statistics.output.sharedPlanes >= 2 * shared.run.statistics.output.frames)
            #expect(copied.run.statistics.output.sharedPlanes == 0)
            for plane in 0..<2 {
                let (one, other) = (
                    PlaneSamples(try #require(shared.last), plane), PlaneSamples(try #require(copied.last), plane)
                )
                #expect(one.differences(from: other) == 0, "\(format), plane \(plane)")
            }
        }

        /// Sets still pictures with many edges, so that misplaced pixels show.
        private func set(_ nodes: [VideoNode]) throws {
            try nodes[0].set(.bars100)
            try nodes[1].set(.bars75)
            for node in nodes {
                try node.set("alpha_component", to: 255)
                try node.set("show_border")
                try node.set("show_square")
            }
        }

        /// Options for drawing with OpenGL ES, which alone can share buffers.
        private static func options(_ sharing: BufferSharing) -> SessionOptions {
            var options = SessionOptions.ungoverned
            options.renderer = .gl
            options.bufferSharing = sharing
            return options
        }

        private static func picture(_ nodes: [VideoNode], _ format: String) -> Compositor {
            let rate = FrameRate(30)
            return Compositor {
                Layer(nodes[0].source(size, rate, format: format) --> Vignette(strength: 0.5))
                Layer(nodes[1].source(size, rate, format: format) --> Sepia()).placed(x: 201, y: 21, width: 81)
            }
        }

        private func compose(
            _ nodes: [VideoNode], _ format: String, _ sharing: BufferSharing
        ) async throws -> (run: SessionRun, last: Frame?) {
            let picture = Self.picture(nodes, format)
            let tap = FrameTap(.nv12, buffering: .newest(4))
            picture --> tap
            var last: Frame?
            let run = try await SessionRun.watching(picture, tap, frames: 6, options: Self.options(sharing)) {
                _, frame, _ in
                last = frame
            }
            #expect(!run.events.contains { if case .sharingRefused = $0 { true } else { false } })
            return (run, last)
        }
    }
}
