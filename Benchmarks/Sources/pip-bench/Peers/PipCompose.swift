/// Builds commands for pip-compose.
struct PipCompose: Sendable {
    var site: Site
    var sources = 2
    /// The pixel format of the inputs; nil if it is the output's.
    var input: PixelLayout?
    /// True when the sources are movies in place of raw frames.
    var readsMovies = false
    /// The options `--effect` and `--layout` with their values.
    var options: [String] = []
    /// The encoding of the composed picture; nil if the picture is discarded.
    var recording: Recording?

    /// pip-compose as two contenders: one writes NV12, and one I420.
    ///
    /// Each contender reads raw frames in the format that it writes, unless ``input`` names another format.
    var contenders: [Contender] { [contender(Name.oursNV12, .nv12), contender(Name.oursI420, .i420)] }

    private func contender(_ name: String, _ format: PixelLayout) -> Contender {
        Contender(
            name: name, program: site.pipCompose,
            ways: [Contender.Way(name: format.rawValue) { command(format, frames: $0) }])
    }

    /// The command that composes a number of frames.
    func command(_ format: PixelLayout, frames: Int) -> Command {
        Command([site.pipCompose] + picture(format) + output(format) + ["--frames", "\(frames)", "--quiet"])
    }

    /// The command that writes composed frames into a file, without encoding them.
    func command(_ format: PixelLayout, frames: Int, into path: String) -> Command {
        let output = ["--fps", "max", "--output", "\(path)?format=\(format.rawValue)"]
        return Command([site.pipCompose] + picture(format) + output + ["--frames", "\(frames)", "--quiet"])
    }

    /// The command that prints the plan as JSON, without composing.
    func explanation(_ format: PixelLayout) -> Command {
        Command([site.pipCompose, "explain", "--format", "json"] + picture(format) + output(format))
    }

    /// The command that writes one frame to standard output.
    var firstFrame: Command {
        Command([site.pipCompose] + picture(.i420) + ["--fps", "max", "--output", "-", "--frames", "1", "--quiet"])
    }

    private func output(_ format: PixelLayout) -> [String] {
        ["--fps", "max", "--output", recording?.output(format) ?? "null:?format=\(format.rawValue)"]
    }

    private func picture(_ format: PixelLayout) -> [String] {
        (0..<sources).flatMap { [$0 == 0 ? "--main" : "--inset", source($0, input ?? format)] } + options
    }

    private func source(_ source: Int, _ format: PixelLayout) -> String {
        if readsMovies { return "\(site.inputs.movie(source))?loop=on" }
        return "\(site.inputs.path(source, format))?size=\(site.size)&fps=30&loop=true"
    }
}
