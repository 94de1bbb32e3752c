import Glibc
import Testing

@testable import PipDisplay

@Suite("Addresses and keys of X servers")
struct XAddressTests {
    @Test(
        "addresses are parsed as X clients parse them",
        arguments: [
            (":0", "", 0, 0), (":1.2", "", 1, 2), ("unix:0", "", 0, 0), ("localhost:10.0", "localhost", 10, 0),
            ("[::1]:3", "::1", 3, 0), ("host.example.org:0.1", "host.example.org", 0, 1),
        ])
    func reads(_ text: String, _ host: String, _ number: Int, _ screen: Int) throws {
        let address = try #require(XAddress(text))
        #expect(address.host == host && address.number == number && address.screen == screen)
    }

    @Test("invalid addresses are refused", arguments: ["", "0", ":", ":a", ":0.", ":0.0.0", ":-1", ":99999"])
    func refuses(_ text: String) { #expect(XAddress(text) == nil) }

    /// An entry of an authority file.
    private func entry(_ family: Int, _ host: String, _ number: String, _ key: [UInt8]) -> [UInt8] {
        var bytes = [UInt8(family >> 8), UInt8(family & 255)]
        for field in [Array(host.utf8), Array(number.utf8), Array("MIT-MAGIC-COOKIE-1".utf8), key] {
            bytes += [0, UInt8(field.count)] + field
        }
        return bytes
    }

    @Test("the key is the one for the display, on this machine or on any")
    func keys() throws {
        let file = XAuthority(
            entry(256, "other", "0", [1]) + entry(256, "here", "1", [2]) + entry(256, "here", "0", [3])
                + entry(65535, "", "", [4]))
        func key(_ display: String) throws -> [UInt8]? {
            file.key(of: try #require(XAddress(display)), hostName: "here")?.data
        }
        #expect(try key(":0") == [3] && key(":1") == [2] && key(":2") == [4])
        #expect(try key("localhost:1") == [2] && key("other:0") == [1] && key("third:0") == [4])
    }

    @Test("a truncated authority file has the keys before its end")
    func cutOff() throws {
        let whole = entry(256, "here", "0", [1, 2, 3])
        let address = try #require(XAddress(":0"))
        for count in 0..<whole.count {
            #expect(XAuthority(Array(whole[..<count])).key(of: address, hostName: "here") == nil)
        }
        #expect(XAuthority(whole).key(of: address, hostName: "here")?.data == [1, 2, 3])
    }

    @Test(
        "the server's reason is told when it refuses (0), and when it asks for another authentication (2)",
        arguments: [0, 2] as [UInt8])
    func reasons(answer kind: UInt8) throws {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        #expect(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
        defer { close(ends[1]) }
        let socket = DisplaySocket(ends[0], to: "test")
        let address = try #require(XAddress(":0"))
        // A reason of 22 bytes, filled up to six words. Only the answer 0 has the reason's length.
        let answer = [kind, kind == 0 ? 22 : 0, 11, 0, 0, 0, 6, 0] + Array("Authorization required".utf8) + [0, 0]
        #expect(unsafe write(ends[1], answer, answer.count) == answer.count)
        let error = #expect(throws: DisplayError.self) { try XSetup(socket, address, key: nil) }
        #expect(error?.reason.contains("refuses the connection: Authorization required; set") == true)
    }

    @Test("a truncated connection setup is refused")
    func setupCutOff() {
        // One screen with depth 24 and one visual, preceded by one pixmap format.
        var answer = [UInt8](repeating: 0, count: 40)
        (answer[28], answer[29], answer[12], answer[26]) = (1, 1, 7, 0xff)
        answer += [24, 32, 32, 0, 0, 0, 0, 0]
        var screen = [UInt8](repeating: 0, count: 40)
        (screen[0], screen[20], screen[22], screen[32], screen[38], screen[39]) = (9, 64, 48, 5, 24, 1)
        answer += screen + [24, 0, 1, 0, 0, 0, 0, 0]
        answer += [5, 0, 0, 0, 4, 8, 0, 0, 0, 0, 0xff, 0, 0, 0xff, 0, 0, 0xff, 0, 0, 0, 0, 0, 0, 0]
        #expect(XSetup(answer, screen: 0)?.root == 9)
        #expect(XSetup(answer, screen: 1) == nil)
        for count in 0..<answer.count { #expect(XSetup(Array(answer[..<count]), screen: 0) == nil, "\(count)") }
    }
}
