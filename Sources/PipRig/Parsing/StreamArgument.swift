#if Media
package import PipCompose
package import PipMedia

/// A parsed live stream to a server, `rtmp://host/app/${KEY}?bitrate=4M`, or from one of our own,
/// `rtsp-server:0.0.0.0:8554/cam`.
package struct StreamArgument: Sendable, Equatable {
    package let address: StreamAddress
    /// The server, for a stream that players pull from this program; nil for one that is sent.
    private let server: Server?
    private let encoding: VideoEncoding
    /// The sound that the stream receives.
    package let sound: SoundChoice
    private let soundBits: Int?

    /// A server of our own: its certificate, and the name that it has in the local network.
    private struct Server: Equatable {
        static let options = ["certificate", "key", "announce"]
        let certificate: ServerCertificate?
        let name: String?

        init(_ query: OptionQuery) throws(UsageError) {
            if query["key"] != nil, query["certificate"] == nil {
                throw UsageError("\(query.name): the option key needs certificate=FILE beside it")
            }
            certificate = query["certificate"].map { ServerCertificate($0, key: query["key"]) }
            name = query["announce"]
            if name == "true" {
                throw UsageError("\(query.name): the option announce needs a name: announce=Front door")
            }
        }
    }

    /// Parses an output; nil when the text is not a stream.
    ///
    /// - Parameter whole: The text that the user typed.
    /// - Throws: ``UsageError`` for a mistake, with a message that contains no secret.
    package init?(_ whole: String) throws(UsageError) {
        let served = servedAddress(whole)
        let text = served ?? whole
        guard let colon = text.firstRange(of: "://"),
            StreamAddress.Transport(rawValue: text[..<colon.lowerBound].lowercased()) != nil
        else { return nil }
        let (address, query) = try Self.parts(whole)
        server = served == nil ? nil : try Server(query)
        let filled = try Secrets.filled(in: address)
        do throws(SinkError) {
            self.address = try StreamAddress(filled)
        } catch {
            guard served == nil else {
                throw UsageError("\(servedName(error.sink)): \(error.reason); write rtsp-server:0.0.0.0:8554/cam")
            }
            throw UsageError(error.reason.isEmpty ? error.description : "\(error.sink): \(error.reason)")
        }
        let scheme = "\(self.address.transport.rawValue)://"
        let holder = served == nil ? scheme : servedName(scheme)
        let asked = SoundChoice(query["audio"])
        try asked.checkOneTrack(in: "a stream", query.name)
        sound = asked
        soundBits = try query.audioBitRate()
        let codecs = served == nil ? self.address.transport.codecs : RTSPBroadcast.codecs
        encoding = try VideoEncoding(query, codecs: codecs, of: holder, query.name)
    }

    /// The server's address, with secrets masked.
    package var name: String {
        server == nil ? address.description : servedName(address.description)
    }

    package func sink(_ mixed: RigSound?) -> any Sink {
        let (sound, bits) = (mixed?.tracks(sound).first, soundBits ?? 128_000)
        guard let server else { return LiveStream(address, encoding: encoding, sound: sound, soundBitRate: bits) }
        return RTSPBroadcast(
            address, encoding: encoding, sound: sound, soundBitRate: bits, certificate: server.certificate,
            name: server.name)
    }

    /// The options that pip-compose reads; the query's `name` shows no more of the address than the protocol.
    package static func query(_ whole: String) throws(UsageError) -> OptionQuery { try parts(whole).query }

    /// Splits an address from the options that pip-compose reads; all other options belong to the server.
    private static func parts(_ whole: String) throws(UsageError) -> (address: String, query: OptionQuery) {
        let served = servedAddress(whole)
        let text = served ?? whole
        let options = OptionQuery.streamOptions + (served == nil ? [] : Server.options)
        guard let mark = text.lastIndex(of: "?") else { return (text, try OptionQuery("stream")) }
        var (theirs, ours): ([Substring], [Substring]) = ([], [])
        for pair in text[text.index(after: mark)...].split(separator: "&") {
            let key = pair.prefix { $0 != "=" }
            if options.contains(String(key)) { ours.append(pair) } else { theirs.append(pair) }
        }
        let address = text[..<mark] + (theirs.isEmpty ? "" : "?" + theirs.joined(separator: "&"))
        let masked = whole.prefix { $0 != ":" } + (served == nil ? "://…" : ":…")
        return (String(address), try OptionQuery(masked + (ours.isEmpty ? "" : "?" + ours.joined(separator: "&"))))
    }
}
#else
package import PipCompose

/// Refuses streams in a program that was built without media.
package enum StreamArgument: Sendable, Equatable {
    package init?(_ text: String) throws(UsageError) {
        if servedAddress(text) != nil { throw UsageError("\(text.prefix { $0 != ":" }):…: \(withoutMedia)") }
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

/// The address `rtsp://…` or `rtsps://…` of an output `rtsp-server:…` or `rtsps-server:…`, which players pull from this
/// program; nil for an output that is sent.
private func servedAddress(_ text: String) -> String? {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard ["rtsp-server", "rtsps-server"].contains(scheme) else { return nil }
    return scheme.dropLast("-server".count) + "://" + text.dropFirst(scheme.count + 1)
}

/// The output `rtsp-server:…` of an address `rtsp://…`.
private func servedName(_ address: String) -> String {
    guard let colon = address.firstRange(of: "://") else { return address }
    return "\(address[..<colon.lowerBound])-server:\(address[colon.upperBound...])"
}
