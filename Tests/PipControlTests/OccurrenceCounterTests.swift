import PipPanelSupport
import Testing

@Suite("Occurrences of a text in received bytes")
struct OccurrenceCounterTests {
    @Test(
        "a text is found after a part of itself, and across received parts",
        arguments: [
            ("--picture", "--picture--picture", 2), ("--picture", "---picture", 1), ("--picture", "--pic--picture", 1),
            ("aabaaab", "aabaabaaab", 1), ("aa", "aaaaa", 2), ("a", "banana", 3), ("--picture", "-picture", 0),
        ])
    func count(of text: String, in received: String, expected: Int) {
        var whole = OccurrenceCounter(of: text)
        whole.take(received.utf8)
        #expect(whole.count == expected)
        var divided = OccurrenceCounter(of: text)
        for byte in received.utf8 { divided.take([byte]) }
        #expect(divided.count == expected)
    }
}
