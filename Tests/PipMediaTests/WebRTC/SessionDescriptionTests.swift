#if Media
import PipFrames
import Testing

@testable import PipMedia

@Suite("Session descriptions")
struct SessionDescriptionTests {
    /// A player's offer with a bundle: the audio section comes first, and the video section uses the audio section's
    /// transport.
    private static let bundled = """
        v=0
        o=- 1 2 IN IP4 127.0.0.1
        s=-
        t=0 0
        a=group:BUNDLE a v
        m=audio 9 UDP/TLS/RTP/SAVPF 111 63
        a=mid:a
        a=recvonly
        a=ice-ufrag:user
        a=ice-pwd:password
        a=fingerprint:sha-256 AA
        a=setup:actpass
        a=candidate:1 1 UDP 1 192.0.2.1 5000 typ host
        a=rtpmap:111 opus/48000/2
        m=video 0 UDP/TLS/RTP/SAVPF 96 97 98 99
        a=mid:v
        a=bundle-only
        a=recvonly
        a=rtpmap:96 VP8/90000
        a=rtpmap:97 H264/90000
        a=fmtp:97 packetization-mode=0;profile-level-id=42e01f
        a=rtpmap:98 H264/90000
        a=fmtp:98 level-asymmetry-allowed=1; packetization-mode=1; profile-level-id=64001F
        a=rtpmap:99 H264/90000
        a=fmtp:99 packetization-mode=1;profile-level-id=42E01F
        """

    @Test("an invalid text is refused", arguments: ["", "hello", "v=1", "v=0\nhello", "v=0\r\nm=video\r\n"])
    func mistakes(text: String) {
        #expect(throws: MediaError.self) { try SessionDescription(text) }
    }

    @Test("a description that is too large is refused")
    func large() {
        let text = "v=0\n" + String(repeating: "a=x\n", count: 30_000)
        #expect(throws: MediaError.self) { try SessionDescription(text) }
    }

    @Test("a description's text is its lines")
    func text() throws {
        let description = try SessionDescription(Self.bundled)
        #expect(description.text == Self.bundled.split(separator: "\n").map { $0 + "\r\n" }.joined())
        #expect(try SessionDescription(description.text) == description)
    }

    @Test("the least demanding H.264 format with whole packets is chosen, and VP8 by its name")
    func codecs() throws {
        let video = try SessionDescription(Self.bundled).sections[1]
        #expect(try VideoTrack(.webRTC(.h264), in: video).payload == 99)
        #expect(try VideoTrack(.webRTC(.vp8), in: video).payload == 96)
        let error = #expect(throws: MediaError.self) { try VideoTrack(VideoEncoding(.vp9), in: video) }
        #expect(error?.reason == "the viewer does not play VP9, but VP8, H264")
    }

    @Test("a section that is taken out of a bundle gets the bundle's transport")
    func reduced() throws {
        let offer = try SessionDescription(Self.bundled)
        let video = try #require(offer.receivingVideo)
        let reduced = offer.reduced(to: [video])
        #expect(reduced.head.last == "a=group:BUNDLE v")
        #expect(reduced.sections.count == 1)
        let lines = reduced.sections[0].lines
        #expect(lines[0] == "m=video 9 UDP/TLS/RTP/SAVPF 96 97 98 99")
        for line in ["a=ice-ufrag:user", "a=setup:actpass", "a=candidate:1 1 UDP 1 192.0.2.1 5000 typ host"] {
            #expect(lines.contains(line))
        }
        #expect(!lines.contains("a=bundle-only"))
    }

