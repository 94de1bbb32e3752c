import ArgumentParser
import PipCompose

/// `pip-compose effects`: the catalogue.
struct EffectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "effects",
        abstract: "List all effects, or show one with its parameters.")

    @Argument(help: "An effect, such as vignette.")
    var name: String?

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        var entries = EffectCatalogue.entries
        if json { return try printJSON(entries) }
        if let name {
            entries = entries.filter { $0.name == name }
            if entries.isEmpty, let kind = BlendKind(rawValue: name) {
                Terminal.standardOutput.write(kind.page + "\n")
                return
            }
            guard !entries.isEmpty else { throw unknown(name) }
        }
        Terminal.standardOutput.write(text(entries) + "\n")
    }

    /// Effects, then blends; each entry says by its kind which it is.
    private func printJSON(_ entries: [EffectEntry]) throws {
        let effects = entries.filter { name == nil || $0.name == name }.map(\.json)
        let blends = BlendKind.allCases.filter { name == nil || $0.rawValue == name }.map(\.json)
        if let name, effects.isEmpty, blends.isEmpty { throw unknown(name) }
        Terminal.standardOutput.write(JSON.array(effects + blends).pretty + "\n")
    }

    private func unknown(_ name: String) -> CommandError {
        let names = EffectCatalogue.names + BlendKind.allCases.map(\.rawValue)
        return CommandError(.usage, "there is no effect \(name)\(NearestName.hint(for: name, among: names))")
    }

    private func text(_ entries: [EffectEntry]) -> String {
        if name != nil, let entry = entries.first { return entry.page }
        return EffectEntry.table(entries)
    }
}
