import Foundation
import Testing

@Suite("The documentation's articles")
struct ArticleTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let articles = tests.appending(path: "../../Sources/PipCompose/PipCompose.docc")
        .standardizedFileURL

    /// The names of the articles with Swift code.
    static var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: articles.path)
                .filter { $0.hasSuffix(".md") }
                .filter { try !blocks(of: $0).isEmpty }
                .sorted()
        }
    }

    private static func lines(_ file: URL) throws -> [Substring] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The Swift code blocks of an article, without imports and blank lines.
    private static func blocks(of name: String) throws -> [[Substring]] {
        var blocks: [[Substring]] = []
        var block: [Substring]?
        for line in try lines(articles.appending(path: name)) {
            switch line {
            case "```swift": block = []
            case "```":
                if let block { blocks.append(block) }
                block = nil
            default: if !line.isEmpty, !line.hasPrefix("import ") { block?.append(line) }
            }
        }
        return blocks
    }

    /// Returns true if lines contain other lines as a sequence with uniform indentation.
    private func holds(_ code: [Substring], _ block: [Substring]) -> Bool {
        guard let first = block.first else { return true }
        return code.indices.contains { start in
            guard code[start].hasSuffix(first), code.count - start >= block.count else { return false }
            let indentation = code[start].dropLast(first.count)
            return indentation.allSatisfy { $0 == " " }
                && zip(code[start...], block).allSatisfy { $0 == indentation + $1 }
        }
    }

    @Test("articles show the code that this package compiles, in a file named after each article", arguments: try names)
    func isCompiled(name: String) throws {
        let file = Self.tests.appending(path: "Examples/\(name.dropLast(3)).swift")
        let code = try Self.lines(file).filter { !$0.isEmpty }
        for block in try Self.blocks(of: name) {
            let isThere = holds(code, block)
            #expect(isThere, "not in Examples/\(name.dropLast(3)).swift:\n\(block.joined(separator: "\n"))")
        }
    }
}
