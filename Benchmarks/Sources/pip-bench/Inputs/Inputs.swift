import Foundation

/// The input files of all programs: a different moving scene for each source, drawn by pip-compose's `pattern:scene`.
///
/// Each scene and pixel format has one file with all frames, which pip-compose, FFmpeg and OpenCV read in a loop, and
/// one file for each frame, which GStreamer reads in a loop.
struct Inputs: Sendable {
    let folder: String
    let size: FrameSize

    /// The number of frames of an input: 30 MB for each source, which exceeds most caches, but from 4 to 60 frames.
    var frames: Int { min(max(30_000_000 / PixelLayout.i420.bytes(size), 4), 60) }

    func path(_ source: Int, _ layout: PixelLayout) -> String { "\(folder)/\(size.name)/\(source).\(layout.rawValue)" }

    /// The pattern of the names of the files that contain one frame each.
    func framePattern(_ source: Int, _ layout: PixelLayout) -> String {
        "\(folder)/\(size.name)/\(source)-\(layout.rawValue)/%02d.raw"
    }

    /// The pattern of the names of the files that contain one composed frame each.
    func composedPattern(_ layout: PixelLayout) -> String {
        "\(folder)/\(size.name)/composed-\(layout.rawValue)/%02d.raw"
    }

    /// The path of a source's Motion JPEG movie.
    func movie(_ source: Int) -> String { "\(folder)/\(size.name)/\(source).mkv" }

    /// The pattern of the names of the JPEG pictures in ``movie(_:)``.
    func jpegPattern(_ source: Int) -> String { "\(folder)/\(size.name)/\(source)-jpeg/%02d.jpg" }

    /// The path of a map of sampling positions for FFmpeg's `remap`, with 16 bits for each pixel.
    func map(_ axis: SwirlMap.Axis, _ size: FrameSize) -> String {
        "\(folder)/\(self.size.name)/swirl-\(size.name)-\(axis.rawValue).pgm"
    }

    /// The path of the mask with rounded corners, of the size of the rotated inset, with one byte for each pixel.
    var mask: String { "\(folder)/\(size.name)/mask.gray" }

    /// Writes the mask and the maps, and draws the scenes whose files are missing or incomplete.
    ///
    /// - Parameters:
    ///   - sources: The number of scenes.
    ///   - layouts: The pixel formats of the files.
    ///   - program: The path of pip-compose.
    /// - Throws: ``CommandError`` when pip-compose cannot draw the scenes, or Foundation's error for the files.
    func generate(sources: Int, layouts: Set<PixelLayout>, with program: String) throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/\(size.name)", withIntermediateDirectories: true)
        let corners = CornerMask(width: size.height / 4, height: size.width / 4)
        try Data(corners.bytes).write(to: URL(fileURLWithPath: mask))
        for picture in [size, Geometry(size: size).inset] {
            for axis in SwirlMap.Axis.allCases {
                try SwirlMap(size: picture).file(axis).write(to: URL(fileURLWithPath: map(axis, picture)))
            }
        }
        for source in 0..<sources {
            for layout in layouts.sorted(by: { $0.rawValue < $1.rawValue }) where !isComplete(source, layout) {
                try draw(source, layout == .rgba ? .rgba : .i420, with: program)
                try split(source, layout)
            }
        }
    }

    /// Records each scene as a Motion JPEG movie and extracts the movie's pictures, unless the movie exists.
    ///
    /// FFmpeg extracts the pictures; without FFmpeg, no pictures are extracted.
    func generateMovies(sources: Int, with program: String) throws {
        try generate(sources: sources, layouts: [.i420], with: program)
        for source in 0..<sources where size(of: movie(source)) == nil {
            try ChildProcess.measure(
                Command([
                    program, "--main", "\(path(source, .i420))?size=\(size)&fps=30", "--layout", "main-only", "--fps",
                    "max", "--output", "\(movie(source))?codec=mjpeg&quality=90", "--quiet",
                ]))
            let folder = URL(fileURLWithPath: jpegPattern(source)).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            _ = try? ChildProcess.measure(
                Command([
                    "ffmpeg", "-nostdin", "-loglevel", "error", "-i", movie(source), "-c", "copy", "-start_number", "0",
                    jpegPattern(source),
                ]))
        }
    }

    /// Writes the frames of a composition into files of one frame each, unless the files exist.
    ///
    /// - Throws: ``CommandError`` when pip-compose cannot compose, or Foundation's error for the files.
    func generateComposed(by compose: PipCompose) throws {
        for layout in PixelLayout.measured {
            let pattern = composedPattern(layout)
            if size(of: Self.name(pattern, frames - 1)) == layout.bytes(size) { continue }
            let folder = URL(fileURLWithPath: pattern).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let all = folder.appendingPathExtension(layout.rawValue)
            try ChildProcess.measure(compose.command(layout, frames: frames, into: all.path))
            let bytes = try Data(contentsOf: all)
            guard bytes.count == frames * layout.bytes(size) else {
                throw CommandError(
                    command: compose.command(layout, frames: frames, into: all.path),
                    reason: "it wrote \(bytes.count) bytes, but \(frames) frames have \(frames * layout.bytes(size))")
            }
            try FileManager.default.removeItem(at: all)
            for index in 0..<frames {
                let frame = bytes[index * layout.bytes(size)..<(index + 1) * layout.bytes(size)]
                try frame.write(to: URL(fileURLWithPath: Self.name(pattern, index)))
            }
        }
    }

    /// Draws a scene into a file, unless a complete file exists.
    private func draw(_ source: Int, _ layout: PixelLayout, with program: String) throws {
        if size(of: path(source, layout)) == frames * layout.bytes(size) { return }
        try ChildProcess.measure(
            Command([
                program, "--main", "pattern:scene?size=\(size)&fps=30&seed=\(source)&format=i420", "--layout",
                "main-only", "--fps", "max", "--frames", "\(frames)", "--output", path(source, layout), "--quiet",
            ]))
    }

    /// Writes the files of a pixel format: one file for each frame and, unless pip-compose drew it, one with all
    /// frames.
    ///
    /// Pixel formats other than I420 and RGBA are converted from I420.
    private func split(_ source: Int, _ layout: PixelLayout) throws {
        let drawn = layout == .rgba ? PixelLayout.rgba : .i420
        let all = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(source, drawn))))
        let pattern = framePattern(source, layout)
        let parent = URL(fileURLWithPath: pattern).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        var together = Data()
        for index in 0..<frames {
            let frame = all[index * drawn.bytes(size)..<(index + 1) * drawn.bytes(size)]
            let bytes = Data(Repacking.repack(frame, size, to: layout) ?? Array(frame))
            try bytes.write(to: URL(fileURLWithPath: Self.name(pattern, index)))
            if layout != drawn { together += bytes }
        }
        if layout != drawn { try together.write(to: URL(fileURLWithPath: path(source, layout))) }
    }

    private func isComplete(_ source: Int, _ layout: PixelLayout) -> Bool {
        size(of: path(source, layout)) == frames * layout.bytes(size)
            && size(of: Self.name(framePattern(source, layout), frames - 1)) == layout.bytes(size)
    }

    private func size(of path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int
    }

    private static func name(_ pattern: String, _ index: Int) -> String {
        pattern.replacingOccurrences(of: "%02d", with: index < 10 ? "0\(index)" : "\(index)")
    }
}
