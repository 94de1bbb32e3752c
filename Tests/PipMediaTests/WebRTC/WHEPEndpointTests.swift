#if Media
import PipCompose
import PipConcurrency
import PipFrames
import PipPatterns
import Testing

@testable import PipMedia

/// Tests the endpoint's responses to requests; ``WHEPTests`` tests the endpoint with real players.
@Suite("The WHEP endpoint", .timeLimit(.minutes(2)))
struct WHEPEndpointTests {
    private typealias Request = WHEPEndpoint.Request

    @Test("a request with a missing or wrong token is refused before it is parsed")
    func token() async {
        let endpoint = WHEPEndpoint(WebRTCBroadcast(), token: "secret")
        for header in [nil, "Bearer", "Bearer secre", "Bearer secrets", "Basic secret"] {
            let headers = header.map { ["Authorization": $0] } ?? [:]
            let response = await endpoint.respond(to: Request(method: "POST", path: "/whep", headers: headers))
            #expect(response.status == 401)
            #expect(response.headers["WWW-Authenticate"] == "Bearer")
        }
        let admitted = await endpoint.respond(
            to: Request(method: "POST", path: "/whep", headers: ["authorization": "Bearer secret"]))
        #expect(admitted.status == 503)
    }

    @Test(
        "invalid requests get the matching status",
        arguments: [
            ("GET", "/whep", "", 405), ("POST", "/other", "", 404), ("PUT", "/whep/x", "", 405),
            ("DELETE", "/whep/x", "", 404), ("DELETE", "/whep/x/y", "", 404), ("PATCH", "/whep/x", "", 405),
            ("OPTIONS", "/whep", "", 204), ("POST", "/whep", "v=0", 415), ("POST", "/whep", "", 503),
        ])
    func statuses(method: String, path: String, body: String, status: Int) async {
        let endpoint = WHEPEndpoint(WebRTCBroadcast())
        let response = await endpoint.respond(to: Request(method: method, path: path, body: body))
        #expect(response.status == status, "\(response.body)")
        #expect(response.headers["Access-Control-Allow-Origin"] == "*")
    }

    @Test("offers that cannot be answered are refused with the reason, and leave no viewer")
    func offers() async throws {
        let picture = Compositor(canvas: PixelSize(64, 48)) { Layer(PatternSource(.bars, size: PixelSize(64, 48))) }
        let broadcast = WebRTCBroadcast(viewerLimit: 1)
        picture --> broadcast
        let endpoint = WHEPEndpoint(broadcast)
        let session = try await Session(picture)
        let running = Task { try await session.run() }
        _ = try await eventually { await offer("", endpoint).status != 503 ? true : nil }
        for viewer in broadcast.viewers { try broadcast.remove(viewer.id) }
        let cases = [
            ("nonsense", 400, "must begin with v=0"), ("v=0\r\nm=audio 9 RTP 0\r\n", 400, "no video section"),
            ("v=0\r\nm=video 9 RTP 96\r\na=sendonly\r\na=rtpmap:96 H264/90000\r\n", 400, "no video section"),
            ("v=0\r\nm=video 9 RTP 96\r\na=rtpmap:96 VP9/90000\r\n", 406, "does not play H.264, but VP9"),
        ]
        for (body, status, reason) in cases {
            let response = await offer(body, endpoint)
            #expect(response.status == status)
            #expect(response.body.contains(reason), "\(response.body)")
        }
        #expect(broadcast.viewers.isEmpty)
        let invited = await offer("", endpoint)
        #expect(invited.status == 201)
        #expect(try SessionDescription(invited.body).sections.map(\.kind) == ["video"])
        let full = await offer("", endpoint)
        #expect(full.status == 503)
        #expect(full.body.contains("the largest number allowed"))
        let location = try #require(invited.headers["Location"])
        #expect(await endpoint.respond(to: Request(method: "DELETE", path: location)).status == 200)
        #expect(broadcast.viewers.isEmpty)
        session.stop()
        try await running.value
    }

    private func offer(_ body: String, _ endpoint: WHEPEndpoint) async -> WHEPEndpoint.Response {
        await endpoint.respond(
            to: Request(method: "POST", path: "/whep", headers: ["Content-Type": "application/sdp"], body: body))
    }
}
#endif
