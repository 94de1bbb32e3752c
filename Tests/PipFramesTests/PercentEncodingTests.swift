import PipFrames
import Testing

@Suite("Percent-encoding")
struct PercentEncodingTests {
    @Test(
        "all bytes but those of unreserved characters are encoded",
        arguments: [("a-._~Z9", "a-._~Z9"), ("p@ss w/é\n", "p%40ss%20w%2F%C3%A9%0A"), ("", ""), ("%", "%25")])
    func encoding(_ text: String, _ encoded: String) {
        #expect(text.percentEncoded == encoded && encoded.percentDecoded == text)
    }

    @Test("what is no percent-encoded text has no value", arguments: ["%", "a%4", "%+1", "%-1", "%zz", "%ff", "%c3"])
    func invalid(_ text: String) {
        #expect(text.percentDecoded == nil)
    }

    @Test("digits of either case, and characters that need no encoding, are decoded")
    func decoding() { #expect("a+%c3%A9é".percentDecoded == "a+éé") }

    @Test(
        "lenient decoding keeps a `%` without two digits",
        arguments: [("%41%zz%", "A%zz%"), ("50%", "50%"), ("%%41", "%%41"), ("%+f", "%+f"), ("a%20b", "a b")])
    func lenient(_ text: String, _ decoded: String) { #expect(text.lenientlyPercentDecoded == decoded) }
}
