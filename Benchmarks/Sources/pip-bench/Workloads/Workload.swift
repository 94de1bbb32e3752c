/// A composition to draw, with the programs that can draw it.
struct Workload: Sendable {
    /// The name: `W1`.
    var id: String
    var title: String
    var sources = 2
    /// The input's layout, where it differs from the output's.
    var input: PixelLayout?
    var ours: PipCompose
    /// The effects that pip-compose must have.
    var needs: [String] = []
    var peers: [Contender]
    /// The programs that cannot do the workload.
    var absent: [Absentee] = []
    /// True when the sources are movies in Motion JPEG, and the same pictures as files of JPEG.
    var isMotionJPEG = false
    /// The colour steps that are written to ``cube(_:)`` before the run; empty for none.
    var cube: [ColorStep] = []

    /// The layouts of files that its contenders read.
    var layouts: Set<PixelLayout> {
        if let input { return [input] }
        let isRGBA = peers.contains { $0.name == Name.glRGBA }
        return isRGBA ? [.i420, .nv12, .rgba] : [.i420, .nv12]
    }

    /// The bytes that a frame must read and write at least: all sources, and the picture.
    func leastBytes(_ size: FrameSize) -> (read: Int, written: Int) {
        ((input ?? .nv12).bytes(size) * sources, PixelLayout.nv12.bytes(size))
    }

    /// The file of a workload's table of colours.
    static func cube(_ id: String, _ site: Site) -> String { "\(site.inputs.folder)/\(id).cube" }
}

/// The places of pictures on the canvas.
struct Geometry: Sendable {
    let size: FrameSize
    let margin = 24

    /// A quarter of the width.
    var inset: FrameSize { FrameSize(width: size.width / 4, height: size.height / 4) }
    /// The inset's left edge.
    var left: Int { size.width - inset.width - margin }
    /// The left edge of the inset turned by 90°.
    var turnedLeft: Int { size.width - inset.height - margin }
}
