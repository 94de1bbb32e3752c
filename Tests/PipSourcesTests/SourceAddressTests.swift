import Testing

@testable import PipSources

@Suite("Addresses of streams")
struct SourceAddressTests {
    @Test(
        "addresses are displayed without user and query",
        arguments: [
            ("rtsp://camera/live", "rtsp://camera/live"),
            ("rtsp://admin:pw@camera:554/live", "rtsp://…@camera:554/live"),
            ("srt://1.2.3.4:9000?passphrase=12345678", "srt://1.2.3.4:9000?…"),
            ("https://u:p@h/a.m3u8?token=x#y", "https://…@h/a.m3u8?…"), ("rtsp://a:b@c@host/x@y", "rtsp://…@host/x@y"),
            ("HTTP://host", "HTTP://host"), ("rtsp://[::1]:554/a", "rtsp://[::1]:554/a"),
            ("rtmp://h/app/key-4711", "rtmp://h/app/…"), ("rtmp://h/app", "rtmp://h/app"),
            ("rtsp://admin:hidden", "rtsp://…"), ("rtsp://admin:hid/den@host/x", "rtsp://…"),
            ("rtsp://admin:1234567", "rtsp://…"), ("rtsp://admin:0000", "rtsp://…"),
            ("rtsp://admin:98765432109876543210/x", "rtsp://…"), ("rtsp://host:0/x", "rtsp://host:0/x"),
        ])
    func shown(text: String, shown: String) throws {
        let address = try #require(SourceAddress(text))
        #expect(address.shown == shown)
        #expect(address.text == text)
    }

    @Test(
        "paths and unknown protocols are not stream addresses",
        arguments: ["clip.mp4", "/a/b", "rtsp:/x", "file:///a", "rtsp://", "", "://a", "gopher://a"])
    func others(text: String) { #expect(SourceAddress(text) == nil) }

    @Test(
        "addresses with an invalid host or port are refused",
        arguments: [
            ("rtsp:///x", "it has no host"), ("rtsp://a:hidden@", "it has no host"), ("http://:80/", "it has no host"),
            ("rtsp://host:99999/x", "from 1 to 65535"), ("rtsp://host:0/x", "from 1 to 65535"),
            ("rtsp://host:port/x", "a number from 1 to 65535"), ("rtsp://::1/x", "a number from 1 to 65535"),
            ("rtsp://[::1]x/", "a number from 1 to 65535"),
            ("srt://host", "it has no port"), ("srt://:9000", "it has no host"), ("udp://:5000", "udp://0.0.0.0:5000"),
        ])
    func mistakes(text: String, mistake: String) throws {
        let address = try #require(SourceAddress(text))
        #expect(address.mistake?.contains(mistake) == true, "\(String(describing: address.mistake))")
        #expect(!address.shown.contains("hidden"))
    }

    @Test(
        "usual addresses are accepted",
        arguments: [
            "rtsp://camera/live", "rtsp://u:p@[::1]:554/a", "srt://:9000?mode=listener", "udp://239.1.2.3:5000",
            "https://h/a.m3u8?token=x", "rtmp://h/app/key",
        ])
    func usual(text: String) throws { #expect(try #require(SourceAddress(text)).mistake == nil) }

    @Test(
        "addresses of any protocol in a text are displayed without secrets",
        arguments: [
            ("nothing: a://", "nothing: a://"), ("ftp://u:hidden@h/x.mp4 and", "ftp://…@h/x.mp4 and"),
            ("GET 'https://h/a?hidden': no, whip+https://u@h/b", "GET 'https://h/a?…': no, whip+https://…@h/b"),
        ])
    func texts(text: String, shown: String) { #expect(SourceAddress.hiding(in: text) == shown) }

    @Test("addresses in elements, and the elements' passwords, are not displayed")
    func elements() {
        let elements = SourceElements(
            #"rtspsrc location="rtsp://u:hidden1@h/a?hidden2" user-pw="hid den3" ! srtsrc passphrase=hidden4 ! x a=b"#)
        #expect(
            elements.shown
                == #"rtspsrc location="rtsp://…@h/a?…" user-pw=… ! srtsrc passphrase=… ! x a=b"#, "\(elements.shown)")
        #expect(elements.masked("hidden4 and hid den3 of rtsp://u:p@h/") == "… and … of rtsp://…@h/")
    }

    @Test(
        "the server is the host and the TCP port, by default the protocol's own",
        arguments: [
            ("rtsp://u:p@cam/live", "cam:554"), ("rtsp://cam:8554/live", "cam:8554"), ("RTSPS://cam", "cam:322"),
            ("rtmp://h/app/key", "h:1935"), ("https://h/a:b?c@d", "h:443"), ("http://[::1]:8080/x", "::1:8080"),
            ("http://[fe80::1]", "fe80::1:80"), ("srt://h:9000", nil), ("udp://h:9000", nil), ("rtsp://u:p/x@cam", nil),
        ])
    func server(text: String, expected: String?) throws {
        let server = try #require(SourceAddress(text)).server
        #expect(server.map { "\($0.host):\($0.port)" } == expected)
    }

    @Test("passwords are removed from messages, in both spellings")
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
