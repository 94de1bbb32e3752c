import ArgumentParser
import PipCompose
import PipRig

/// `pip-compose effects`: lists the effects and blends, or shows one.
struct EffectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "effects",
        abstract: "List all effects, or show one with its parameters.",
        discussion: discussion.text)

    private static let discussion: HelpPage = [
        .paragraph(
            """
            An effect may be named as in another library, here and in a chain: hflip, CISepiaTone, \
            GPUImageSepiaFilter. Its parameters have our names.
            """)
    ]

    @Argument(help: "An effect, such as vignette, or a file with one, such as ./tint.glsl.")
    var name: String?

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        if let name, EffectArgument.isFile(name) { return try show(file: name) }
        let entries = EffectCatalogue.entries
        let known = try name.map { try Self.known($0) }
        if json { return printJSON(entries, known?.name) }
        guard let known else { return Terminal.standardOutput.write(EffectEntry.table(entries) + "\n") }
        let pages = [known.remark].compactMap(\.self) + Self.pages(of: known.name)
        Terminal.standardOutput.write(pages.joined(separator: "\n\n") + "\n")
    }

    private func show(file path: String) throws(UsageError) {
        let entry = EffectEntry(try FileEffect(argument: path))
        Terminal.standardOutput.write((json ? JSON.array([entry.json]).pretty : entry.page) + "\n")
    }

    /// The pages of the effect and of the blend with this name: `hue` is the name of both.
    static func pages(of name: String) -> [String] {
        EffectCatalogue.entries.filter { $0.name == name }.map(\.page)
            + BlendKind.allCases.filter { $0.rawValue == name }.map(\.page)
    }

    /// Prints effects and then blends as one JSON array.
    ///
    /// The member `kind` of an element is `effect` or `blend`.
    private func printJSON(_ entries: [EffectEntry], _ name: String?) {
        let effects = entries.filter { name == nil || $0.name == name }.map(\.json)
        let blends = BlendKind.allCases.filter { name == nil || $0.rawValue == name }.map(\.json)
        Terminal.standardOutput.write(JSON.array(effects + blends).pretty + "\n")
    }

    /// The catalogue's name of an effect or a blend, and a remark if the user wrote another library's name.
    private static func known(_ name: String) throws(UsageError) -> (name: String, remark: String?) {
        let names = EffectCatalogue.names + BlendKind.allCases.map(\.rawValue)
        if names.contains(name) { return (name, nil) }
        let foreign = ForeignName(name)
        if let match = try? foreign.blend() {
            return (match.kind.rawValue, match.note ?? "\(name) is \(match.name) here.")
        }
        if let match = try foreign.effect() {
            return (match.kind.type.name, match.note ?? "\(name) is \(match.name) here.")
        }
        throw NearestName.unknown("effect", name, among: names)
    }
}
