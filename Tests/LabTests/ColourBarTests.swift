import PipCompose
import Testing

extension CameraLab {
    @Suite("Colour bars")
    struct ColourBarTests {
        /// A camera's Y'CbCr matrix and range, which are set through vivid's menus.
        struct Coding: Sendable, CustomTestStringConvertible {
            var matrix: ColorMatrixStandard
            var range: QuantizationRange

            static let all = [ColorMatrixStandard.bt601, .bt709].flatMap { matrix in
                [QuantizationRange.limited, .full].map { Coding(matrix: matrix, range: $0) }
            }
            /// The coding with the other matrix and the other range.
            var opposite: Coding {
                Coding(matrix: matrix == .bt601 ? .bt709 : .bt601, range: range == .full ? .limited : .full)
            }
            var testDescription: String { "\(matrix) \(range)" }

            func set(on node: VideoNode) throws {
                // The colour space is always the same, so that only the matrix and the range differ.
                try node.set("colorspace", to: 1)
                try node.set("y_cbcr_encoding", to: matrix == .bt601 ? 1 : 2)
                try node.set("quantization", to: range == .full ? 1 : 2)
            }

            /// True if samples are within 2 of the correct samples for a colour that the camera sent in this coding.
            ///
            /// The driver rounds, so each code that it sent may be off by one.
            func allows(_ samples: [UInt8], of colour: Colour, in frame: Frame) -> Bool {
                let colorimetry = Colorimetry(matrix: matrix, range: range)
                let exact = colour.yuv(colorimetry).map { min(max($0.rounded(), 0), 255) }
                return (0..<27).contains { choice in
                    let offsets = [choice % 3 - 1, choice / 3 % 3 - 1, choice / 9 - 1]
                    let sent = zip(exact, offsets).map { min(max($0 + Double($1), 0), 255) }
                    let shown = Colour(yuv: sent, colorimetry).samples(frame.layout.format, frame.info.colorimetry)
                    return zip(samples, shown).allSatisfy { abs(Double($0) - $1) <= 2 }
                }
            }
        }

        @Test(
            "are what the standard says, in the main picture and in an inset of the opposite coding",
            arguments: Coding.all, [PixelFormat.nv12, .rgba])
        func bars(coding: Coding, output: PixelFormat) async throws {
            try await Vivid.withWebcams { nodes in
                try coding.set(on: nodes[0])
                try coding.opposite.set(on: nodes[1])
                try nodes[0].set(.bars75)
                try nodes[1].set(.bars100)
                let frame = try #require(try await lastFrame(nodes, output))
                for (index, bar) in Self.bars.enumerated() {
                    let main = frame.samples(x: 80 * index + 40, y: 300)
                    let inset = frame.samples(x: 400 + 20 * index + 10, y: 60)
                    #expect(coding.allows(main, of: bar(191.0 / 255), in: frame), "bar \(index) of the main picture")
                    #expect(coding.opposite.allows(inset, of: bar(1), in: frame), "bar \(index) of the inset")
                }
            }
        }

        /// Colours of a camera that must be converted for a BT.709 display, as numbers in vivid's menus.
        struct WideColours: Sendable, CustomTestStringConvertible {
            let name: String
            let space: Int
            let transfer: Int
            /// The tolerance for the bars, in 1/255.
            ///
            /// vivid's white in PQ is 10,000 cd/m², which a tone curve maps to nearly the same value as 5,000 cd/m².
            let tolerance: Double

            var testDescription: String { name }
        }

        @Test(
            "C10: of wide colours and high dynamic range are shown as what they mean",
            arguments: [
                WideColours(name: "BT.2020", space: 4, transfer: 1, tolerance: 14),
                WideColours(name: "P3", space: 5, transfer: 2, tolerance: 14),
                WideColours(name: "BT.2020 PQ", space: 4, transfer: 7, tolerance: 40),
            ])
        func wide(colours: WideColours) async throws {
            try await Vivid.withWebcams { nodes in
                try nodes[0].set("colorspace", to: colours.space)
                try nodes[0].set("transfer_function", to: colours.transfer)
                try nodes[0].set(.bars100)
                let frame = try #require(try await lastFrame(nodes, .rgba))
                for (index, bar) in Self.bars.enumerated() {
                    let shown = frame.samples(x: 80 * index + 40, y: 300)
                    let wanted = bar(1).samples(.rgba, .srgb)
                    for (part, value) in zip(shown, wanted).prefix(3) {
                        #expect(abs(Double(part) - value) < colours.tolerance, "bar \(index): \(shown), not \(wanted)")
                    }
                }
            }
        }

        @Test(
            "C10: the driver converts to the colour space that it is asked for, and it is shown as what it means",
            arguments: [
                (CameraColorSpace.bt709, "Rec. 709", 14.0), (.p3, "DCI-P3", 14), (.bt2020, "BT.2020", 14),
                (.pq, "SMPTE 2084", 40),
            ])
        func converted(space: CameraColorSpace, name: String, tolerance: Double) async throws {
            try await Vivid.withWebcams { nodes in
                try nodes[0].set("colorspace", to: 2)
                try nodes[0].set(.bars100)
                let wish = CameraWish(size: PixelSize(640, 360), format: FourCC("YUYV"), colorSpace: space)
                let source = CameraSource(.path(nodes[0].path), wish: wish)
                let tap = FrameTap(.rgba, buffering: .newest(4))
                source --> tap
                var last: Frame?
                _ = try await SessionRun.watching(source, tap, frames: 6) { _, frame, _ in last = frame }
                let driver = try runProgram(["v4l2-ctl", "-d", nodes[0].path, "--get-fmt-video"])
                #expect(driver.contains(name), "\(driver)")
                let frame = try #require(last)
                for (index, bar) in Self.bars.enumerated() {
                    let shown = frame.samples(x: 80 * index + 40, y: 300)
                    for (part, value) in zip(shown, bar(1).samples(.rgba, .srgb)).prefix(3) {
                        #expect(abs(Double(part) - value) < tolerance, "bar \(index): \(shown)")
                    }
                }
            }
        }

        /// The bars from left to right, as functions of the level of their components.
        ///
        /// Source: SMPTE EG 1. vivid's level of 75 % is 191 of 255.
        private static let bars: [@Sendable (Double) -> Colour] = [
            { Colour(red: $0, green: $0, blue: $0) }, { Colour(red: $0, green: $0, blue: 0) },
            { Colour(red: 0, green: $0, blue: $0) }, { Colour(red: 0, green: $0, blue: 0) },
            { Colour(red: $0, green: 0, blue: $0) }, { Colour(red: $0, green: 0, blue: 0) },
            { Colour(red: 0, green: 0, blue: $0) }, { _ in .black },
        ]

        private func lastFrame(_ nodes: [VideoNode], _ output: PixelFormat) async throws -> Frame? {
            let sources = nodes.map { $0.source(PixelSize(640, 360), format: "YUYV") }
            let picture = Compositor {
                Layer(sources[0])
                Layer(sources[1]).placed(x: 400, y: 20, width: 160)
            }
            let tap = FrameTap(output, buffering: .newest(4))
            picture --> tap
            var last: Frame?
            _ = try await SessionRun.watching(picture, tap, frames: 6) { _, frame, _ in last = frame }
            return last
        }
    }
}
