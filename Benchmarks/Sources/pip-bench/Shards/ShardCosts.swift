/// The costs of a composition that is made in parts, as they were measured; times of a machine for each part.
struct ShardCosts: Codable, Sendable, Equatable {
    /// A part of one frame, at the beginning of its files.
    var startSeconds: Double
    /// What it takes longer when it begins further on, on average.
    var seekSeconds: Double
    var secondsPerFrame: Double

    /// What a part reads before its first frame: the program, the files' indices, the way from the key frame.
    var readBytesPerPart: Double
    var readBytesPerFrame: Double
    var writtenBytesPerFrame: Double
    /// The size of the joined file.
    var fileBytesPerFrame: Double

    /// `join` of nothing.
    var joinStartSeconds: Double
    var joinSecondsPerPart: Double
    var joinSecondsPerByte: Double
    /// What `join` reads and writes, over the size of its file.
    var joinBytesPerByte: Double
}
