#if Media
package import PipCompose
package import PipMedia

/// A parsed live stream to a server, `rtmp://host/app/${KEY}?bitrate=4M`, or from one of our own,
/// `rtsp-server:0.0.0.0:8554/cam`.
package struct StreamArgument: Sendable, Equatable {
    package let address: StreamAddress
    /// True for a stream that players pull from this program.
    private let isServed: Bool
    private let encoding: VideoEncoding
    /// The sound that the stream receives.
    package let sound: SoundChoice
    private let soundBits: Int?

    /// The options that pip-compose reads from the query.
    ///
    /// All other options belong to the server.
    private static let options = OptionQuery.streamOptions

    /// Parses an output; nil when the text is not a stream.
    ///
    /// - Parameter text: The text that the user typed.
    /// - Throws: ``UsageError`` for a mistake, with a message that contains no secret.
    package init?(_ text: String) throws(UsageError) {
        let served = servedAddress(text)
        let text = served ?? text
        guard let colon = text.firstRange(of: "://"),
            StreamAddress.Transport(rawValue: text[..<colon.lowerBound].lowercased()) != nil
        else { return nil }
        isServed = served != nil
        let (address, query) = try Self.parts(text)
        let filled = try Secrets.filled(in: address)
        do throws(SinkError) {
            self.address = try StreamAddress(filled)
        } catch {
            guard !isServed else {
                let place = error.sink.dropFirst("rtsp://".count)
                throw UsageError("\(servedPrefix)\(place): \(error.reason); write rtsp-server:0.0.0.0:8554/cam")
            }
            throw UsageError(error.reason.isEmpty ? error.description : "\(error.sink): \(error.reason)")
        }
        let holder = isServed ? servedPrefix : "\(self.address.transport.rawValue)://"
        let asked = SoundChoice(query["audio"])
        try asked.checkOneTrack(in: "a stream", query.name)
        sound = asked
        soundBits = try query.audioBitRate()
        let codecs = isServed ? RTSPBroadcast.codecs : self.address.transport.codecs
        encoding = try VideoEncoding(query, codecs: codecs, of: holder, query.name)
    }

    /// The server's address, with secrets masked.
    package var name: String {
        isServed ? servedPrefix + address.description.dropFirst("rtsp://".count) : address.description
    }

    package func sink(_ mixed: RigSound?) -> any Sink {
        let (sound, bits) = (mixed?.tracks(sound).first, soundBits ?? 128_000)
        return isServed
            ? RTSPBroadcast(address, encoding: encoding, sound: sound, soundBitRate: bits)
            : LiveStream(address, encoding: encoding, sound: sound, soundBitRate: bits)
    }

    /// The options that pip-compose reads; the query's `name` shows no more of the address than the protocol.
    package static func query(_ text: String) throws(UsageError) -> OptionQuery {
        try parts(servedAddress(text) ?? text).query
    }

    /// Splits an address from the options that pip-compose reads.
    private static func parts(_ text: String) throws(UsageError) -> (address: String, query: OptionQuery) {
        guard let mark = text.lastIndex(of: "?") else { return (text, try OptionQuery("stream")) }
        var (theirs, ours): ([Substring], [Substring]) = ([], [])
        for pair in text[text.index(after: mark)...].split(separator: "&") {
            let key = pair.prefix { $0 != "=" }
            if options.contains(String(key)) { ours.append(pair) } else { theirs.append(pair) }
        }
        let address = text[..<mark] + (theirs.isEmpty ? "" : "?" + theirs.joined(separator: "&"))
        let masked = text.prefix { $0 != ":" } + "://…"
        return (String(address), try OptionQuery(masked + (ours.isEmpty ? "" : "?" + ours.joined(separator: "&"))))
    }
}
#else
package import PipCompose

/// Refuses streams in a program that was built without media.
package enum StreamArgument: Sendable, Equatable {
    package init?(_ text: String) throws(UsageError) {
        if servedAddress(text) != nil { throw UsageError("\(servedPrefix)…: \(withoutMedia)") }
        guard let colon = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<colon.lowerBound].lowercased()
        guard ["rtmp", "rtmps", "srt", "rtsp", "rtsps", "udp", "rtp"].contains(scheme) else { return nil }
        throw UsageError(
            "\(scheme)://…: \(withoutMedia), or pipe Y4M to a program that sends it: --output - | ffmpeg -i - …")
    }

    package var name: String { "" }

    package var sound: SoundChoice { .off }

    package func sink(_ mixed: RigSound?) -> any Sink { NullSink() }

    package static func query(_ text: String) throws(UsageError) -> OptionQuery { try OptionQuery(text) }
}
#endif

/// The beginning of an output that players pull from this program.
private let servedPrefix = "rtsp-server:"

/// The address `rtsp://…` at which an output is served; nil for an output that is sent.
private func servedAddress(_ text: String) -> String? {
    text.lowercased().hasPrefix(servedPrefix) ? "rtsp://" + text.dropFirst(servedPrefix.count) : nil
}
