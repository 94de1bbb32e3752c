import Foundation
import Testing

/// A page of the user's guide, with the blocks that its readers copy.
struct GuidePage: CustomTestStringConvertible {
    let name: String
    let blocks: [GuideBlock]

    var testDescription: String { name }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/Guide.docc").standardizedFileURL

    /// All pages.
    static var all: [GuidePage] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }.sorted()
                .map { name in
                    try GuidePage(name, String(contentsOf: folder.appending(path: name), encoding: .utf8))
                }
        }
    }

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
