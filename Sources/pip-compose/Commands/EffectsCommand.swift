import ArgumentParser
import PipCompose
import PipRig

/// `pip-compose effects`: the catalogue.
struct EffectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "effects",
        abstract: "List all effects, or show one with its parameters.")

    @Argument(help: "An effect, such as vignette, or a file with one, such as ./tint.glsl.")
    var name: String?

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        if let name, EffectArgument.isFile(name) { return try show(file: name) }
        let entries = EffectCatalogue.entries
        if json { return try printJSON(entries) }
        guard let name else { return Terminal.standardOutput.write(EffectEntry.table(entries) + "\n") }
        let pages = Self.pages(of: name)
        guard !pages.isEmpty else { throw unknown(name) }
        Terminal.standardOutput.write(pages.joined(separator: "\n\n") + "\n")
    }

    private func show(file path: String) throws(CommandError) {
        do throws(UsageError) {
            let entry = EffectEntry(try FileEffect(argument: path))
            Terminal.standardOutput.write((json ? JSON.array([entry.json]).pretty : entry.page) + "\n")
        } catch {
            throw CommandError(error)
        }
    }

    /// The effect's page and the blend's: `hue` is both.
    static func pages(of name: String) -> [String] {
        EffectCatalogue.entries.filter { $0.name == name }.map(\.page)
            + BlendKind.allCases.filter { $0.rawValue == name }.map(\.page)
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
}
