import PipFrames
import Testing

@Suite("The part of an address that names its server")
struct AuthorityTests {
    private struct Parts: Equatable {
        let user: String?
        let password: String?
        let host: String
        let port: String?

        init(_ user: String?, _ password: String?, _ host: String, _ port: String?) {
            (self.user, self.password, self.host, self.port) = (user, password, host, port)
        }

        init(_ authority: Authority) {
            self.init(
                authority.user.map(String.init), authority.password.map(String.init), authority.host,
                authority.port.map(String.init))
        }
    }

    @Test("is split at the last @, at the first colon and at brackets")
    func parts() {
        for (text, parts) in [
            ("camera", Parts(nil, nil, "camera", nil)),
            ("camera:554", Parts(nil, nil, "camera", "554")),
            ("camera:", Parts(nil, nil, "camera", "")),
            ("[fe80::1]", Parts(nil, nil, "fe80::1", nil)),
            ("[fe80::1]:8080", Parts(nil, nil, "fe80::1", "8080")),
            ("[fe80::1]8080", Parts(nil, nil, "fe80::1", "?")),
            ("fe80::1", Parts(nil, nil, "fe80", ":1")),
            ("user@camera", Parts("user", nil, "camera", nil)),
            ("user:a:b@c@camera:1", Parts("user", "a:b@c", "camera", "1")),
            (":secret@camera", Parts("", "secret", "camera", nil)),
            ("", Parts(nil, nil, "", nil)),
        ] {
            #expect(Parts(Authority(text[...])) == parts, "\(text)")
        }
    }

    @Test("has a port of digits up to 65535")
    func ports() {
        for (text, number) in [
            ("h:1", 1), ("h:65535", 65_535), ("h:0", nil), ("h:65536", nil), ("h:+80", nil), ("h:-1", nil),
            ("h:٣", nil),
            ("h:", nil), ("h", nil), ("h:99999999999999999999", nil), ("fe80::1", nil),
        ] {
            #expect(Authority(text[...]).portNumber() == number, "\(text)")
        }
        #expect(Authority("h:0").portNumber(from: 0) == 0)
    }

    @Test("is written with an IPv6 address in brackets")
    func text() {
        #expect(Authority.text("camera", 554) == "camera:554")
        #expect(Authority.text("fe80::1", 554) == "[fe80::1]:554")
        #expect(Authority.text("fe80::1") == "[fe80::1]")
    }
}
