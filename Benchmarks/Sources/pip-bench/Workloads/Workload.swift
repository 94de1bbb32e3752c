import Foundation

/// A composition to be drawn, with the programs that can draw it.
struct Workload: Sendable {
    /// The name of the workload, such as `W1`.
    var id: String
    var title: String
    var sources = 2
    /// The pixel format of the inputs; nil if it is the output's.
    var input: PixelLayout?
    var ours: PipCompose
    /// The names of effects without which the workload is not run.
    var needs: [String] = []
    var peers: [Contender]
    /// The programs that cannot perform the workload, with reasons.
    var absent: [Absentee] = []
    /// True when the sources are Motion JPEG movies, or the same pictures as JPEG files.
    var isMotionJPEG = false
    /// The colour steps of the lookup table that is written to ``cube(_:_:)`` before the run; empty for no table.
    var cube: [ColorStep] = []

    /// The pixel formats in which input files of raw frames are generated.
    var layouts: Set<PixelLayout> {
        if let input { return [input] }
        let isRGBA = peers.contains { $0.name == Name.glRGBA }
        return isRGBA ? [.i420, .nv12, .rgba] : [.i420, .nv12]
    }

    /// The least numbers of bytes of raw frames that a program reads (all sources) and writes (the picture) for each
    /// frame.
    func leastBytes(_ size: FrameSize) -> (read: Int, written: Int) {
        ((input ?? .nv12).bytes(size) * sources, PixelLayout.nv12.bytes(size))
    }

    /// Writes the input files that are missing, and the lookup table if there is one.
    ///
    /// - Parameter layouts: The pixel formats of the files of raw frames.
    /// - Throws: ``CommandError`` when pip-compose cannot draw the scenes, or Foundation's error for the files.
    func writeInputs(_ layouts: Set<PixelLayout>) throws {
        let site = ours.site
        try site.inputs.generate(sources: sources, layouts: layouts, with: site.pipCompose)
        if ours.recording != nil { try site.inputs.generateComposed(by: PipCompose(site: site)) }
        if isMotionJPEG { try site.inputs.generateMovies(sources: sources, with: site.pipCompose) }
        if !cube.isEmpty {
            try ColorCube.text(cube).write(toFile: Self.cube(id, site), atomically: true, encoding: .utf8)
        }
    }

    /// The path of a workload's colour lookup table.
    static func cube(_ id: String, _ site: Site) -> String { "\(site.inputs.folder)/\(id).cube" }
}

/// The positions of pictures on the canvas, in pixels.
struct Geometry: Sendable {
    let size: FrameSize
    let margin = 24

    /// The size of the inset: a quarter of the canvas's width and height.
    var inset: FrameSize { FrameSize(width: size.width / 4, height: size.height / 4) }
    /// The inset's left edge.
    var left: Int { size.width - inset.width - margin }
    /// The left edge of the inset after a rotation by 90°.
    var turnedLeft: Int { size.width - inset.height - margin }
}
