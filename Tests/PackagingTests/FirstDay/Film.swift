import Foundation
import PipTestSupport

/// The frames of a movie, a recorded stream or a picture, decoded by FFmpeg.
struct Film {
    let count: Int
    private let bytes: [UInt8]
    private static let bytesOfPicture = Spot.width * Spot.height * 3

    init(_ path: String) async throws {
        let folder = try TemporaryFolder()
        let decoded = try await Tool([
            "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-i", path, "-fps_mode", "passthrough", "-vf",
            "scale=\(Spot.width):\(Spot.height),format=rgb24", "-f", "rawvideo", folder.path("rgb"),
        ])
        guard decoded.status == 0 else { throw FirstDayFailure("\(path): \(decoded.said)") }
        bytes = try folder.read("rgb")
        count = bytes.count / Self.bytesOfPicture
        guard count > 0 else { throw FirstDayFailure("\(path) has no picture") }
    }

    /// The colour of a spot in the last frame.
    func last(_ spot: Spot) -> Shade {
        let start = (count - 1) * Self.bytesOfPicture + (spot.y * Spot.width + spot.x) * 3
        return Shade(bytes[start..<start + 3].map { Double($0) / 255 })
    }
}

/// Sampled spots of the picture.
///
/// Two spots lie in the insets, which are a quarter of the picture wide and 24 pixels from the picture's edges. The
/// spots avoid the lines of a slate.
enum Spot {
    case centre, topRight, bottomLeft

    static let (width, height) = (320, 180)

    var x: Int { [.centre: 160, .topRight: 224, .bottomLeft: 32][self] ?? 0 }
    var y: Int { [.centre: 90, .topRight: 40, .bottomLeft: 127][self] ?? 0 }
}
