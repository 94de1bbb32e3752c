/// The sound of an output, as `?audio=` asks for it.
package enum SoundChoice: Sendable, Equatable {
    /// The mix of all sources, where there are any.
    case usual
    /// The mix of all sources.
    case on
    case off
    /// One source alone, by its name.
    case one(String)
    /// Each source as a track of its own.
    case tracks

    /// Reads `on`, `off`, `tracks` or a name; nil is the usual.
    package init(_ text: String?) {
        switch text {
        case nil: self = .usual
        case "on", "true", "mix": self = .on
        case "off": self = .off
        case "tracks": self = .tracks
        case let name?: self = .one(name)
        }
    }

    /// Checks that there is such sound.
    ///
    /// - Parameters:
    ///   - names: The names of the sources.
    ///   - output: The output, for messages.
    /// - Throws: ``UsageError`` when there is not.
    package func check(among names: [String], for output: String) throws(UsageError) {
        switch self {
        case .usual, .off: break
        case .on, .tracks:
            if names.isEmpty { throw UsageError("--output \(output): there is no sound: add --audio SOURCE") }
        case .one(let name):
            guard !names.contains(name) else { return }
            let there = names.isEmpty ? "there is no --audio" : "there are \(names.joined(separator: ", "))"
            throw UsageError(
                "--output \(output): audio is \(name), but must be on, off, tracks or the name of a source: \(there)")
        }
    }
}
