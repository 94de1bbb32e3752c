#if Media
internal import CGStreamer
internal import Glibc
internal import PipSinks
internal import SystemPackage

/// The description file of an RTP stream for players, in the Session Description Protocol (SDP): addresses and formats.
///
/// Source: RFC 8866.
struct StreamDescriptionFile {
    /// A track of the stream: the format and the port of its RTP packets.
    @safe final class Track {
        /// The caps of the payloader's RTP packets.
        fileprivate let caps: UnsafeMutablePointer<GstCaps>
        fileprivate let port: Int

        /// Creates a track.
        ///
        /// - Parameters:
        ///   - caps: The caps of the payloader's RTP packets. The track takes over the reference.
        ///   - port: The UDP port to which the packets are sent.
        @unsafe init(_ caps: UnsafeMutablePointer<GstCaps>, port: Int) {
            unsafe self.caps = unsafe caps
            self.port = port
        }

        deinit { unsafe gst_caps_unref(caps) }
    }

    let path: String

    /// Creates the description without writing it.
    ///
    /// - Parameter path: The path of the file. Writing replaces an existing file in one step.
    init(_ path: String) { self.path = path }

    /// Checks early that the file can be written, so that an error does not come only with the first packet.
    ///
    /// - Throws: ``PipSinks/SinkError`` when the folder is missing or not writable, or when the path is not a
    ///   regular file.
    func checkFolder() throws(SinkError) {
        if unsafe access(folder(of: path), W_OK | X_OK) != 0 {
            throw SinkError.cannotCreate(path, Errno(rawValue: errno))
        }
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw SinkError(
                path, "open", .invalidOptions,
                "the description of a stream must be a regular file, not a folder, a pipe or a device")
        }
    }

    /// Replaces the file by a description of the tracks, in one step.
    ///
    /// - Parameters:
    ///   - tracks: The tracks, in the order in which the file lists them.
    ///   - address: The address of the receivers.
    /// - Throws: ``PipSinks/SinkError`` when the file cannot be written.
    func write(_ tracks: [Track], to address: StreamAddress) throws(SinkError) {
        try WholeFile.replace(path, with: Array(Self.text(tracks, to: address).utf8))
    }

    /// Returns the text of the description, in SDP.
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
