import Foundation
import PipCompose
import PipPanelSupport
import PipTestSupport
import Synchronization
import Testing

@testable import PipControl
@testable import PipRig

@Suite("Access to the panel", .timeLimit(.minutes(3)), .serialized)
struct AccessTests {
    @Test(
        "a panel address is parsed in all its forms",
        arguments: [
            ("8080", "127.0.0.1:8080", true), ("0.0.0.0:80", "0.0.0.0:80", false), ("[::1]:9000", "[::1]:9000", true),
            ("unix:/run/p.sock", "unix:/run/p.sock", true), ("localhost:1", "localhost:1", true),
            ("127.evil.example:80", "127.evil.example:80", false),
        ])
    func addresses(_ text: String, _ shown: String, _ isLocal: Bool) throws {
        let address = try PanelAddress(text)
        #expect(address.description == shown && address.isLocal == isLocal)
    }

    @Test(
        "invalid panel addresses are refused",
        arguments: ["", "x", "127.0.0.1", "1:2:3", "unix:", "host:99999", ":80", "a b:80"])
    func noAddress(_ text: String) { #expect(throws: PanelError.self) { try PanelAddress(text) } }

    @Test("row 64: an address that others can reach needs a token; five wrong tokens lock the address for a minute")
    func tokens() throws {
        #expect(throws: PanelError.self) { try PanelOptions(.host("0.0.0.0", port: 80)) }
        #expect(throws: PanelError.self) { try PanelOptions(.host("0.0.0.0", port: 80), token: "short") }
        let clock = Mutex(ContinuousClock.now)
        let access = Access(
            try PanelOptions(.host("0.0.0.0", port: 80), token: "open sesame"), hostName: "dash",
            now: { clock.withLock { $0 } })
        func ask(_ token: String, from peer: String = "10.0.0.1") -> Int {
            var request = PanelRequest(method: "GET", path: "/api/v1/state")
            request.headers["authorization"] = "Bearer \(token)"
            request.peer = peer
            do throws(Problem) { try access.checkToken(request) } catch { return error.status }
            return 200
        }
        #expect(ask("open sesame") == 200)
        for _ in 0..<5 { #expect(ask("open Sesame") == 401) }
        #expect(ask("open sesame") == 429, "the right one, too, while it is locked")
        #expect(ask("open sesame", from: "10.0.0.2") == 200)
        clock.withLock { $0 = $0.advanced(by: .seconds(61)) }
        #expect(ask("open sesame") == 200)
        FaultReport.record(row: 64, figures: "5 wrong tokens, then 60 s locked")
    }

    @Test("row 63: requests for other hosts and from other pages are refused, and reading changes nothing")
    func origins() async throws {
        try await RunningPanel.run { panel in
            let body = #"{"z": 1}"#
            let host = String(panel.address.dropFirst("http://".count))
            for name in ["evil.example", "evil.example:80", "127.0.0.1.evil.example"] {
                #expect(try await panel.send("GET", "/api/v1/state", headers: ["Host": name]).status == 403)
            }
            let origins = ["https://evil.example", "null", "http://\(host).evil.example"]
            for origin in origins {
                let answer = try await panel.send("PATCH", "/api/v1/layers/road", body, headers: ["Origin": origin])
                #expect(answer.status == 403 && answer.headers["access-control-allow-origin"] == nil)
            }
            let form = ["Content-Type": "application/x-www-form-urlencoded"]
            #expect(try await panel.send("POST", "/api/v1/swap", "a=b", headers: form).status == 415)
            #expect(
                try await panel.send("POST", "/api/v1/swap", "{}", headers: ["Content-Type": "text/plain"]).status
                    == 415)
            let cross = ["Sec-Fetch-Site": "cross-site"]
            #expect(try await panel.send("PATCH", "/api/v1/layers/road", body, headers: cross).status == 403)
            #expect(panel.live.snapshot.revision == 1)
            let own = ["Origin": panel.address]
            #expect(try await panel.send("PATCH", "/api/v1/layers/road", body, headers: own).status == 200)
        }
        FaultReport.record(row: 63, figures: "3 hosts, 3 origins and 2 forms refused")
    }

    @Test("a session begins with the token and ends; its cookie is for this site alone")
    func sessions() async throws {
        try await RunningPanel.run(token: "open sesame") { panel in
            #expect(try await panel.send("GET", "/api/v1/state").status == 401)
            #expect(try await panel.send("GET", "/").status == 200, "the page asks for the token")
            #expect(try await panel.send("POST", "/login", #"{"token": "wrong one"}"#).status == 401)
            let login = try await panel.send("POST", "/login", #"{"token": "open sesame"}"#)
            let cookie = try #require(login.headers["set-cookie"])
            #expect(login.status == 204 && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
            let headers = ["Cookie": String(cookie.prefix { $0 != ";" })]
            #expect(try await panel.send("GET", "/api/v1/state", headers: headers).status == 200)
            #expect(try await panel.send("POST", "/logout", "{}", headers: headers).status == 204)
            #expect(try await panel.send("GET", "/api/v1/state", headers: headers).status == 401)
        }
    }

    @Test("row 62: hostile HTTP is refused with the right status, and the panel keeps serving")
    func hostile() async throws {
        try await RunningPanel.run { panel in
            let host = "Host: \(panel.address.dropFirst("http://".count))\r\n"
            let close = "Connection: close\r\n\r\n"
            #expect(try await panel.raw("GARBAGE\r\n\r\n").status == 400)
            #expect(try await panel.raw("GET / HTTP/1.1\r\n\(close)").status == 400, "no host")
            let long = String(repeating: "x", count: 100_000)
            #expect(
                [0, 400, 431].contains(try await panel.raw("GET / HTTP/1.1\r\n\(host)X: \(long)\r\n\(close)").status))
            let twice = "POST /api/v1/swap HTTP/1.1\r\n\(host)Content-Length: 2\r\nContent-Length: 3\r\n\(close){}"
            #expect(try await panel.raw(twice).status == 400)
            let big = try await panel.send("PATCH", "/api/v1/layers/road", String(repeating: " ", count: 70_000))
            #expect(big.status == 413)
            // The client sends only the first of the body's ten bytes.
            let slow =
                "PATCH /api/v1/layers/road HTTP/1.1\r\n\(host)Content-Type: application/json\r\nContent-Length: 10\r\n\(close){"
            #expect(try await panel.raw(slow).status == 408)
            #expect(try await panel.send("HEAD", "/").status == 200)
            #expect(try await panel.send("GET", "/healthz").status == 200)
        }
    }

    @Test("row 61: of fifty viewers, some of whom never read, sixteen are accepted, and the picture continues")
    func viewers() async throws {
        try await RunningPanel.run { panel in
            let port = UInt16(panel.address.split(separator: ":").last.flatMap { Int($0) } ?? 0)
            let request = "GET /preview.mjpeg HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
            var connections: [Int32] = []
            for _ in 0..<16 {
                let connection = try RunningPanel.connect(port)
                _ = unsafe Array(request.utf8).withUnsafeBytes {
                    unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                connections.append(connection)
            }
            defer { for connection in connections { close(connection) } }
            try await panel.wait(for: "a picture for each") { _ in true }
            var refused = 0
            for _ in 0..<34 where try await panel.send("GET", "/preview.mjpeg").status == 429 { refused += 1 }
            #expect(refused == 34)
            let before = panel.live.session.statistics.output
            while panel.live.session.statistics.output.frames < before.frames + 30 { await Task.yield() }
            let after = panel.live.session.statistics.output
            FaultReport.record(
                row: 61, figures: "16 looked, 34 refused; \(after.missed - before.missed) of 30 frames missed")
        }
    }
}

/// A reproducible random number generator.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    // Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
