import Foundation
import Testing

/// A page of the user's guide, or the README, with its code blocks.
struct GuidePage: CustomTestStringConvertible {
    let name: String
    let blocks: [GuideBlock]

    var testDescription: String { name }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    /// The pages of the guide, and the README.
    static var all: [GuidePage] {
        get throws {
            let guide = root.appending(path: "docs/Guide.docc")
            let names = try FileManager.default.contentsOfDirectory(atPath: guide.path).filter { $0.hasSuffix(".md") }
            let files = names.sorted().map { guide.appending(path: $0) } + [root.appending(path: readme)]
            return try files.map { try GuidePage($0.lastPathComponent, String(contentsOf: $0, encoding: .utf8)) }
        }
    }

    /// The file name of the README, whose Swift code `ReadmeTests` compiles and runs.
    static let readme = "README.md"

    init(_ name: String, _ text: String) {
        self.name = name
        var blocks: [GuideBlock] = []
        var note: String?
        var open: (language: String, lines: [String], note: String?, line: Int)?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).enumerated()
        {
            if let block = open {
                guard line == "```" else {
                    open?.lines.append(line)
                    continue
                }
                blocks.append(
                    GuideBlock(
                        language: block.language, text: block.lines.joined(separator: "\n"),
                        note: block.note.map(GuideBlock.Note.init) ?? .none, place: "\(name), line \(block.line)"))
                open = nil
            } else if line.hasPrefix("```") {
                open = (String(line.dropFirst(3)), [], note, index + 1)
                note = nil
            } else if line.hasPrefix("<!-- "), line.hasSuffix(" -->") {
                note = String(line.dropFirst(5).dropLast(4))
            } else if !line.isEmpty {
                note = nil
            }
        }
        self.blocks = blocks
    }
}
