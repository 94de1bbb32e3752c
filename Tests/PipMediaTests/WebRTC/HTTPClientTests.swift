#if Media
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("The HTTP client")
struct HTTPClientTests {
    @Test("a body of a million bytes is read, and a larger one is refused with its limit", arguments: [0, 1])
    func largestBody(surplus: Int) async throws {
        let bytes = 1_000_000 + surplus
        let server = try TestServer { _ in .init(status: 200, body: String(repeating: "x", count: bytes)) }
        defer { withExtendedLifetime(server) {} }
        let address = "http://127.0.0.1:\(server.port)/"
        let result = await onThread { () throws(MediaError) -> Int in
            try HTTPClient.send("POST", to: address, within: .seconds(60)).body.utf8.count
        }
        let tooLarge = MediaError(kind: .network, reason: "the response is larger than 1 MB")
        let expected: Result<Int, MediaError> = surplus == 0 ? .success(bytes) : .failure(tooLarge)
        #expect(result == expected)
    }
}
#endif
