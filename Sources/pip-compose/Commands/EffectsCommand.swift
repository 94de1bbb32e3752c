import ArgumentParser

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
            guard !entries.isEmpty else {
                let hint = NearestName.hint(for: name, among: EffectCatalogue.names)
                throw CommandError(.usage, "there is no effect \(name)\(hint)")
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
