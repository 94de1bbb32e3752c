import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    private let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private var readme: URL { tests.appendingPathComponent("../../README.md").standardizedFileURL }

    private func lines(_ file: URL) throws -> [Substring] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test("the README's first example is the code that the next test runs")
    func exampleIsCompiled() throws {
        let readme = try lines(readme)
        let start = try #require(readme.firstIndex(of: "```swift"))
        let end = try #require(readme[start...].firstIndex(of: "```"))
        let shown = readme[(start + 1)..<end].map(String.init).filter { !$0.hasPrefix("import ") && !$0.isEmpty }
        let code = try lines(tests.appendingPathComponent("ReadmeExample.swift"))
        let head = try #require(code.firstIndex { $0.hasPrefix("func readmeExample") })
        let body = code[(head + 1)...].prefix { $0 != "}" }.filter { !$0.isEmpty }
        #expect(shown == body.map { String($0.dropFirst(4)) })
    }

    @Test("the README can be read in a few minutes: it has 8 kB at most")
    func isShort() throws { #expect(try Data(contentsOf: readme).count <= 8192) }

    @Test("the README's first example makes the file that it names")
    func exampleRuns() async throws {
        try await readmeExample()
        let file = URL(fileURLWithPath: "out.y4m")
        defer { try? FileManager.default.removeItem(at: file) }
        let size = try #require(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize)
        #expect(size > 1280 * 720 * 3 / 2)
    }
}