    @Test("an answer has a section for each of the offer's sections, and refuses the unused ones")
    func expanded() throws {
        let offer = try SessionDescription(Self.bundled)
        let answer = try SessionDescription(
            """
            v=0
            a=group:BUNDLE v
            m=video 9 UDP/TLS/RTP/SAVPF 99
            a=mid:v
            a=fmtp:99 packetization-mode=1
            """
        ).expanded(answering: offer, at: [1])
        #expect(
            answer.sections.map { $0.lines[0] } == [
                "m=audio 0 UDP/TLS/RTP/SAVPF 111 63", "m=video 9 UDP/TLS/RTP/SAVPF 99",
            ])
        #expect(answer.sections[0].lines.contains("a=inactive"))
        #expect(answer.head.last == "a=group:BUNDLE v")
        #expect(answer.sections[1].lines.last == "a=fmtp:99 packetization-mode=1;profile-level-id=42e01f")
    }

    @Test("sound is answered beside the picture, in the offer's order")
    func sound() throws {
        let offer = try SessionDescription(Self.bundled)
        let audio = try #require(offer.receivingSound)
        #expect(SoundTrack(in: offer.sections[audio])?.payload == 111)
        let reduced = offer.reduced(to: [1, audio])
        #expect(reduced.sections.map(\.kind) == ["audio", "video"])
        #expect(reduced.head.last == "a=group:BUNDLE a v")
        let answer = reduced.expanded(answering: offer, at: [1, audio])
        #expect(answer.sections.map(\.kind) == offer.sections.map(\.kind))
        #expect(answer.head.last == "a=group:BUNDLE a v")
        let other = try SessionDescription("v=0\nm=audio 9 RTP 0\na=rtpmap:0 PCMU/8000")
        #expect(SoundTrack(in: other.sections[0]) == nil)
    }

    @Test("a video section that sends, or is refused, is not answered")
    func direction() throws {
        for line in ["a=sendonly", "a=inactive"] {
            #expect(try SessionDescription("v=0\n\(line)\nm=video 9 RTP 96").receivingVideo == nil)
            #expect(try SessionDescription("v=0\nm=video 9 RTP 96\n\(line)").receivingVideo == nil)
        }
        #expect(try SessionDescription("v=0\nm=video 0 RTP 96").receivingVideo == nil)
        #expect(try SessionDescription("v=0\nm=audio 9 RTP 0\nm=video 9 RTP 96").receivingVideo == 1)
    }
}

@Suite("ICE servers")
struct ICEServerTests {
    @Test("addresses get their default port and the engine's form")
    func addresses() throws {
        #expect(try ICEServer("stun:stun.example.org").location() == .stun("stun://stun.example.org:3478"))
        #expect(try ICEServer("stun:[2001:db8::1]:99").location() == .stun("stun://[2001:db8::1]:99"))
        let turn = ICEServer("turn:example.org?transport=tcp", username: "17:car/7", credential: "a@b%")
        #expect(try turn.location() == .turn("turn://17%3Acar%2F7:a%40b%25@example.org:3478?transport=tcp"))
        let secure = ICEServer("turns:example.org", username: "u", credential: "p")
        #expect(try secure.location() == .turn("turns://u:p@example.org:5349"))
    }

    @Test(
        "an invalid address is an error that does not show the password",
        arguments: ["example.org", "http:example.org", "stun:", "stun:a b", "turn:example.org?transport=sctp"])
    func mistakes(address: String) {
        let server = ICEServer(address, username: "u", credential: "hidden")
        let error = #expect(throws: MediaError.self) { try server.location() }
        #expect(error?.reason.contains("hidden") == false)
    }

    @Test("TURN needs a user name and a password")
    func credential() {
        #expect(throws: MediaError.self) { try ICEServer("turn:example.org").location() }
    }
}

@Suite("Requests for key frames")
struct KeyRequestsTests {
    @Test("a new viewer's request is granted at once, and answers those that wait")
    func newViewers() {
        var requests = KeyRequests()
        func at(_ milliseconds: Int) -> Timestamp { .zero.advanced(by: .seconds(10) + .milliseconds(milliseconds)) }
        var granted: [Int] = []
        for time in stride(from: 0, through: 900, by: 30) {
            if [0, 60, 390].contains(time) { requests.request() }
            if [30, 90, 120].contains(time) { requests.requestAtOnce() }
            if requests.grant(for: at(time)) { granted.append(time) }
        }
        // The request at 60 is granted at 90, and the request at 390 only 300 ms after 120.
        #expect(granted == [0, 30, 90, 120, 420])
    }

    @Test("simultaneous requests get one key frame, and later requests get one after a delay")
    func grants() {
        var requests = KeyRequests()
        func at(_ milliseconds: Int) -> Timestamp { .zero.advanced(by: .seconds(10) + .milliseconds(milliseconds)) }
        var granted: [Int] = []
        for time in stride(from: 0, through: 900, by: 30) {
            if [30, 60, 90, 300].contains(time) { requests.request() }
            if requests.grant(for: at(time)) { granted.append(time) }
        }
        // The requests at 60 and 90 are granted at 330, together with the request at 300.
        #expect(granted == [30, 330])
    }
}
#endif
