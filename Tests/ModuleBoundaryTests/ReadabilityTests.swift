import Foundation
import Testing

/// Tests the program `Tests/readability`, which `make lint` runs over all Swift code, on code that breaks each rule.
@Suite("Tests/readability")
struct ReadabilityTests {
    @Test("finds summaries and parameters without nouns, and sentences that are too long")
    func prose() throws {
        let sentence = Array(repeating: "word", count: 36).joined(separator: " ")
        let found = try Self.findings(
            in: """
                /// Of what is drawn.
                ///
                /// - Parameter first: By its name.
                /// - Parameter second: The name of the picture.
                /// - Returns: Whether it is drawn.
                func draw(first: Int, second: Int) -> Bool { "/// Of a string" == "" }

                // \(sentence).
                /// A picture. \(sentence.dropLast(5)).
                let picture = 0
                """)
        #expect(found == ["1: [Summary]", "3: [Parameter]", "5: [Parameter]", "8: [Sentence]"])
    }

    @Test("finds public types whose comments do not explain their use")
    func types() throws {
        let found = try Self.findings(
            in: """
                /// A short one.
                public struct Short {}

                /// Draws a picture on a canvas.
                @MainActor
                public final class Long {}
                """)
        #expect(found == ["2: [Type]"])
    }

    @Test("finds long functions, long files and long lists of parameters without default values")
    func sizes() throws {
        let body = Array(repeating: "    work()", count: 41).joined(separator: "\n")
        let parameters = "a: Int, b: [Int: Int], c: (Int, Int) -> Int, d: Set<Int>, e: Int"
        let found = try Self.findings(
            in: """
                func long(\(parameters), f: Int = 0) {
                \(body)
                }
                init(\(parameters), f: Int) {
                \(body.dropLast(11))
                }
                \(String(repeating: "\n", count: 220))
                """)
        #expect(found == ["1: [File]", "1: [Body]", "44: [Parameters]"])
    }

    /// The findings in a file with the given text, as line numbers and rules.
    private static func findings(in text: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "readability-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data((text + "\n").utf8).write(to: folder.appending(path: "File.swift"))
        let process = Process()
        let output = Pipe()
        process.executableURL = SourceTree.root.appending(path: "Tests/readability")
        process.arguments = [folder.path]
        process.standardOutput = output
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let form = /File\.swift:(\d+: \[\w+\])/
        return String(decoding: printed, as: UTF8.self).matches(of: form).map { String($0.output.1) }
    }
}
