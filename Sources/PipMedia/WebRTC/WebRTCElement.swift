#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// The GStreamer element `webrtcbin` in a pipeline.
///
/// Methods that negotiate block until the element replies: call them on threads of their own.
struct WebRTCElement: Sendable {
    /// The states of a peer connection, with GStreamer's numbers.
    enum State: Int32, Sendable {
        case new, connecting, connected, disconnected, failed, closed
    }

    /// The properties that show the progress of a connection.
    enum Property: String {
        case gathering = "ice-gathering-state"
        case connection = "connection-state"
    }

    private static let name = "peer"
    private let pipeline: Pipeline

    /// Wraps the element of a pipeline.
    ///
    /// - Parameter pipeline: A pipeline that has a `webrtcbin` named `peer`.
    init(of pipeline: Pipeline) { self.pipeline = pipeline }

    /// Makes the certificate of all connections of this process on a new thread, because this takes tenths of a second.
    static func prepareCertificate() {
        // GStreamer makes the certificate for the first element that needs it, and keeps the certificate.
        _ = WorkerThread(name: "pip-certificate") {
            guard let element = unsafe gst_element_factory_make("dtlsdec", nil) else { return }
            unsafe gst_object_unref(gst_object_ref_sink(element))
        }
    }

    /// Sets the ICE servers, and switches UPnP off.
    ///
    /// UPnP, by which ICE asks routers to open ports, would send messages to the whole network for each connection.
    ///
    /// - Throws: ``MediaError`` when an address is invalid, or when a TURN server lacks its user name or credential.
    func use(_ servers: [ICEServer]) throws(MediaError) {
        unsafe pipeline.withElement(Self.name) { unsafe pip_webrtc_use_no_upnp($0) }
        for server in servers {
            switch try server.location() {
            case .stun(let address): pipeline.set("stun-server", of: Self.name, to: address)
            case .turn(let address):
                let isTaken = unsafe pipeline.withElement(Self.name) {
                    unsafe pip_webrtc_add_turn_server($0, address) != 0
                }
                guard isTaken else {
                    throw MediaError(
                        kind: .failed, reason: "\(server.address) is not a valid TURN address of an ICE server")
                }
            }
        }
    }

    /// Sets the codec of a track.
    ///
    /// - Parameters:
    ///   - track: The track's number, in the order of the pipeline's description.
    ///   - codec: The RTP caps of the codec, for the negotiation.
    ///   - repeats: True to send packets again that the peer reports as lost.
    func prepare(track: Int32, _ codec: PacketFormat, repeats: Bool) {
        unsafe pipeline.withElement(Self.name) {
            _ = unsafe pip_webrtc_prepare($0, track, codec.caps, repeats ? 1 : 0)
        }
    }

    /// The kind of a description in a negotiation.
    enum Part: String {
        case offer, answer

        fileprivate var type: Int32 { self == .offer ? PIP_WEBRTC_OFFER : PIP_WEBRTC_ANSWER }
    }

    /// Makes the description of this side, and sets it as the local description.
    ///
    /// - Throws: ``MediaError`` when the two sides cannot agree, or when GStreamer fails.
    func describe(as part: Part) throws(MediaError) {
        let promise = unsafe gst_promise_new()
        defer { unsafe gst_promise_unref(promise) }
        unsafe pipeline.withElement(Self.name) {
            unsafe pip_webrtc_ask($0, "create-\(part.rawValue)", promise)
        }
        let reply = unsafe try Self.reply(to: promise)
        guard let reply = unsafe reply, let value = unsafe gst_structure_get_value(reply, part.rawValue),
            let boxed = unsafe g_value_get_boxed(value)
        else { throw MediaError(kind: .failed, reason: "GStreamer makes no \(part.rawValue)") }
        let description = unsafe boxed.assumingMemoryBound(to: PipSessionDescription.self)
        unsafe try set("local", description)
    }

