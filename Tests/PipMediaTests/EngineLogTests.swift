#if Media
import CGStreamer
import PipConcurrency
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Messages of the engine's libraries", .serialized)
struct EngineLogTests {
    /// The messages that arrive while `body` runs.
    private func messages(of body: () -> Void) -> [EngineLog.Message] {
        let found = Monitor([EngineLog.Message]())
        EngineLog.send { message in
            // Other tests use the engine at the same time, so only messages of this test's domain count.
            if message.domain == "Of-a-test" { found.update { $0.append(message) } }
        }
        defer { EngineLog.send(to: nil) }
        body()
        return found.read { $0 }
    }

    private func write(_ level: GLogLevelFlags, _ text: String) {
        unsafe withVaList([]) { unsafe g_logv("Of-a-test", level, text, $0) }
    }

    @Test("messages have their level and library, and details only on request")
    func levels() {
        let found = messages {
            for (level, text) in [
                (G_LOG_LEVEL_CRITICAL, "a"), (G_LOG_LEVEL_WARNING, "b"), (G_LOG_LEVEL_MESSAGE, "c\n"),
                (G_LOG_LEVEL_INFO, "d"), (G_LOG_LEVEL_DEBUG, "e"), (G_LOG_LEVEL_WARNING, ""),
            ] { write(level, text) }
        }
        #expect(found.map(\.level) == [.error, .warning, .notice])
        #expect(found.map(\.text) == ["a", "b", "c"])
    }

    @Test("a repeated message is reported the first, tenth, hundredth and thousandth time")
    func repetition() {
        let found = messages {
            for number in 0..<2500 { write(G_LOG_LEVEL_WARNING, "element\(number) at 0x7f\(number)ab is gone") }
        }
        #expect(found.map(\.count) == [1, 10, 100, 1000])
        #expect(found.first?.text == "element0 at 0x7f0ab is gone")
    }

    @Test("of a flood of different messages, some are reported")
    func bounded() {
        var counts = MessageCounts()
        var told = 0
        for index in 0..<10_000 {
            let letters = String(index).map { String(UnicodeScalar(97 + ($0.wholeNumberValue ?? 0)) ?? "z") }.joined()
            if counts.count(.warning, "x", letters) != nil { told += 1 }
        }
        #expect(told == MessageCounts.mostTexts + 4)
        #expect(counts.count(.warning, "x", String(repeating: "y", count: 100_000)) == nil)
        var others = MessageCounts()
        #expect(others.count(.warning, "x", String(repeating: "y", count: 100_000))?.text.count == 2000)
    }

    @Test("several threads may log at once")
    func threads() {
        let found = messages {
            let threads = (0..<8).map { _ in
                WorkerThread(name: "writes") { for _ in 0..<125 { write(G_LOG_LEVEL_CRITICAL, "at once") } }
            }
            for thread in threads { thread.join() }
        }
        #expect(found.map(\.count).sorted() == [1, 10, 100, 1000])
    }
}
#endif
