/// The measured costs of a composition in parts, where each part is composed on its own machine.
struct ShardCosts: Codable, Sendable, Equatable {
    /// The time for a part of one or two frames at the beginning of the files.
    var startSeconds: Double
    /// The average additional time for a part that begins later in the files.
    var seekSeconds: Double
    var secondsPerFrame: Double

    /// The number of bytes that a part reads before its first frame.
    ///
    /// These are the program, the indices of the files, and the frames since the last key frame.
    var readBytesPerPart: Double
    var readBytesPerFrame: Double
    var writtenBytesPerFrame: Double
    /// The size of the file that is composed in one go, divided by the number of its frames.
    var fileBytesPerFrame: Double

    /// The fixed time of `join`, which depends neither on the number of parts nor on their size.
    var joinStartSeconds: Double
    var joinSecondsPerPart: Double
    var joinSecondsPerByte: Double
    /// The number of bytes that `join` reads and writes for each byte of its file.
    var joinBytesPerByte: Double
}
