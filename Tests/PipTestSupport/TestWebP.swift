import Foundation

/// WebP pictures for tests, made by Pillow with `lossless=True, exact=True` where nothing else is said.
package enum TestWebP {
    /// Three pictures, 4 x 2, of (200, 100, 50, 128), with durations of 40, 250 and 0 ms.
    ///
    /// The last two have (10, 20, 30, 255) at (1, 1), and the last one (0, 0, 0, 0) at (0, 0). Each stores only the
    /// differences from the one before.
    package static let animation = bytes(
        "UklGRrgAAABXRUJQVlA4WAoAAAASAAAAAwAAAQAAQU5JTQYAAAAAAAAAAABBTk1GKgAAAAAAAAAAAAMAAAEAACgAAAJWUDhMEQAAAC8DQAAQ"
            + "B1CyIlemgIGI6H8AAEFOTUYsAAAAAAAAAAAAAQAAAQAA+gAAAFZQOEwTAAAALwFAABAPMBSjMB7zH/AYgYj+hwBBTk1GJgAAAAAAAAAA"
            + "AAAAAAAAAAAAAAJWUDhMDQAAAC8AAAAQBxAREYiI/gcA")
    /// A picture of 2 x 1: (200, 100, 50, 128), (9, 8, 7, 0), to be turned by 90° (EXIF 6).
    package static let still = bytes(
        "UklGRlYAAABXRUJQVlA4WAoAAAAYAAAAAQAAAAAAVlA4TBUAAAAvAQAAEA9wBK4n/P5gZQADHhnR/wAARVhJRhoAAABNTQAqAAAACAABARIA"
            + "AwAAAAEABgAAAAAAAAA=")
    /// A picture of 9 x 7 pixels of (200, 100, 50), made with `quality=90`.
    package static let lossy = bytes(
        "UklGRj4AAABXRUJQVlA4IDIAAADQAQCdASoJAAcAAMASJaACdLoB+AADsAD+2ib/7vN+09e09f1M//jKnyA/4yp/xcwAAA==")

    private static func bytes(_ base64: String) -> [UInt8] { Data(base64Encoded: base64).map { [UInt8]($0) } ?? [] }
}
