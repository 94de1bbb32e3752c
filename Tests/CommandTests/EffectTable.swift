import Foundation
import PipCompose

@testable import pip_compose

/// `docs/effects.md`, made from `docs/effects.tsv`, which knows other libraries' names, and the catalogue, which knows
/// ours.
struct EffectTable {
    /// A concept with its names.
    struct Row {
        /// An effect's name, `blend:NAME`, `=TEXT` for what is no effect, or `-` for what is left out.
        var ours: String
        /// In GPUImage, GPUImage2, DTLiving and MetalPetal; empty where they have none.
        var theirs: [String]
        var note: String
    }

    struct Family {
        var title: String
        var rows: [Row] = []
    }

    private(set) var families: [Family] = []

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs")

    init() throws {
        let text = try String(contentsOf: Self.folder.appendingPathComponent("effects.tsv"), encoding: .utf8)
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") {
                families.append(Family(title: String(line.dropFirst(3))))
            } else if !line.hasPrefix("#"), let last = families.indices.last {
                let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                let padded = cells + Array(repeating: "", count: max(6 - cells.count, 0))
                families[last].rows.append(Row(ours: padded[0], theirs: Array(padded[1...4]), note: padded[5]))
            }
        }
    }

    var rows: [Row] { families.flatMap(\.rows) }

    /// The names of a library in the order of the columns, 0 for GPUImage.
    func names(of library: Int) -> [String] { rows.map { $0.theirs[library] }.filter { !$0.isEmpty } }

    /// The document, for the effects of the command line with a summary each.
    func markdown(_ effects: [(name: String, summary: String)]) -> String {
        let available = Set(effects.map(\.name))
        var lines = [
            "# Effects", "",
            "`pip-compose effects` lists them with parameters and ranges; this page finds them by the names that other libraries have. Each is shown",
            "on one picture below, drawn by `make gallery`.", "", "![Every effect on one picture](effects.jpg)", "",
            "<!-- Made from effects.tsv and the catalogue by `make gallery`; do not edit. -->",
        ]
        for family in families {
            lines += ["", "## \(family.title)", "", "| pip-compose | GPUImage | GPUImage2 | DTLiving | MetalPetal |"]
            lines += ["|---|---|---|---|---|"]
            lines += family.rows.map { "| " + ([ours($0, available)] + $0.theirs).joined(separator: " | ") + " |" }
        }
        let alone = effects.filter { effect in !rows.contains { $0.ours == effect.name } }
        if !alone.isEmpty {
            lines += ["", "## Ours alone", ""] + alone.map { "- `\($0.name)`: \($0.summary)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func ours(_ row: Row, _ available: Set<String>) -> String {
        if row.ours == "-" { return "left out: \(row.note)" }
        let note = row.note.isEmpty ? "" : " (\(row.note))"
        if row.ours.hasPrefix("=") { return row.ours.dropFirst() + note }
        let name = row.ours.split(separator: ":").joined(separator: " ")
        return (isAvailable(row.ours, available) ? "`\(name)`" : "not yet: \(name)") + note
    }

    private func isAvailable(_ ours: String, _ available: Set<String>) -> Bool {
        guard ours.hasPrefix("blend:") else { return available.contains(ours) }
        return BlendKind(rawValue: String(ours.dropFirst(6))) != nil
    }
}
