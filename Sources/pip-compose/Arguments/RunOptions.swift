import ArgumentParser
import PipCompose
import PipRig

/// The options of the run: its length, its start, its pace and its statistics.
struct RunOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Length of the output: 10s, 1m30s, 500ms. Default: until Ctrl-C, or the end of all files.",
            valueName: "time"),
        transform: { try Duration(argument: $0) })
    var duration: Duration?

    @Option(
        help: ArgumentHelp("Length of the output in frames, in place of a time.", valueName: "N"),
        transform: { try number($0, in: 1...1_000_000_000, named: "the number of frames") })
    var frames: Int?

    @Flag(
        help: """
            Start without the cameras and streams that are missing, busy or not permitted, and show a slate until they \
            are there. Default: end with 66, 69 or 77; as a service: wait.
            """)
    var wait = false

    @Flag(help: "Refuse to start while a camera is missing, as a service, too.")
    var requireBoth = false

    @Flag(
        help: """
            Make frames in real time, also where only files are read and written. Default: files as fast as this machine \
            can; with a camera, a stream, a window or a panel always in real time.
            """)
    var realtime = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Write statistics of the run to a file, as JSON; - is standard output.", valueName: "file|-")
    )
    var stats: String?

    func validate() throws {
        if duration != nil, frames != nil {
            throw ValidationError("--duration and --frames exclude each other: give one")
        }
        if wait, requireBoth {
            throw ValidationError("--wait and --require-both exclude each other: give one")
        }
        if let stats, stats.isEmpty || stats.hasPrefix("--") {
            throw ValidationError(
                "--stats: a file is missing\(stats.isEmpty ? "" : " before the option \(stats)")")
        }
    }

    var settings: RigFile.RunSettings {
        var settings = RigFile.RunSettings()
        (settings.duration, settings.frames, settings.statistics) = (duration, frames, stats)
        (settings.requiresCameras, settings.isRealTime) = (requireBoth, realtime)
        return settings
    }

    /// True to start without missing cameras, and to open each camera when it appears; false to refuse the start.
    ///
    /// Nil means true in a service, and false otherwise.
    var waitsForCameras: Bool? { requireBoth ? false : wait ? true : nil }
}
