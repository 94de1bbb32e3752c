package import PipCompose

#if Media
internal import PipMedia
#endif

/// A parsed output to a WAV file: `talk.wav?audio=driver`.
package struct WAVArgument: Sendable, Equatable {
    package let path: String
    /// The sound that the file receives.
    package let sound: SoundChoice

    /// Parses an output; nil when the output is not a WAV file.
    ///
    /// - Parameters:
    ///   - query: The path and its options.
    ///   - text: The output as the user typed it.
    /// - Throws: ``UsageError`` for a mistake in the options.
    package init?(_ query: OptionQuery, _ text: String) throws(UsageError) {
        guard (query["format"] ?? fileEnding(query.name)).lowercased() == "wav" else { return nil }
        #if Media
        try query.allow("format", "audio", for: "a WAV file")
        path = query.name
        let asked = SoundChoice(query["audio"])
        if path == "-" { throw UsageError("-: a WAV file cannot go to standard output: name a file or a pipe") }
        if asked == .off || asked == .tracks {
            throw UsageError("\(text): a WAV file has one track of sound: audio must be on or the name of a source")
        }
        sound = asked == .usual ? .on : asked
        #else
        throw UsageError("\(text): \(withoutMedia)")
        #endif
    }

    /// Makes the sink that writes the file, or a sink that discards all frames if there is no sound.
    package func sink(_ mixed: RigSound?) -> any Sink {
        #if Media
        if let track = mixed?.tracks(sound).first { return WAVFile(path, sound: track) }
        #endif
        return NullSink()
    }
}
