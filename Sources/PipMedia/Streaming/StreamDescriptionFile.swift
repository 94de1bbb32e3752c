#if Media
internal import CGStreamer
internal import Glibc
internal import PipSinks
internal import SystemPackage

/// The file that tells players where an RTP stream goes and how it is packed: a session description (SDP).
///
/// Source: RFC 8866.
struct StreamDescriptionFile {
    /// A track of the stream.
    @safe final class Track {
        /// What its packets are, as the payloader says.
        fileprivate let caps: UnsafeMutablePointer<GstCaps>
        fileprivate let port: Int

        /// - Parameters:
        ///   - caps: What its packets are, as the payloader says; the track's from now on.
        ///   - port: Where it goes.
        @unsafe init(_ caps: UnsafeMutablePointer<GstCaps>, port: Int) {
            unsafe self.caps = unsafe caps
            self.port = port
        }

        deinit { unsafe gst_caps_unref(caps) }
    }

    let path: String

    /// - Parameter path: Written whole or not at all; one that is there is replaced.
    init(_ path: String) { self.path = path }

    /// Finds out at once what would fail with the first packet only.
    ///
    /// - Throws: ``PipSinks/SinkError`` when its folder is missing or cannot be written to.
    func checkFolder() throws(SinkError) {
        if unsafe access(folder(of: path), W_OK | X_OK) != 0 {
            throw SinkError.cannotCreate(path, Errno(rawValue: errno))
        }
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw SinkError(path, "open", .invalidOptions, "the description of a stream must be an ordinary file")
        }
    }

    /// Writes it.
    ///
    /// - Parameters:
    ///   - tracks: The tracks, in the order in which players show them.
    ///   - address: Where they go.
    /// - Throws: ``PipSinks/SinkError`` when it cannot be written.
    func write(_ tracks: [Track], to address: StreamAddress) throws(SinkError) {
        try WholeFile.replace(path, with: Array(Self.text(tracks, to: address).utf8))
    }

    /// The description's text.
    static func text(_ tracks: [Track], to address: StreamAddress) -> String {
        var message: UnsafeMutablePointer<GstSDPMessage>?
        unsafe gst_sdp_message_new(&message)
        guard let message = unsafe message else { return "" }
        defer { unsafe gst_sdp_message_free(message) }
        let family = address.host.contains(":") ? "IP6" : "IP4"
        unsafe gst_sdp_message_set_version(message, "0")
        unsafe gst_sdp_message_set_origin(message, "-", "1", "1", "IN", family, address.host)
        unsafe gst_sdp_message_set_session_name(message, "pip-compose")
        let isGroup =
            family == "IP4" && (224...239).contains(address.host.split(separator: ".").first.flatMap { Int($0) } ?? 0)
        unsafe gst_sdp_message_set_connection(
            message, "IN", family, address.host, isGroup ? address["ttl"].flatMap { UInt32($0) } ?? 64 : 0, 0)
        unsafe gst_sdp_message_add_time(message, "0", "0", nil)
        for track in tracks {
            var media: UnsafeMutablePointer<GstSDPMedia>?
            unsafe gst_sdp_media_new(&media)
            guard let media = unsafe media else { continue }
            unsafe gst_sdp_media_set_proto(media, "RTP/AVP")
            unsafe gst_sdp_media_set_port_info(media, UInt32(track.port), 1)
            unsafe gst_sdp_media_set_media_from_caps(track.caps, media)
            unsafe gst_sdp_message_add_media(message, media)
            unsafe gst_sdp_media_free(media)
        }
        guard let text = unsafe gst_sdp_message_as_text(message) else { return "" }
        defer { unsafe g_free(text) }
        return unsafe String(cString: text)
    }
}
#endif
