package import PipCompose

/// The format of a source file.
package enum SourceFileKind: Equatable {
    case y4m
    case picture
    case raw(PixelFormat)
    case movie

    /// Derives the format from `?format=`, or else from the file name extension.
    package init(_ query: OptionQuery, _ text: String) throws(UsageError) {
        if let forced = try query.read("format", Self.named) {
            self = forced
            return
        }
        if query.name == "-" {
            self = .y4m
            return
        }
        if query.name.hasSuffix("/") {
            self = .picture
            return
        }
        let ending = fileEnding(query.name)
        guard let kind = try? Self.named(ending) else {
            throw UsageError(
                "\(text): \(unknownEnding(ending)); \(SourceArgument.kinds); any other name with ?format=y4m|movie|png|jpg|webp|nv12|…"
            )
        }
        self = kind
    }

    private static func named(_ name: String) throws(UsageError) -> SourceFileKind {
        switch name.lowercased() {
        case "y4m": return .y4m
        case let name where PictureSequence.endings.contains(name): return .picture
        case let name where MovieInput.endings.contains(name): return .movie
        default:
            if let format = PixelFormat(rawValue: name.lowercased()) { return .raw(format) }
            let names = ["y4m", "movie", "mp4", "mkv"] + PictureSequence.endings + PixelFormat.allCases.map(\.rawValue)
            throw NearestName.unknown("format", name, among: names)
        }
    }

    /// Reads the options that a file of this format takes.
    package func kind(_ query: OptionQuery, _ text: String) throws(UsageError) -> SourceArgument.Kind {
        switch self {
        case .movie: return .movie(try MovieInput(query, text))
        case .picture:
            try query.allow("format", "fps", "loop", for: "a picture")
            let loops = try query.flag("loop") ?? !PictureSequence.isNamed(by: query.name)
            return .picture(path: query.name, try query.frameRate(), loops ? .loops : .ends)
        case .y4m:
            try query.allow("format", "loop", for: "a Y4M file")
            return .y4m(path: query.name, loops: try loops(query, text))
        case .raw(let format):
            try query.allow("format", "size", "fps", "loop", for: "a raw file")
            guard let size = try query.size(allowsOdd: format.chromaSubsampling == (1, 1)) else {
                throw UsageError(
                    "\(text): raw \(format.rawValue) frames do not tell their size; add it, as in \(query.name)?size=1280x720&fps=30"
                )
            }
            var options = SourceArgument.RawFileOptions(format: format, size: size)
            if let rate = try query.frameRate() { options.frameRate = rate }
            options.loops = try loops(query, text)
            return .raw(path: query.name, options)
        }
    }

    private func loops(_ query: OptionQuery, _ text: String) throws(UsageError) -> Bool {
        let loops = try query.flag("loop") ?? false
        guard !loops || query.name != "-" else {
            throw UsageError("\(text): the standard input cannot be read again; loop needs a file")
        }
        return loops
    }
}

/// The file name extension of a path, without the dot; empty for a name without an extension.
package func fileEnding(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
}

/// The reason why a file name extension does not tell a format.
func unknownEnding(_ ending: String) -> String {
    ending.isEmpty ? "the name has no ending that tells the format" : "the ending .\(ending) is unknown"
}
