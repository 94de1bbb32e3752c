internal import Glibc

extension Rig {
    /// True when files become files, and nobody sees or hears a frame while it is made.
    ///
    /// Patterns alone stand in for cameras, whose frames come when they do.
    package var isOfFiles: Bool {
        let sources = pictures.map(\.source)
        let sinks = outputs.map(\.sink)
        return clock != .camera && sources.contains(where: \.isFile) && !sources.contains(where: \.isLive)
            && !sound.contains(where: \.isLive) && !sinks.contains(where: \.isWatched)
            && sinks.contains { $0.path != nil }
    }

    /// True when it ends with one of its files.
    package var endsByItself: Bool { pictures.contains { $0.source.endsByItself } }
}

extension SourceArgument {
    /// True for what comes by itself, in real time.
    fileprivate var isLive: Bool {
        switch kind {
        case .camera, .stream: true
        case .pattern: false
        case .still(let path), .y4m(let path, _), .raw(let path, _): !isRegular(path)
        case .movie: false
        }
    }

    fileprivate var isFile: Bool {
        switch kind {
        case .camera, .stream, .pattern: false
        case .still, .y4m, .raw, .movie: true
        }
    }

    fileprivate var endsByItself: Bool {
        switch kind {
        case .camera, .stream, .pattern, .still: false
        case .y4m(_, let loops): !loops
        case .raw(_, let options): !options.loops
        case .movie(let movie): !movie.loops
        }
    }
}

extension SinkArgument {
    /// True for what is shown, sent or read while it is made.
    fileprivate var isWatched: Bool {
        switch kind {
        case .stream, .whip, .elements, .display, .virtualCamera: true
        case .null: false
        case .y4m, .raw, .png, .jpeg, .movie, .wav: isServed || path.map { !isRegular($0) } ?? true
        }
    }

    /// True for files that a web server delivers while they are written.
    private var isServed: Bool { if case .movie(let movie) = kind { movie.isStream } else { false } }
}

extension AudioArgument {
    /// True for a microphone.
    fileprivate var isLive: Bool {
        switch kind {
        case .alsa, .pulse, .camera: true
        case .file, .tone, .beep, .silence, .movie: false
        }
    }
}

/// False for a pipe, a device, and the standard streams; a file that is not there yet is made.
private func isRegular(_ path: String) -> Bool {
    var status = stat()
    guard path != "-" else { return false }
    return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
}
