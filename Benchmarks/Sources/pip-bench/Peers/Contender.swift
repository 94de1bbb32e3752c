/// A program that can perform a workload, with the command variants that an expert would try.
struct Contender: Sendable {
    var name: String
    /// The program that must be installed.
    var program: String
    /// The part of the workload that the program omits; nil for none.
    var lacks: String?
    /// The variants of the command, the most promising first.
    ///
    /// The cheapest variant is measured.
    var ways: [Way]

    /// A variant of the contender's command, such as one with more threads.
    struct Way: Sendable {
        var name: String
        /// Makes the command that composes a number of frames.
        var command: @Sendable (_ frames: Int) -> Command
    }
}

/// A program that takes no part in a workload, with the reason.
struct Absentee: Codable, Sendable, Equatable {
    var name: String
    var reason: String
}

/// The names of the contenders in reports and thresholds.
enum Name {
    static let oursNV12 = "pip-compose NV12"
    static let oursI420 = "pip-compose I420"
    static let ours = [oursNV12, oursI420]
    static let ffmpeg = "FFmpeg"
    static let gstreamer = "GStreamer"
    static let gl = "GStreamer GL"
    static let glRGBA = "GStreamer GL RGBA"
    static let glConverted = "GStreamer GL, CPU converts"
    static let openCV = "OpenCV"
    /// The two halves of a recording, one after the other.
    static let apart = "composed, then encoded"
}

/// The paths of the programs and of the inputs.
struct Site: Sendable {
    /// The path of the pip-compose that is measured.
    var pipCompose: String
    /// The path of the program that `OpenCV/compose.cpp` is compiled to.
    var openCV: String
    var inputs: Inputs

    var size: FrameSize { inputs.size }
}
