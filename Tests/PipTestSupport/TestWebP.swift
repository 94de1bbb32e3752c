import Foundation

/// WebP pictures for tests.
///
/// Unless a comment says otherwise, Pillow encoded the pictures with `lossless=True, exact=True`.
package enum TestWebP {
    /// Three frames of 4×2 pixels, with durations of 40, 250 and 0 ms.
    ///
    /// The pixels are (200, 100, 50, 128). The last two frames have (10, 20, 30, 255) at (1, 1), and the last one also
    /// (0, 0, 0, 0) at (0, 0). Each frame stores only the differences from the frame before.
    package static let animation = bytes(
        "UklGRrgAAABXRUJQVlA4WAoAAAASAAAAAwAAAQAAQU5JTQYAAAAAAAAAAABBTk1GKgAAAAAAAAAAAAMAAAEAACgAAAJWUDhMEQAAAC8DQAAQ"
            + "B1CyIlemgIGI6H8AAEFOTUYsAAAAAAAAAAAAAQAAAQAA+gAAAFZQOEwTAAAALwFAABAPMBSjMB7zH/AYgYj+hwBBTk1GJgAAAAAAAAAA"
            + "AAAAAAAAAAAAAAJWUDhMDQAAAC8AAAAQBxAREYiI/gcA")
    /// A picture of 2×1 pixels, (200, 100, 50, 128) and (9, 8, 7, 0), with the EXIF orientation 6 (turn by 90°).
    package static let still = bytes(
        "UklGRlYAAABXRUJQVlA4WAoAAAAYAAAAAQAAAAAAVlA4TBUAAAAvAQAAEA9wBK4n/P5gZQADHhnR/wAARVhJRhoAAABNTQAqAAAACAABARIA"
            + "AwAAAAEABgAAAAAAAAA=")
    /// A lossy picture of 9×7 pixels of (200, 100, 50), made with `quality=90`.
    package static let lossy = bytes(
        "UklGRj4AAABXRUJQVlA4IDIAAADQAQCdASoJAAcAAMASJaACdLoB+AADsAD+2ib/7vN+09e09f1M//jKnyA/4yp/xcwAAA==")

    private static func bytes(_ base64: String) -> [UInt8] { Data(base64Encoded: base64).map { [UInt8]($0) } ?? [] }
}