    /// Sets the description of the other side as the remote description.
    ///
    /// - Throws: ``MediaError`` when the description is invalid.
    func accept(_ text: String, as part: Part) throws(MediaError) {
        var message: UnsafeMutablePointer<GstSDPMessage>?
        guard unsafe gst_sdp_message_new_from_text(text, &message) == GST_SDP_OK, let message = unsafe message else {
            throw MediaError(kind: .failed, reason: "the session description (SDP) cannot be read")
        }
        defer { unsafe gst_sdp_message_free(message) }
        var description = unsafe PipSessionDescription(type: part.type, sdp: message)
        unsafe try set("remote", &description)
    }

    private func set(_ side: String, _ description: UnsafePointer<PipSessionDescription>) throws(MediaError) {
        let promise = unsafe gst_promise_new()
        defer { unsafe gst_promise_unref(promise) }
        unsafe pipeline.withElement(Self.name) {
            unsafe pip_webrtc_set_description($0, "set-\(side)-description", description, promise)
        }
        _ = unsafe try Self.reply(to: promise)
    }

    /// Waits for the reply to a call, which the promise owns; nil for a reply without values.
    private static func reply(
        to promise: UnsafeMutablePointer<GstPromise>?
    ) throws(MediaError) -> UnsafePointer<GstStructure>? {
        guard unsafe gst_promise_wait(promise) == GST_PROMISE_RESULT_REPLIED else {
            throw MediaError(kind: .failed, reason: "the connection was closed")
        }
        guard let reply = unsafe gst_promise_get_reply(promise) else { return nil }
        if let value = unsafe gst_structure_get_value(reply, "error"), let boxed = unsafe g_value_get_boxed(value) {
            let error = unsafe boxed.assumingMemoryBound(to: GError.self)
            throw MediaError(kind: .failed, reason: unsafe String(cString: error.pointee.message))
        }
        return unsafe reply
    }

    /// The local description with the ICE candidates found so far; nil before there is a description.
    var localDescription: String? {
        unsafe pipeline.withElement(Self.name) { element in
            guard let text = unsafe pip_webrtc_local_description(element) else { return nil }
            defer { unsafe g_free(text) }
            return unsafe String(cString: text)
        }
    }

    /// True when the search for ICE candidates has ended.
    var hasAllCandidates: Bool {
        number(in: .gathering) == PIP_WEBRTC_GATHERING_COMPLETE
    }

    var state: State { State(rawValue: number(in: .connection)) ?? .new }

    private func number(in property: Property) -> Int32 {
        unsafe pipeline.withElement(Self.name) { unsafe pip_enumeration($0, property.rawValue) }
    }

    /// Calls `body` after each change of a property, on one of GStreamer's threads.
    func onChange(of property: Property, _ body: @escaping @Sendable () -> Void) {
        unsafe pipeline.withElement(Self.name) { element in
            unsafe Signal.on("notify::\(property.rawValue)", of: element) { _ in body() }
        }
    }

    /// Requests the RTP counters.
    ///
    /// GStreamer calls `body` with the counters, on one of its threads.
    func askForCounts(_ body: @escaping @Sendable (RTPCounts) -> Void) {
        let box = unsafe Unmanaged.passRetained(Callback(body)).toOpaque()
        let promise = unsafe gst_promise_new_with_change_func(takeCounts, box, release)
        defer { unsafe gst_promise_unref(promise) }
        unsafe pipeline.withElement(Self.name) { unsafe pip_webrtc_ask($0, "get-stats", promise) }
    }
}

/// A box for a function that GStreamer calls; the promise that uses the box releases it.
private final class Callback: Sendable {
    let body: @Sendable (RTPCounts) -> Void
    init(_ body: @escaping @Sendable (RTPCounts) -> Void) { self.body = body }
}

// Global functions, because GStreamer's threads call them, and they may belong to no actor.
private func takeCounts(_ promise: UnsafeMutablePointer<GstPromise>?, _ box: gpointer?) {
    guard let box = unsafe box, unsafe gst_promise_wait(promise) == GST_PROMISE_RESULT_REPLIED,
        let reply = unsafe gst_promise_get_reply(promise)
    else { return }
    unsafe Unmanaged<Callback>.fromOpaque(box).takeUnretainedValue().body(RTPCounts(reply))
}

private func release(_ box: gpointer?) {
    guard let box = unsafe box else { return }
    unsafe Unmanaged<Callback>.fromOpaque(box).release()
}
#endif
