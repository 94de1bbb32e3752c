/// The sound that `?audio=` selects for an output.
package enum SoundChoice: Sendable, Equatable {
    /// The mix of all sources; no sound where there are no sources.
    case usual
    /// The mix of all sources.
    case on
    case off
    /// A single source, by its name.
    case one(String)
    /// A track for each source.
    case tracks

    /// Reads `on`, `off`, `tracks` or a name; nil selects the default.
    package init(_ text: String?) {
        switch text {
        case nil: self = .usual
        case "on", "true", "mix": self = .on
        case "off": self = .off
        case "tracks": self = .tracks
        case let name?: self = .one(name)
        }
    }

    /// Checks that the selected sound exists.
    ///
    /// - Parameters:
    ///   - names: The names of the sources.
    ///   - output: The output, for messages.
    /// - Throws: ``UsageError`` for sound that does not exist.
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
