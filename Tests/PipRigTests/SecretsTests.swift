import Glibc
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Keys and passwords")
struct SecretsTests {
    @Test("a value is percent-encoded in an address, and stays as it is elsewhere")
    func variable() throws {
        unsafe setenv("PIP_SECRETS_TEST", "a+b/c=é", 1)
        let text = "x ${PIP_SECRETS_TEST} y"
        #expect(try Secrets.filled(in: text) == "x a%2Bb%2Fc%3D%C3%A9 y")
        #expect(try Secrets.filled(in: text, isAddress: false) == "x a+b/c=é y")
    }

    @Test(
        "a file's key is its first line with text, without the space around it",
        arguments: ["key one", "key one\n", "\r\n key one \r\nnext\r\n", "\n\tkey one\t\n"])
    func file(_ text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(text.utf8), to: "key")
        #expect(try Secrets.filled(in: "${file:\(folder.path("key"))}", isAddress: false) == "key one")
    }

    @Test("a reference that has no value is refused with the reason")
    func mistakes() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(" \n".utf8), to: "empty")
        try folder.write([0x6B, 0xFF, 0x0A], to: "bytes")
        for (text, reason) in [
            ("${PIP_SECRETS_NONE}", "there is no such environment variable, or it is empty"),
            ("${file:\(folder.path("none"))}", "the file cannot be read: No such file or directory"),
            ("${file:\(folder.path("empty"))}", "the file is empty"), ("${PIP", "a ${ has no }"),
            ("${file:\(folder.path("bytes"))}", "the file is not UTF-8 text"),
        ] {
            let error = #expect(throws: UsageError.self) { try Secrets.filled(in: text) }
            #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        }
    }
}
