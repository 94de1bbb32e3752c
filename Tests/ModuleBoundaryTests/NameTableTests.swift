import Foundation
import Testing

@Suite("The table of other frameworks' names")
struct NameTableTests {
    /// A row of the table: another framework's name, and its equivalents in this package.
    private struct Row {
        let theirs: String
        let ours: [String]
        let isMissing: Bool
    }

    /// The contents of source files, keyed by the type that they declare or extend, and the names of public types.
    private static func declarations() -> (files: [String: [String]], types: Set<String>) {
        let form = /(public )?(?:final )?(?:class|struct|enum|actor|protocol|extension) ([A-Z]\w+)/
        var (files, types): ([String: [String]], Set<String>) = ([:], [])
        for module in SourceTree.modules {
            for file in SourceTree.files(in: SourceTree.folder(of: module)) {
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                for match in text.matches(of: form) {
                    let name = String(match.output.2)
                    if match.output.1 != nil { types.insert(name) }
                    if files[name]?.last != text { files[name, default: []].append(text) }
                }
            }
        }
        return (files, types)
    }

    private static func rows() throws -> [Row] {
        let article = SourceTree.root.appending(path: "Sources/PipCompose/PipCompose.docc/Names.md")
        let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
        return lines.filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmed }
            return Row(
                theirs: cells[1], ours: cells[2].matches(of: /`([^`]+)`/).map { String($0.output.1) },
                isMissing: cells[2] == "none yet")
        }
    }

    @Test("each of this package's names in the table is a public type, or a member of one")
    func exist() throws {
        let rows = try Self.rows()
        let (files, types) = Self.declarations()
        #expect(rows.count > 40)
        for row in rows {
            #expect(row.isMissing == row.ours.isEmpty, "\(row.theirs)")
            for name in row.ours {
                let parts = name.split(separator: ".").map(String.init)
                #expect(types.contains(parts[0]), "there is no public \(parts[0])")
                guard parts.count > 1 else { continue }
                let member = try Regex("(?:func|var|let|case) (?:[a-zA-Z, ]+, )?\(parts[1])\\b")
                #expect(files[parts[0]]?.contains { $0.contains(member) } == true, "there is no \(name)")
            }
        }
    }
}

extension Substring {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
