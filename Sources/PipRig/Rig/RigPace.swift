internal import Glibc
internal import PipSources

/// Decides whether a composition may run faster than real time.
package struct RigPace {
    /// True when the composition reads a file and nothing live, writes a file, and nobody watches an output.
    ///
    /// False for the output clock ``ClockArgument/camera``.
    ///
    /// A composition of test patterns alone runs in real time, because patterns replace cameras.
    package let isOfFiles: Bool
    /// True when at least one source ends.
    ///
    /// The composition then ends with the last finite source, unless a source is live.
    package let endsByItself: Bool

    package init(of rig: Rig) {
        let sources = rig.pictures.map(\.source.kind)
        let sinks = rig.outputs.map(\.sink)
        isOfFiles =
            rig.clock != .camera && sources.contains(where: Self.isFile) && !sources.contains(where: Self.isLive)
            && !rig.sound.contains { Self.isLive($0.kind) } && !sinks.contains(where: Self.isWatched)
            && sinks.contains { $0.path != nil }
        endsByItself = sources.contains(where: Self.endsByItself)
    }

    /// True for a source that delivers frames in real time.
    private static func isLive(_ source: SourceArgument.Kind) -> Bool {
        switch source {
        case .camera, .stream: true
        case .y4m(let path, _), .raw(let path, _): !isRegular(path)
        case .pattern, .movie, .picture: false
        }
    }

    private static func isFile(_ source: SourceArgument.Kind) -> Bool {
        switch source {
        case .camera, .stream, .pattern: false
        case .picture, .y4m, .raw, .movie: true
        }
    }

    private static func endsByItself(_ source: SourceArgument.Kind) -> Bool {
        switch source {
        case .camera, .stream, .pattern: false
        case .picture(_, _, let ending): ending == .ends
        case .y4m(_, let loops): !loops
        case .raw(_, let options): !options.loops
        case .movie(let movie): !movie.loops
        }
    }

    /// True for an output that somebody can watch while it is made.
    ///
    /// HTTP live streams are watched, because a web server delivers their files.
    private static func isWatched(_ sink: SinkArgument) -> Bool {
        switch sink.kind {
        case .stream, .whip, .elements, .display, .virtualCamera: true
        case .null: false
        case .movie(let movie) where movie.isStream: true
        case .y4m, .raw, .png, .jpeg, .movie, .wav: sink.path.map { !isRegular($0) } ?? true
        }
    }

    /// True for a microphone.
    private static func isLive(_ sound: AudioArgument.Kind) -> Bool {
        switch sound {
        case .alsa, .pulse, .camera: true
        case .file, .tone, .beep, .silence, .movie: false
        }
    }

    /// True for a regular file and for a path that does not exist yet; false for pipes, devices and standard streams.
    private static func isRegular(_ path: String) -> Bool {
        guard path != "-" else { return false }
        var status = stat()
        return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }
}
