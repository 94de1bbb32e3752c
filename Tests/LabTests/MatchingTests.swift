import PipCompose
import Testing

extension CameraLab {
    @Suite("USB cameras that are made to look alike")
    struct MatchingTests {
        private static let names = [
            "auto_exposure", "exposure_time_absolute", "white_balance_automatic", "white_balance_temperature",
        ]

        @Test(
            "keep what they have settled on, or what the main one has, until the session ends",
            arguments: [(CameraMatching.lock, [312, 5200]), (.copy, [156, 4000])])
        func matches(matching: CameraMatching, inset: [Int]) async throws {
            let pictures = try Pictures()
            let file = try pictures.file("red.mjpeg", try await pictures.plain(.red))
            try await USBCamera.withCameras([file, file], settled: [(156, 4000), (312, 5200)]) { cameras in
                let nodes = try cameras.map { try VideoNode($0.path) }
                let picture = Compositor {
                    Layer(cameras[0].source())
                    Layer(cameras[1].source()).placed(.topRight, width: 0.25)
                }
                let tap = FrameTap(.nv12, buffering: .newest(4))
                picture --> tap
                var options = SessionOptions.ungoverned
                options.cameraMatching = matching
                var during: [[Int?]] = []
                _ = try await SessionRun.watching(picture, tap, frames: 90, options: options) { number, _, _ in
                    if number == 80 { during = try nodes.map(Self.settings) }
                }
                #expect(during == [[1, 156, 0, 4000], [1, inset[0], 0, inset[1]]])
                // After the run, the cameras are automatic again, as the next program expects.
                for node in nodes {
                    let after = try Self.settings(of: node)
                    #expect([after[0], after[2]] == [3, 1], "\(after)")
                }
            }
        }

        private static func settings(of node: VideoNode) throws -> [Int?] {
            let values = try node.values()
            return names.map { values[$0] }
        }
    }
}
