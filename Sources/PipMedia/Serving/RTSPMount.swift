#if Media
internal import CGStreamer
internal import CRTSPServer
internal import PipConcurrency
internal import PipFrames

/// The streams of one path of an RTSP server: pictures, and sound.
///
/// All players share the packets of one encoder. A player that is too slow is let go by GStreamer.
///
/// Thread: any.
final class RTSPMount: PacketAudience {
    private struct State {
        /// The pipelines that send; a second one only while the first one ends.
        var media: [UInt: RTSPMedium] = [:]
        var requests = KeyRequests()
    }

    let path: String
    /// The user who may play the path; nil for everybody.
    let user: RTSPListener.User?
    private let description: String
    private let server: RTSPServer
    private let state = Monitor(State())

    /// Describes a path, which is not served yet.
    ///
    /// - Parameters:
    ///   - path: The path, with its leading slash.
    ///   - codec: The codec of the pictures.
    ///   - hasSound: True for a path with sound, as AAC.
    ///   - user: The user who may play the path. Nil admits everybody.
    ///   - server: The server.
    init(_ path: String, _ codec: VideoCodec, hasSound: Bool, for user: RTSPListener.User?, on server: RTSPServer) {
        (self.path, self.user, self.server) = (path, user, server)
        let sound = hasSound ? "appsrc name=sound is-live=true ! aacparse ! rtpmp4gpay name=pay1 pt=97 " : ""
        // The server finds the streams by the names of their payloaders.
        description = "( appsrc name=video is-live=true ! \(codec.payloader) name=pay0 \(sound))"
    }

    /// The elements that a path needs.
    static func elements(_ codec: VideoCodec, hasSound: Bool) -> [String] {
        let pictures = codec.payloader.split(separator: "!").compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
        return pictures + (hasSound ? ["aacparse", "rtpmp4gpay"] : [])
    }

    /// Makes GStreamer's object for the path.
    ///
    /// - Parameter isSecure: True for players by TLS: pictures then go through their connection, and never by UDP.
    /// - Returns: The object, which the caller must release or hand on.
    @unsafe func makeFactory(isSecure: Bool) -> OpaquePointer {
        guard let factory = unsafe gst_rtsp_media_factory_new() else {
            preconditionFailure("GLib ends the process when memory is exhausted")
        }
        unsafe gst_rtsp_media_factory_set_launch(factory, description)
        unsafe gst_rtsp_media_factory_set_shared(factory, 1)
        if isSecure { unsafe gst_rtsp_media_factory_set_protocols(factory, pip_rtsp_by_tcp) }
        unsafe Signal.on("media-configure", of: UnsafeMutableRawPointer(factory)) { [weak self] media in
            if let media = unsafe media { unsafe self?.begin(media) }
        }
        return unsafe factory
    }

    private func begin(_ media: UnsafeMutableRawPointer) {
        let key = UInt(bitPattern: media)
        guard let bin = unsafe gst_rtsp_media_get_element(OpaquePointer(media)) else { return }
        defer { unsafe gst_object_unref(bin) }
        guard let medium = unsafe RTSPMedium(in: bin, onKeyRequest: { [weak self] in self?.requestKeyFrame() }) else {
            return
        }
        unsafe Signal.on("unprepared", of: media) { [weak self] in
            self?.state.update { $0.media[key] = nil }
        }
        state.update { state in
            state.media[key] = medium
            state.requests.requestAtOnce()
        }
    }

    /// Makes one of the next frames a key frame.
    func requestKeyFrame() { state.update { $0.requests.request() } }

    // MARK: The sender's threads

    var threadName: String { "pip-rtsp" }

    private var media: [RTSPMedium] { state.read { Array($0.media.values) } }

    var isConnected: Bool { state.read { !$0.media.isEmpty } }

    func grantKey(for frame: Frame) -> Bool { state.update { $0.requests.grant(for: frame.timestamp) } }

    func push(_ packet: Packet) -> Bool {
        var isTaken = false
        for medium in media where medium.push(packet) { isTaken = true }
        return isTaken
    }

    func push(sound packet: Packet) {
        for medium in media { medium.push(sound: packet) }
    }

    func check() {
        for (key, medium) in state.read({ $0.media }) where medium.hasFailed { state.update { $0.media[key] = nil } }
    }

    func close() {
        for medium in media { medium.end() }
        server.remove(self)
        state.update { $0.media = [:] }
    }
}
#endif
