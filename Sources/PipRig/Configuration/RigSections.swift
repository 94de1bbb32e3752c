internal import FoundationEssentials
internal import PipCompose

/// The keys of a configuration's sections.
///
/// The reader, the writer and the schema of configurations are derived from these keys.
enum RigSections {
    static var canvas: [RigKey<Rig>] {
        [
            .optional("size", \.canvas, RigSchema.text("1280x720, 720p, 1080p or 2160p.")) { text throws(UsageError) in
                try PixelSize(argument: text)
            },
            .optional(
                "fps", \.clock, RigSchema.number("Frames a second, max, or camera."), read: ClockArgument.init,
                write: \.text),
            .choice(
                "light", \.light, usual: .encoded,
                "The light in which layers are blended: the encoded values, or linear light.",
                ["encoded": .encoded, "linear": .linear]),
        ]
    }

    /// The keys of a camera, except its source, the source's options and the controls.
    static var camera: [RigKey<RigPicture>] {
        [
            .flag("mirror", \.isMirrored),
            .value(
                "when-missing", \.absence, usual: .hold,
                RigSchema.word(
                    "The picture while the source delivers no frames.", AbsencePolicy.allCases.map(\.rawValue)),
                read: { text throws(UsageError) in try AbsenceArgument(text).policy }, write: \.rawValue),
            .text("mask", \.mask, "A mask: a picture that is white where this picture is visible."),
            .flag("enabled", \.isEnabled, usual: true),
        ]
    }

    static var drawing: [RigKey<RigDrawing>] {
        [
            .choice(
                "renderer", \.renderer, usual: .automatic, "OpenGL ES, the CPU, or the cheaper of both.",
                ["auto": .automatic, "gl": .gl, "cpu": .cpu]),
            .optional("threads", \.threads, RigSchema.number("Threads that draw on the CPU.")) {
                text throws(UsageError) in try number(text, in: 1...256, named: "threads")
            },
            .flag("fuse", \.fuses, usual: true),
            .choice(
                "share-buffers", \.sharing, usual: .automatic,
                "Reading of the cameras' memory by the GPU, without a copy.",
                ["auto": .automatic, "always": .always, "never": .never]),
        ]
    }

    static var panel: [RigKey<RigFile.PanelSettings>] {
        [
            .value("listen", \.listen, usual: "", RigSchema.text("[ADDRESS:]PORT or unix:PATH."), read: { $0 }),
            .text("token", \.token, "${file:/run/secrets/token}."),
            .text("root", \.root, "The folder below which the panel may make outputs."),
            .text(
                "recordings", \.recordings,
                "The folder of the recordings that the panel shows; FOLDER?changes=off forbids to lock and delete them."
            ),
            .words("hosts", \.hosts, "Names by which clients reach the panel.", "A name."),
            .words("origins", \.origins, "Other pages that may use the panel.", "https://example.org."),
        ]
    }

    /// The keys of the section `pressure`, except those of the policy.
    static var pressure: [RigKey<RigFile.PressureSettings>] {
        [
            .optional(
                "pin", \.pinned,
                RigSchema.word(
                    "The pressure level that is held, whatever sensors report.", PressureLevel.allCases.map(\.name)),
                read: PressureLevel.init(argument:), write: \.name),
            .flag("wait", \.waits),
            .value("root", \.root, usual: "/", RigSchema.text("The folder from which sensors are read.")) {
                text throws(UsageError) in
                guard FileManager.default.isReadableFile(atPath: text + "/.") else {
                    throw UsageError("\(text) is not a folder that can be read")
                }
                return text
            },
        ]
    }

    static var run: [RigKey<RigFile.RunSettings>] {
        [
            .optional(
                "duration", \.duration, RigSchema.reference("time"), read: Duration.init(argument:), write: \.argument),
            .optional("frames", \.frames, RigSchema.number("Output frames.")) { text throws(UsageError) in
                try number(text, in: 1...1_000_000_000, named: "frames")
            },
            .flag("require-both", \.requiresCameras), .flag("realtime", \.isRealTime),
            .text("stats", \.statistics, "A file for the statistics."),
        ]
    }

    static var log: [RigKey<RigFile.LogSettings>] {
        [
            .choice(
                "format", \.format, usual: nil, "The format of events: text, or one JSON object a line.",
                ["text": "text", "json": "json"]),
            .choice(
                "level", \.level, usual: nil, "The verbosity of the messages.",
                ["quiet": "quiet", "normal": "normal", "verbose": "verbose"]),
        ]
    }
}
