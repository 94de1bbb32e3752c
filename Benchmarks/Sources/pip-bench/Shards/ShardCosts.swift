/// The measured costs of a composition in parts, where each part has a machine of its own.
struct ShardCosts: Codable, Sendable, Equatable {
    /// The time of a part of one frame at the beginning of its files.
    var startSeconds: Double
    /// The average additional time of a part that begins further on.
    var seekSeconds: Double
    var secondsPerFrame: Double

    /// The bytes that a part reads before its first frame: the program, the files' indices, and the frames since the
    /// key frame.
    var readBytesPerPart: Double
    var readBytesPerFrame: Double
    var writtenBytesPerFrame: Double
    /// The bytes of the joined file for each frame.
    var fileBytesPerFrame: Double

    /// The time of `join` without parts.
    var joinStartSeconds: Double
    var joinSecondsPerPart: Double
    var joinSecondsPerByte: Double
    /// The bytes that `join` reads and writes, over the size of its file.
    var joinBytesPerByte: Double
}
