/// The sound that `?audio=` selects for an output.
package enum SoundChoice: Sendable, Equatable {
    /// The mix of all sources, or no sound if the composition has no sources of sound.
    case usual
    /// The mix of all sources. A composition without sources of sound is an error.
    case on
    case off
    /// The single source of this name.
    case one(String)
    /// A separate track for each source.
    case tracks

    /// Reads `on`, `off`, `tracks` or a source's name; nil selects ``usual``.
    package init(_ text: String?) {
        switch text {
        case nil: self = .usual
        case "on", "true", "mix": self = .on
        case "off": self = .off
        case "tracks": self = .tracks
        case let name?: self = .one(name)
        }
    }

    /// Checks that the choice is not ``tracks``.
    ///
    /// - Parameters:
    ///   - holder: The kind of output, which has one track of sound, with its article.
    ///   - text: The output, for messages.
    /// - Throws: ``UsageError`` for ``tracks``.
    func checkOneTrack(in holder: String, _ text: String) throws(UsageError) {
        guard self != .tracks else {
            throw UsageError("\(text): \(holder) has one track of sound: audio must be on, off or the name of a source")
        }
    }

    /// Checks that the composition has the selected sound.
    ///
    /// - Parameters:
    ///   - names: The names of the sources.
    ///   - output: The output, for messages.
    /// - Throws: ``UsageError`` for sound that does not exist.
    package func check(among names: [String], for output: String) throws(UsageError) {
        switch self {
        case .usual, .off: break
        case .on, .tracks:
            guard names.isEmpty else { return }
            throw UsageError(
                "the output \(output): there is no sound: add a source of sound (--audio SOURCE, or the key audio of a "
                    + "configuration)")
        case .one(let name):
            guard !names.contains(name) else { return }
            let there =
                names.isEmpty ? "there is no source of sound" : "the sources are \(names.joined(separator: ", "))"
            throw UsageError(
                "the output \(output): audio is \(name), but must be on, off, tracks or the name of a source: \(there)")
        }
    }
}
