/// A program that can do a workload, with the variants that an expert would try.
struct Contender: Sendable {
    var name: String
    /// The required program.
    var program: String
    /// The part of the workload that it omits; nil for none.
    var lacks: String?
    /// The candidate commands, the likeliest first; the cheapest takes part.
    var ways: [Way]

    /// A variant of the command.
    struct Way: Sendable {
        var name: String
        /// The command for a number of frames.
        var command: @Sendable (_ frames: Int) -> Command
    }
}

/// A program that takes no part, with the reason.
struct Absentee: Codable, Sendable, Equatable {
    var name: String
    var reason: String
}

/// The names of the contenders, as reports and thresholds use them.
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
}

/// The paths of programs and inputs.
struct Site: Sendable {
    /// The pip-compose to measure.
    var pipCompose: String
    /// The program made of `OpenCV/compose.cpp`.
    var openCV: String
    var inputs: Inputs

    var size: FrameSize { inputs.size }
}
