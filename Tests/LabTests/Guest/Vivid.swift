import PipCompose

/// vivid, the kernel's driver of virtual test cameras.
enum Vivid {
    /// Loads the driver with `count` webcams, which are `/dev/video0` and the following nodes.
    static func withWebcams<R>(
        _ count: Int = 2, isMultiPlanar: Bool = false, _ body: ([VideoNode]) async throws -> R
    ) async throws -> R {
        func forEach(_ value: String) -> String { Array(repeating: value, count: count).joined(separator: ",") }
        let parameters = [
            "n_devs=\(count)", "node_types=\(forEach("0x1"))", "input_types=\(forEach("0x0"))",
            "multiplanar=\(forEach(isMultiPlanar ? "2" : "1"))",
        ]
        return try await withModule("vivid", parameters) {
            let nodes = try (0..<count).map { try VideoNode("/dev/video\($0)") }
            for node in nodes {
                // These settings remove the text from the pictures, and put timestamps into the past, as in real
                // cameras.
                try node.set("osd_text_mode", to: 2)
                try node.set("timestamp_source", to: 1)
            }
            return try await body(nodes)
        }
    }

    /// vivid's test patterns, numbered as in vivid's menu.
    enum Pattern: Int {
        case bars75 = 0
        case bars100 = 1
        case white = 6
        case red = 7
        case green = 8
        case blue = 9
    }
}

extension VideoNode {
    func set(_ pattern: Vivid.Pattern) throws { try set("test_pattern", to: pattern.rawValue) }

    /// A source node for this camera with a requested mode.
    func source(
        _ size: PixelSize = .hd720, _ rate: FrameRate = FrameRate(30), format: String? = nil
    ) -> CameraSource {
        CameraSource(
            .path(path), wish: CameraWish(size: size, frameRate: rate, format: format.map { FourCC($0) }))
    }
}
