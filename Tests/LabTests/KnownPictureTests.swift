import PipCompose
import Testing

extension CameraLab {
    @Suite("A known picture that comes out of a camera")
    struct KnownPictureTests {
        private static let size = PixelSize.hd720
        /// The width of the camera's picture divided by the width of the inset.
        private static let scale = 4

        /// An orientation, and a function that returns the stored position of a pixel of the upright picture.
        struct Turn: Sendable, CustomTestStringConvertible {
            var orientation: Orientation
            var stored: @Sendable (_ x: Int, _ y: Int, _ size: PixelSize) -> (Int, Int)
            var testDescription: String { "\(orientation)" }

            static let all = [
                Turn(orientation: .identity) { x, y, _ in (x, y) },
                Turn(orientation: .mirrored) { x, y, size in (size.width - 1 - x, y) },
                // Clockwise: the left column of the stored picture becomes the top row.
                Turn(orientation: Orientation(quarterTurns: 1)) { x, y, size in (y, size.height - 1 - x) },
                Turn(orientation: Orientation(quarterTurns: 2)) { x, y, size in
                    (size.width - 1 - x, size.height - 1 - y)
                },
                Turn(orientation: Orientation(quarterTurns: 3)) { x, y, size in (size.width - 1 - y, x) },
            ]
        }

        @Test(
            "is the main picture byte for byte, and in the inset the mean of its samples, turned as the layout says",
            arguments: Turn.all)
        func picture(turn: Turn) async throws {
            let picture = randomPicture()
            let frame = try #require(try await compose(picture, turn.orientation))
            let upright = turn.orientation.size(of: Self.size)
            let inset = PixelRect(
                x: 40, y: 60, width: upright.width / Self.scale, height: upright.height / Self.scale)
            for plane in 0..<2 {
                let samples = PlaneSamples(frame, plane)
                let original = PlaneSamples(picture, Self.size, plane)
                #expect(samples.differences(from: original, outside: inset) == 0, "plane \(plane), main picture")
                let worst = samples.worstMean(of: original, in: inset, scale: Self.scale, turn.stored)
                #expect(worst <= 1, "plane \(plane), inset")
            }
        }

        /// Sends a picture through vivid's loop from output to input, and composes it.
        private func compose(_ picture: [UInt8], _ orientation: Orientation) async throws -> Frame? {
            let parameters = [
                "n_devs=1", "node_types=0x101", "num_inputs=1", "input_types=0x3", "num_outputs=1", "output_types=0x1",
            ]
            return try await withModule("vivid", parameters) {
                let node = try VideoNode("/dev/video0")
                try node.set("loop_video")
                try node.set("osd_text_mode", to: 2)
                let output = try VideoOutput("/dev/video1", Self.size, picture: picture)
                let result = await Result { try await self.lastFrame(node, orientation) }
                await output.stop()
                return try result.get()
            }
        }

        private func lastFrame(_ node: VideoNode, _ orientation: Orientation) async throws -> Frame? {
            let camera = CameraSource(
                .path(node.path), wish: CameraWish(size: Self.size, format: FourCC("NV12")))
            let width = orientation.size(of: Self.size).width / Self.scale
            let composition = Compositor {
                Layer(camera)
                Layer(camera).oriented(orientation).placed(x: 40, y: 60, width: width)
            }
            let tap = FrameTap(.nv12, buffering: .newest(4))
            composition --> tap
            var last: Frame?
            _ = try await SessionRun.watching(composition, tap, frames: 20) { _, frame, _ in last = frame }
            return last
        }

        /// A random NV12 picture, in which misplaced samples cannot look right by chance.
        private func randomPicture() -> [UInt8] {
            var state: UInt64 = 7
            return (0..<Self.size.area * 3 / 2).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // Video reserves the codes 0 and 255.
                return UInt8(1 + (state >> 40) % 254)
            }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
