package import PipCompose
internal import PipFrames

#if Media
package import PipMedia

/// A parsed output that publishes by WebRTC (WHIP): `whip+https://host/path?token=${TOKEN}&codec=vp8`.
package struct WHIPArgument: Sendable, Equatable {
    private let address: String
    private let token: String?
    private let encoding: VideoEncoding
    private let servers: [ICEServer]
    private let query: OptionQuery
    /// The sound that the publication receives.
    package let sound: SoundChoice
    private let soundBits: Int?

    /// The options that pip-compose reads from the query.
    ///
    /// All other options belong to the server.
    private static let options = secrets + OptionQuery.streamOptions
    /// The options whose values are secret.
    private static let secrets = ["token", "ice"]

    /// Parses an output; nil when the text is not a publication by WHIP.
    ///
    /// - Parameter text: The text that the user typed.
    /// - Throws: ``UsageError`` for a mistake, with a message that contains no secret.
    package init?(_ text: String) throws(UsageError) {
        guard let scheme = whipScheme(of: text) else { return nil }
        let holder = "whip+\(scheme)://"
        let url = text.dropFirst("whip+".count)
        let mark = url.lastIndex(of: "?") ?? url.endIndex
        var (theirs, ours): ([Substring], [Substring]) = ([], [])
        var values: [String: String] = [:]
        for pair in url[mark...].dropFirst().split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let key = String(halves[0])
            if !Self.options.contains(key) {
                theirs.append(pair)
            } else if Self.secrets.contains(key) {
                guard halves.count == 2, !halves[1].isEmpty, values[key] == nil else {
                    throw UsageError("\(holder)…: \(key) is given without a value, or twice")
                }
                values[key] = try Self.filled(String(halves[1]))
            } else {
                ours.append(pair)
            }
        }
        let tail = theirs.isEmpty ? "" : "?" + theirs.joined(separator: "&")
        address = try Secrets.filled(in: String(url[..<mark] + tail))
        token = values["token"]
        query = try OptionQuery("\(holder)…" + (ours.isEmpty ? "" : "?" + ours.joined(separator: "&")))
        sound = SoundChoice(query["audio"])
        try sound.checkOneTrack(in: "a WebRTC stream", query.name)
        soundBits = try query.audioBitRate()
        var encoding = try VideoEncoding(query, codecs: [.h264, .vp8], of: holder, query.name)
        let usual = VideoEncoding.webRTC(encoding.codec)
        encoding.profile = usual.profile
        if query["gop"] == nil { encoding.keyFrameInterval = usual.keyFrameInterval }
        self.encoding = encoding
        servers = try values["ice"].map { text throws(UsageError) in [try Self.server(text, holder)] } ?? []
    }

    /// The server's address, with secrets masked.
    package var name: String { sink(nil).label }

    package func sink(_ mixed: RigSound?) -> WHIPStream {
        WHIPStream(
            address, token: token, encoding: encoding, sound: mixed?.tracks(sound).first,
            soundBitRate: soundBits ?? 96_000, iceServers: servers)
    }

    package func size() throws(UsageError) -> PixelSize? { try query.size(allowsOdd: true) }

    package func frameRate() throws(UsageError) -> FrameRate? { try query.frameRate() }

    /// Expands the references in a value, without percent-encoding.
    private static func filled(_ text: String) throws(UsageError) -> String {
        try Secrets.filled(in: text.percentDecoded ?? text, isAddress: false)
    }

    /// Reads an ICE server as `stun:host:port` or `turn:user:password@host:port`.
    private static func server(_ text: String, _ holder: String) throws(UsageError) -> ICEServer {
        guard let colon = text.firstIndex(of: ":"), ["stun", "turn", "turns"].contains(text[..<colon].lowercased())
        else { throw UsageError("\(holder)…: ice must be stun:host:port or turn:user:password@host:port") }
        guard let at = text.lastIndex(of: "@") else { return ICEServer(text) }
        let names = text[text.index(after: colon)..<at].split(separator: ":", maxSplits: 1).map(String.init)
        guard names.count == 2 else { throw UsageError("\(holder)…: ice needs user:password before the @") }
        let address = text[...colon] + text[text.index(after: at)...]
        return ICEServer(String(address), username: names[0], credential: names[1])
    }
}
#else
/// Refuses publications in a program that was built without media.
package enum WHIPArgument: Sendable, Equatable {
    package init?(_ text: String) throws(UsageError) {
        guard let scheme = whipScheme(of: text) else { return nil }
        throw UsageError("whip+\(scheme)://…: \(withoutMedia)")
    }

    package var name: String { "" }

    package var sound: SoundChoice { .off }

    package func sink(_ mixed: RigSound?) -> NullSink { NullSink() }

    package func size() throws(UsageError) -> PixelSize? { nil }

    package func frameRate() throws(UsageError) -> FrameRate? { nil }
}
#endif

/// The scheme after `whip+`, `https` or `http`; nil for a text without this prefix.
private func whipScheme(of text: String) -> String? {
    ["https", "http"].first { text.lowercased().hasPrefix("whip+\($0)://") }
}
