import PipCompose
import Testing

extension CameraLab {
    @Suite("Every pixel format")
    struct PixelFormatTests {
        private static let size = PixelSize(320, 180)
        /// The pixel formats with colour.
        ///
        /// Another test covers grey.
        private static let native = PixelFormat.allCases.filter { $0 != .gray }.map(\.fourCC.description)

        @Test("that the driver offers and we use as it is arrives with its colours", arguments: native)
        func contiguous(format: String) async throws {
            try await Vivid.withWebcams { try await expectColours(of: $0, format) }
        }

        @Test(
            "with a buffer for each plane arrives with its colours",
            arguments: ["NM12", "NM21", "NM16", "YM12", "YM21"])
        func separate(format: String) async throws {
            try await Vivid.withWebcams(isMultiPlanar: true) { try await expectColours(of: $0, format) }
        }

        @Test("that only the library converts arrives with its colours", arguments: ["BA81", "GRBG", "NV61"])
        func converted(format: String) async throws {
            try await Vivid.withWebcams { try await expectColours(of: $0, format, within: 8) }
        }

        @Test("grey arrives without colour, of however many bits", arguments: ["GREY", "Y10", "Y12", "Y16"])
        func grey(format: String) async throws {
            try await Vivid.withWebcams { nodes in
                try nodes[0].set(.white)
                try nodes[1].set(.red)
                let last = try await compose(nodes, format)
                #expect(last?.shows(Colour(red: 1, green: 1, blue: 1), x: 160, y: 150) == true)
                let inset = try #require(last?.samples(x: 260, y: 40))
                #expect(inset[0] == inset[1] && inset[1] == inset[2] && inset[0] < 160)
            }
        }

        private func expectColours(of nodes: [VideoNode], _ format: String, within tolerance: Double = 3) async throws {
            try nodes[0].set(.red)
            try nodes[1].set(.blue)
            // vivid's alpha is 0 by default.
            for node in nodes { try node.set("alpha_component", to: 255) }
            let last = try await compose(nodes, format)
            #expect(last?.shows(.red, x: 160, y: 150, within: tolerance) == true)
            #expect(last?.shows(.blue, x: 260, y: 40, within: tolerance) == true)
        }

        /// Composes both cameras for ten frames.
        ///
        /// - Returns: The last frame as RGBA.
        private func compose(_ nodes: [VideoNode], _ format: String) async throws -> Frame? {
            let rate = FrameRate(30)
            let picture = Compositor {
                Layer(nodes[0].source(Self.size, rate, format: format))
                Layer(nodes[1].source(Self.size, rate, format: format)).placed(x: 220, y: 20, width: 80)
            }
            let tap = FrameTap(.rgba, buffering: .newest(4))
            picture --> tap
            var last: Frame?
            let run = try await SessionRun.watching(picture, tap, frames: 10) { _, frame, _ in last = frame }
            for source in run.statistics.sources {
                #expect(source.format == format)
                run.expectAccounted(source)
            }
            #expect(run.cameraEvents.isEmpty)
            return last
        }
    }
}
