import Foundation

/// The files that all programs read: two moving scenes of 60 frames, 1280×720, in NV12 and I420.
///
/// The same pictures lie there as one file a format, which pip-compose and FFmpeg loop, and as one file a frame, which GStreamer loops.
struct Inputs: Sendable {
    static let frames = 60
    static let width = 1280
    static let height = 720
    static let bytesPerFrame = width * height * 3 / 2

    enum Picture: String, CaseIterable, Sendable {
        case main
        case inset
    }

    enum Format: String, CaseIterable, Sendable {
        case nv12
        case i420

        /// As FFmpeg names it.
        var ffmpeg: String { self == .nv12 ? "nv12" : "yuv420p" }
        /// As GStreamer names it.
        var gstreamer: String { rawValue.uppercased() }
    }

    let folder: String

    func path(_ picture: Picture, _ format: Format) -> String { "\(folder)/\(picture.rawValue).\(format.rawValue)" }

    /// The pattern of the names of the files with one frame each.
    func framePattern(_ picture: Picture, _ format: Format) -> String {
        "\(folder)/\(picture.rawValue)-\(format.rawValue)/%02d.raw"
    }

    /// The mask of the workload with rounded corners.
    var mask: String { "\(folder)/mask.gray" }

    /// Makes what is not there yet, with pip-compose's own scenes.
    func generate(with program: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(CornerMask.bytes).write(to: URL(fileURLWithPath: mask))
        for (seed, picture) in Picture.allCases.enumerated() {
            for format in Format.allCases where !isComplete(picture, format) {
                let scene =
                    "pattern:scene?size=\(Self.width)x\(Self.height)&fps=30&seed=\(seed)&format=\(format.rawValue)"
                try ChildProcess.measure(
                    Command([
                        program, "--main", scene, "--layout", "main-only", "--fps", "max", "--frames", "\(Self.frames)",
                        "--output", path(picture, format), "--quiet",
                    ]))
                try split(picture, format)
            }
        }
    }

    private func isComplete(_ picture: Picture, _ format: Format) -> Bool {
        let bytes = try? FileManager.default.attributesOfItem(atPath: path(picture, format))[.size] as? Int
        let last = framePattern(picture, format).replacingOccurrences(of: "%02d", with: "\(Self.frames - 1)")
        return bytes == Self.frames * Self.bytesPerFrame && FileManager.default.fileExists(atPath: last)
    }

    private func split(_ picture: Picture, _ format: Format) throws {
        let all = try Data(contentsOf: URL(fileURLWithPath: path(picture, format)))
        let pattern = framePattern(picture, format)
        let parent = URL(fileURLWithPath: pattern).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        for index in 0..<Self.frames {
            let name = index < 10 ? "0\(index)" : "\(index)"
            let bytes = all[index * Self.bytesPerFrame..<(index + 1) * Self.bytesPerFrame]
            try bytes.write(to: URL(fileURLWithPath: pattern.replacingOccurrences(of: "%02d", with: name)))
        }
    }
}
