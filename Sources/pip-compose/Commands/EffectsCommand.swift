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
        if let name {
            entries = entries.filter { $0.name == name }
            if entries.isEmpty, !json, let kind = BlendKind(rawValue: name) {
                Terminal.standardOutput.write(kind.page + "\n")
                return
            }
            guard !entries.isEmpty else {
                let names = EffectCatalogue.names + BlendKind.allCases.map(\.rawValue)
                throw CommandError(.usage, "there is no effect \(name)\(NearestName.hint(for: name, among: names))")
            }
        }
        Terminal.standardOutput.write(text(entries) + "\n")
    }

    private func text(_ entries: [EffectEntry]) -> String {
        if json { return JSON.array(entries.map(\.json)).pretty }
        if name != nil, let entry = entries.first { return entry.page }
        return EffectEntry.table(entries)
    }
}
