internal import PipCompose

/// Writes a composition and its settings as the YAML text of a configuration file.
package struct RigFileWriter {
    private let file: RigFile
    private var lines: [String] = []

    /// Returns the YAML text of a configuration.
    ///
    /// References to secrets, `${NAME}` and `${file:PATH}`, are kept. Passwords and keys are masked in an address
    /// without references. A panel's token without references is left out.
    package static func text(of file: RigFile) -> String {
        var writer = RigFileWriter(file: file)
        writer.write()
        return writer.lines.joined(separator: "\n") + "\n"
    }

    private init(file: RigFile) { self.file = file }

    private mutating func write() {
        let rig = file.rig
        lines.append("version: \(RigFileReader.version)")
        writeSection("canvas", RigSections.canvas, of: rig)
        lines.append("cameras:")
        for picture in rig.pictures {
            lines.append("  \(Self.scalar(picture.name)): \(Self.flow(Self.camera(picture)))")
        }
        writeScenes(rig)
        writeEffects(rig)
        if !rig.overlays.isEmpty {
            lines.append("overlays:")
            for overlay in rig.overlays {
                lines.append("  - {\(overlay.role): \(Self.scalar(overlay.written))}")
            }
        }
        if !rig.sound.isEmpty {
            lines.append("audio:")
            lines.append("  inputs:")
            for sound in rig.sound { lines.append("    - \(Self.scalar(Self.sound(sound, rig)))") }
        }
        writeOutputs(rig)
        writeSettings(rig)
    }

    private static func camera(_ picture: RigPicture) -> [(String, String)] {
        [("source", shown(picture.source.identity, orElse: picture.source.text))]
            + items(RigSections.camera, of: picture)
    }

    private mutating func writeScenes(_ rig: Rig) {
        lines.append("scenes:")
        var scenes = rig.scenes
        var shown = rig.scene
        if !rig.isSceneUnchanged {
            // No scene was shown, or the layers have changed since, so the current layers are saved as another scene.
            let name = scenes.isEmpty ? "main" : "present"
            scenes.removeAll { $0.name == name }
            scenes.append(RigScene(name, rig.layers))
            shown = name
        }
        for scene in scenes {
            lines.append("  \(Self.scalar(scene.name)):")
            lines.append("    layers:")
            for layer in scene.layers {
                let items = LayerItems.changes(of: layer).compactMap { item in item.value.text.map { (item.key, $0) } }
                lines.append("      - \(Self.flow([("of", layer.picture)] + items))")
            }
        }
        if let shown, shown != scenes.first?.name { lines.append("scene: \(Self.scalar(shown))") }
    }

    private mutating func writeEffects(_ rig: Rig) {
        guard rig.chains.values.contains(where: { !$0.isEmpty }) else { return }
        lines.append("effects:")
        for target in rig.pictures.map(\.name) + [Rig.output] {
            guard let chain = rig.chains[target], !chain.isEmpty else { continue }
            lines.append("  \(Self.scalar(target)):")
            for link in chain { lines.append("    - \(Self.effect(link))") }
        }
    }

    private static func effect(_ link: RigEffect) -> String {
        var values = link.effect.presentSettings.map { ($0.name, "\($0.value)") }.filter { !$0.1.isEmpty }
        if link.isEssential { values.append(("essential", "on")) }
        if link.isMuted { values.append(("muted", "on")) }
        let name = scalar(link.effect.catalogueName)
        return values.isEmpty ? name : "{\(name): \(flow(values))}"
    }

    private mutating func writeOutputs(_ rig: Rig) {
        if !rig.outputs.isEmpty {
            lines.append("outputs:")
            for output in rig.outputs {
                // The file's key `of` names the picture that the command line writes before a colon, so the prefix is
                // dropped.
                let written = Self.shown(PictureTarget.leading(output.sink.written).1, orElse: output.sink.text)
                var items = [("to", written)]
                if let of = output.of { items.append(("of", of)) }
                if output.isPaused { items.append(("paused", "on")) }
                lines.append("  - \(Self.flow(items))")
            }
        }
        if !rig.stills.isEmpty { lines.append("stills:") }
        for still in rig.stills {
            var items = [("to", PictureTarget.leading(still.written).1)]
            if let target = still.picture, target != .output, rig.pictures.indices.contains(target.index) {
                items.append(("of", rig.pictures[target.index].name))
            }
            lines.append("  - \(Self.flow(items))")
        }
        if !rig.telemetry.isEmpty { lines.append("telemetry:") }
        for source in rig.telemetry { lines.append("  - \(Self.scalar(source.text))") }
        if !rig.tracks.isEmpty { lines.append("tracks:") }
        for track in rig.tracks { lines.append("  - \(Self.scalar(track.text))") }
        if !rig.triggers.isEmpty { lines.append("triggers:") }
        for trigger in rig.triggers { lines.append("  - \(Self.scalar(trigger.shown))") }
    }

    private mutating func writeSettings(_ rig: Rig) {
        if let matching = rig.matching { lines.append("match-cameras: \(matching.rawValue)") }
        writeSection("draw", RigSections.drawing, of: rig.drawing)
        if var panel = file.panel {
            // A token without references is itself the secret, which the file must not contain.
            if panel.token?.contains("${") != true { panel.token = nil }
            writeSection("panel", RigSections.panel, of: panel)
        }
        if let broker = file.broker { lines.append("mqtt: \(Self.scalar(broker.written))") }
        let pressure = file.pressure
        let policy =
            pressure.policyPath ?? pressure.policy.name.flatMap { $0 == PressurePolicy.balanced.name ? nil : $0 }
        writeSection("pressure", RigSections.pressure, of: pressure, first: policy.map { [("policy", $0)] } ?? [])
        writeSection("run", RigSections.run, of: file.run)
        writeSection("log", RigSections.log, of: file.log)
    }

    /// Writes the keys of a section whose values differ from the defaults.
    private mutating func writeSection<Section>(
        _ name: String, _ keys: [RigKey<Section>], of section: Section, first: [(String, String)] = []
    ) {
        let items = first + Self.items(keys, of: section)
        if !items.isEmpty { lines.append("\(name): \(Self.flow(items))") }
    }

    private static func items<Section>(_ keys: [RigKey<Section>], of section: Section) -> [(String, String)] {
        keys.compactMap { key in key.text(section).map { (key.name, $0) } }
    }

    /// The text that the user typed, or the masked text for an address without references.
    ///
    /// An address without references may contain a secret.
    private static func shown(_ written: String, orElse masked: String) -> String {
        written.contains("://") && !written.contains("${") ? masked : written
    }

    /// The text of a source of sound, in which the camera is named as in the configuration.
    private static func sound(_ argument: AudioArgument, _ rig: Rig) -> String {
        for prefix in ["camera:", "movie:", "stream:"] where argument.text.hasPrefix(prefix) {
            let name = argument.text.dropFirst(prefix.count).prefix { $0 != "," }
            guard let target = try? PictureTarget(String(name)), rig.pictures.indices.contains(target.index) else {
                break
            }
            return prefix + rig.pictures[target.index].name + argument.text.dropFirst(prefix.count + name.count)
        }
        return argument.text
    }

    // MARK: YAML

    private static func flow(_ items: [(String, String)]) -> String {
        "{\(items.map { "\(scalar($0.0)): \(scalar($0.1))" }.joined(separator: ", "))}"
    }

    /// A text as a YAML scalar, in quotes where YAML might read the bare text differently.
    static func scalar(_ text: String) -> String {
        let isPlain =
            text.first.map { $0.isLetter || $0.isNumber || "/._".contains($0) } == true && text.last != ":"
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_./%+@=?:-".contains($0)) }
        if isPlain { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            // Escaped, so that the text contains no character of YAML's anchors and aliases.
            case "&": quoted += "\\x26"
            case "*": quoted += "\\x2A"
            case _ where !isPrintable(scalar):
                quoted += "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// False for characters that YAML forbids in a file, and for tabs, line breaks and byte order marks.
    ///
    /// Source: YAML 1.2.2, 5.1 "Character Set".
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7e, 0xa0...0x2027, 0x202a...0xfefe, 0xff00...0xfffd, 0x10000...: true
        default: false
        }
    }
}

extension Duration {
    /// The duration in the command line's syntax, such as `3s` or `500ms`.
    package var argument: String {
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        return milliseconds == 0 ? "\(seconds)s" : "\(seconds * 1000 + milliseconds)ms"
    }
}
