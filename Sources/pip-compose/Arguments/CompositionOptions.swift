import ArgumentParser
import PipCompose
import PipRig

/// The options of the composition, which `compose`, `explain` and `config print` share.
struct CompositionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The main picture. Default: the first camera, or a test pattern.", valueName: "source"),
        transform: { try SourceArgument($0) })
    var main: SourceArgument?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A smaller picture over the main one; may be repeated.", valueName: "source"),
        transform: { try SourceArgument($0) })
    var inset: [SourceArgument] = []

    @Option(
        help: ArgumentHelp(
            "Settings of a camera: main:exposure=1/50s:focus=auto. Also iso, gain, bias, metering, white-balance, zoom, power-line, hdr, stabilization, torch.",
            valueName: "target:key=value…"),
        transform: { try CameraArgument($0) })
    var camera: [CameraArgument] = []

    @Option(
        help: ArgumentHelp(
            "Effects for main, inset, inset2 … or output: main:vignette=0.4,sobel.", valueName: "target:chain"),
        transform: { try EffectArgument($0) })
    var effect: [EffectArgument] = []

    @Option(
        help: ArgumentHelp(
            "Place and look of an inset, one for each in order, or a whole layout by name.", valueName: "layout"),
        transform: { try LayoutArgument($0) })
    var layout: [LayoutArgument] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A text over the pictures, with its place and style; {speed:%.0f} shows a value.",
            valueName: "text[,option]…"),
        transform: { try OverlayArgument(text: $0) })
    var text: [OverlayArgument] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The time of day, as strftime writes it: '%H:%M:%S,top-left'.", valueName: "format[,option]…"),
        transform: { try OverlayArgument(clock: $0) })
    var clock: [OverlayArgument] = []

    @Option(
        help: ArgumentHelp(
            "A picture over the others: logo.png,top-left,width=12%.", valueName: "file[,option]…"),
        transform: { try OverlayArgument(watermark: $0) })
    var watermark: [OverlayArgument] = []

    @Option(
        help: ArgumentHelp(
            "Pictures that move: party.gif, a folder, or numbered files: frames/%03d.png,fps=12.",
            valueName: "files[,option]…"),
        transform: { try OverlayArgument(sticker: $0) })
    var sticker: [OverlayArgument] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A dial of a value, a meter of accelerations or the way driven: dial:speed,to=240,unit=km/h, meter:-g.y:g.x,to=1 or way; may be repeated.",
            valueName: "gauge[,option]…"),
        transform: { try OverlayArgument(gauge: $0) })
    var gauge: [OverlayArgument] = []

    @Option(
        help: ArgumentHelp(
            "A picture that is white where the target is to show: inset:mask.png.", valueName: "target:file"),
        transform: { try MaskArgument($0) })
    var mask: [MaskArgument] = []

    @Option(
        help: ArgumentHelp("Size of the output. Default: the main picture's.", valueName: "WxH|720p|1080p|2160p"),
        transform: { try PixelSize(argument: $0) })
    var size: PixelSize?

    @Option(
        help: ArgumentHelp(
            "Frames a second of the output. Default: the main picture's. max: as many as this machine can make; camera: one for each frame of the main camera.",
            valueName: "N|max|camera"),
        transform: { try ClockArgument($0) })
    var fps: ClockArgument?

    @Option(
        help: ArgumentHelp(
            "The light in which pictures are blended where they are translucent, round or soft: the encoded values, or linear light.",
            valueName: "encoded|linear"))
    var light = Compositor.Light.encoded

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Where the frames go; may be repeated.", valueName: "sink"),
        transform: { try SinkArgument($0) })
    var output: [SinkArgument] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A still picture that each SIGUSR2 takes: still-%H%M%S.jpg, main:still.png?size=largest; may be repeated.",
            valueName: "[target:]file"),
        transform: { try StillArgument($0) })
    var still: [StillArgument] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "An action and its cause: lost, pressure:serious, sound>-20dB, motion:main>0.05, line, speed>130, key:/dev/input/event3:KEY_F13, gpio:gpiochip0:17 or blow>2.5g; do=clip, split, still, scene:NAME, start:OUTPUT, stop:OUTPUT, post:https://host/path or run:PROGRAM; for=1s, every=10s, name=NAME, header='Accept: a, b' (a value with a comma stands in quotation marks); may be repeated.",
            valueName: "cause[,option]…"),
        transform: { try TriggerArgument($0) })
    var on: [TriggerArgument] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Sound for movies and streams: a microphone, pulse, camera:main, movie:main, music.wav, tone; may be repeated.",
            valueName: "source[,gain=-6dB][,option]…"),
        transform: { try AudioArgument($0) })
    var audio: [AudioArgument] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Values for texts such as '{speed:%.0f} km/h' and triggers such as speed>130: gpsd, nmea:/dev/ttyACM0,baud=9600, json:/run/values, can:can0,dbc=FILE, track:drive.gpx (on the movie of an old drive), accelerometer or api; may be repeated.",
            valueName: "source[,option]…"),
        transform: { try TelemetryArgument($0) })
    var telemetry: [TelemetryArgument] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A file of the way driven, or of all values: drive-%Y%m%d.gpx, values.csv; may be repeated.",
            valueName: "file"),
        transform: { try TrackArgument($0) })
    var track: [TrackArgument] = []

    @Option(
        help: ArgumentHelp(
            "What a picture shows while its source is gone: hold, freeze, hide, slate or promote; for one picture: inset:hide.",
            valueName: "[target:]policy"),
        transform: { try AbsenceArgument($0) })
    var whenMissing: [AbsenceArgument] = []

    @Option(
        help: ArgumentHelp(
            "Once the cameras have settled, each keeps its exposure and white balance (lock), or takes those of the main camera (copy).",
            valueName: "lock|copy"),
        transform: { try CameraMatching(argument: $0) })
    var matchCameras: CameraMatching?

    @Flag(help: "Draw each effect by itself, for comparison and bug reports.")
    var noFuse = false

    @Option(
        help: ArgumentHelp(
            "What draws: OpenGL ES (gl), the CPU, or what is cheaper here (auto).", valueName: "auto|gl|cpu"))
    var renderer = RendererArgument.auto

    @Option(
        help: ArgumentHelp(
            "Threads that draw a frame where the CPU draws. (default: one, and more once one thread takes over half of a frame's time)",
            valueName: "n"))
    var threads: Int?

    @Option(
        help: ArgumentHelp(
            "Whether the GPU reads cameras' memory in place, for comparison and bug reports.",
            valueName: "auto|always|never"))
    var shareBuffers = SharingArgument.auto

    func validate() throws {
        do throws(UsageError) { try check() } catch { throw ValidationError(error.description) }
    }

    /// Checks that the options fit each other.
    func check() throws(UsageError) {
        guard main != nil || inset.isEmpty else {
            throw UsageError("--inset needs a main picture: add --main SOURCE")
        }
        if let threads, !(1...256).contains(threads) {
            throw UsageError("--threads is \(threads), but must be 1 to 256")
        }
        for camera in camera { try camera.target.check(insets: insetCount, for: "--camera \(camera.text)") }
        for effect in effect { try effect.target.check(insets: insetCount, for: "--effect \(effect.text)") }
        for sink in output { try sink.picture?.check(insets: insetCount, for: "--output \(sink.text)") }
        for still in still { try still.picture?.check(insets: insetCount, for: "--still \(still.path)") }
        for argument in audio {
            switch argument.kind {
            case .camera(let target), .movie(let target):
                try target.check(insets: insetCount, for: "--audio \(argument.text)")
            default: break
            }
        }
        for mask in mask { try mask.target.check(insets: insetCount, for: "--mask \(mask.text)") }
        for absence in whenMissing { try absence.target?.check(insets: insetCount, for: "--when-missing") }
        try checkLayouts()
        try checkComposition()
    }

    /// The number of insets: one for a command line that names no source.
    var insetCount: Int { main == nil ? 1 : inset.count }

    /// Checks the composition before any device or file is opened.
    private func checkComposition() throws(UsageError) {
        var options = self
        // The sources are not chosen yet, so options of cameras cannot be checked.
        if main == nil { options.camera = [] }
        let rig = try options.rig(main.map { [$0] + inset } ?? DefaultSources.patterns)
        do throws(RigError) {
            try rig.check()
            try rig.checkActions()
        } catch { throw UsageError(error.description) }
    }

    private func checkLayouts() throws(UsageError) {
        let isWhole = layout.contains { if case .whole = $0 { true } else { false } }
        guard !isWhole || layout.count == 1 else {
            throw UsageError("--layout: a whole layout by name places all pictures: give --layout only once")
        }
        guard isWhole || layout.count <= insetCount else {
            throw UsageError(
                "--layout is given \(layout.count == 1 ? "once" : "\(layout.count) times"), but there "
                    + "\(insetCount == 1 ? "is 1 inset" : "are \(insetCount) insets"): give at most one for each inset")
        }
    }
}
