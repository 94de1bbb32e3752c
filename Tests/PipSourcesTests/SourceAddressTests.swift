import Testing

@testable import PipSources

@Suite("Addresses of streams")
struct SourceAddressTests {
    @Test(
        "are shown without user and query",
        arguments: [
            ("rtsp://camera/live", "rtsp://camera/live"),
            ("rtsp://admin:pw@camera:554/live", "rtsp://…@camera:554/live"),
            ("srt://1.2.3.4:9000?passphrase=12345678", "srt://1.2.3.4:9000?…"),
            ("https://u:p@h/a.m3u8?token=x#y", "https://…@h/a.m3u8?…"), ("rtsp://a:b@c@host/x@y", "rtsp://…@host/x@y"),
            ("HTTP://host", "HTTP://host"), ("rtsp://[::1]:554/a", "rtsp://[::1]:554/a"),
        ])
    func shown(text: String, shown: String) throws {
        let address = try #require(SourceAddress(text))
        #expect(address.shown == shown)
        #expect(address.text == text)
    }

    @Test(
        "are told from files",
        arguments: ["clip.mp4", "/a/b", "rtsp:/x", "file:///a", "rtsp://", "", "://a", "gopher://a"])
    func others(text: String) { #expect(SourceAddress(text) == nil) }

    @Test("passwords are taken out of messages, written in either way")
    func masks() throws {
        let address = try #require(SourceAddress("rtsp://admin:p%40ss%21word@cam/live?key=k3y-value&n=1"))
        let message =
            "cannot open rtsp://admin:p%40ss%21word@cam/live?key=k3y-value&n=1 as admin:p@ss!word@cam, "
            + "password p@ss!word, p%40ss%21word, key k3y-value"
        let masked = address.masked(message)
        for secret in ["p%40ss", "p@ss", "k3y-value", "admin:"] { #expect(!masked.contains(secret), "\(masked)") }
        #expect(masked.hasPrefix("cannot open rtsp://…@cam/live?… as "))
        #expect(address.masked("connection refused") == "connection refused")
    }
}
