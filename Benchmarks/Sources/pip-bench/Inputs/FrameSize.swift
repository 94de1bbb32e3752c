/// The width and height of a picture, in pixels.
struct FrameSize: Sendable, Hashable, Codable, CustomStringConvertible {
    var width: Int
    var height: Int

    static let hd720 = FrameSize(width: 1280, height: 720)
    static let hd1080 = FrameSize(width: 1920, height: 1080)

    var pixels: Int { width * height }
    var description: String { "\(width)x\(height)" }

    /// The usual name of a 16:9 size, such as `720p`.
    var name: String { "\(height)p" }

    /// Parses a height such as `720p` as a 16:9 size.
    ///
    /// Nil for a height below 90, for a height that is not a multiple of 18, and for any other text.
    init?(name: String) {
        guard name.hasSuffix("p"), let height = Int(name.dropLast()), height >= 90, height.isMultiple(of: 18) else {
            return nil
        }
        self.init(height: height)
    }

    /// Creates a 16:9 size from its height.
    init(height: Int) { self.init(width: height / 9 * 16, height: height) }

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// The pixel format of raw frames in memory.
enum PixelLayout: String, CaseIterable, Sendable, Codable {
    case i420
    case nv12
    case yuyv
    case rgba

    func bytes(_ size: FrameSize) -> Int {
        switch self {
        case .i420, .nv12: size.pixels * 3 / 2
        case .yuyv: size.pixels * 2
        case .rgba: size.pixels * 4
        }
    }

    /// FFmpeg's name of the pixel format.
    var ffmpeg: String {
        switch self {
        case .i420: "yuv420p"
        case .nv12: "nv12"
        case .yuyv: "yuyv422"
        case .rgba: "rgba"
        }
    }

    /// The name of the pixel format in GStreamer's caps.
    var gstreamer: String { self == .yuyv ? "YUY2" : rawValue.uppercased() }

    /// The name of the pixel format in GStreamer's `rawvideoparse`.
    var parser: String { gstreamer.lowercased() }
}

extension PixelLayout {
    /// The pixel formats in which pip-compose is measured.
    static let measured: [PixelLayout] = [.nv12, .i420]
}
