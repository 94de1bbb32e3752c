#if Control
internal import PipCompose
internal import PipFrames
internal import PipRig

#if Media
internal import PipMedia
#endif

/// Sends the live picture to viewers, as WebRTC or as Motion JPEG.
final class Previews: Sendable {
    /// The largest number of viewers of each kind.
    static let limit = 16

    #if Media
    private let broadcast = WebRTCBroadcast(viewerLimit: Previews.limit)
    #endif
    private let pictures = CountingLimit(Previews.limit)
    private let thumbnails = Thumbnails()

    /// Connects the WebRTC broadcast to the composed picture.
    ///
    /// The broadcast encodes only while it has viewers.
    func attach(to picture: any FrameProducer) {
        #if Media
        func connect(_ producer: some FrameProducer) { producer --> broadcast }
        connect(picture)
        #endif
    }

    /// The kind of live picture for the page: `webrtc`, or `mjpeg` in a program that was built without media.
    var kind: String {
        #if Media
        "webrtc"
        #else
        "mjpeg"
        #endif
    }

    /// The number of WebRTC and Motion JPEG viewers.
    var viewers: Int {
        #if Media
        broadcast.viewers.count + pictures.count
        #else
        pictures.count
        #endif
    }

    /// Answers a WHEP request of a WebRTC player.
    func answer(_ request: PanelRequest) async -> PanelResponse {
        #if Media
        let body = String(decoding: request.body, as: UTF8.self)
        let asked = WHEPEndpoint.Request(
            method: request.method, path: request.path, headers: request.headers, body: body)
        if request.method == "POST" { await Readiness.wait { broadcast.isRunning } }
        let response = await WHEPEndpoint(broadcast).respond(to: asked)
        guard response.status < 400 else {
            return .problem(Problem(response.status, response.body.split(separator: "\n").joined(separator: " ")))
        }
        // The panel adds its own access control headers.
        let headers = response.headers.filter { !$0.key.hasPrefix("Access-Control") }
        return PanelResponse(status: response.status, headers: headers, body: .bytes(Array(response.body.utf8)))
        #else
        return .problem(Problem(503, "this program was built without WebRTC: use /preview.mjpeg"))
        #endif
    }

    /// Answers with a stream of JPEG pictures, until the client disconnects or the composition ends.
    ///
    /// A slow client misses frames: it always receives the newest one.
    ///
    /// Source: RFC 2046 for `multipart`, and Netscape's `x-mixed-replace`.
    func motionJPEG(of live: LiveRig, size: PixelSize?, rate: FrameRate) throws(Problem) -> PanelResponse {
        guard pictures.enter() else {
            throw Problem(429, "there are \(Self.limit) viewers, the limit: try later", headers: ["Retry-After": "10"])
        }
        let place = Lease { [pictures] in pictures.leave() }
        return PanelResponse(
            status: 200,
            headers: ["Content-Type": "multipart/x-mixed-replace; boundary=picture", "Cache-Control": "no-store"],
            body: .stream { write in
                defer { withExtendedLifetime(place) {} }
                let tap = PictureEncoder.tap(size: size, name: "preview")
                let output = await live.attach(tap, at: rate)
                defer { output.remove() }
                let encoder = try PictureEncoder()
                for await frame in tap.frames {
                    let bytes = try encoder.jpeg(of: frame)
                    let head = "--picture\r\nContent-Type: image/jpeg\r\nContent-Length: \(bytes.count)\r\n\r\n"
                    try await write(Array(head.utf8) + bytes + Array("\r\n".utf8))
                }
            })
    }

    /// The JPEG thumbnail of an effect, drawn on the first request.
    func thumbnail(of type: any Effect.Type) async throws -> [UInt8] { try await thumbnails.picture(of: type) }
}
#endif
