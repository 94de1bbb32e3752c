internal import PipCompose

/// Reads the key `overlays` of a configuration.
struct OverlayReader {
    let file: ConfigurationFile

    static let kinds = ["text", "clock", "gauge", "watermark", "sticker"]

    func overlays(_ node: YAMLNode) throws(ConfigurationError) -> [OverlayArgument] {
        try file.elements(of: node, "overlays").map { (node) throws(ConfigurationError) in try overlay(node) }
    }

    private func overlay(_ node: YAMLNode) throws(ConfigurationError) -> OverlayArgument {
        let pairs = try file.pairs(of: node, "an overlay", "text: Cam 1")
        guard let (kind, content) = pairs.first(where: { Self.kinds.contains($0.0) }) else {
            throw file.mistake(
                node, "an overlay must have one of the keys text, clock, gauge, watermark and sticker: {text: Cam 1}")
        }
        var written = Self.escaped(try file.text(content, kind))
        if pairs.count == 1, try file.text(content, kind).contains(",") {
            // An overlay without other keys may contain its options in its text, as on the command line.
            written = try file.text(content, kind)
        }
        for (key, node) in pairs where key != kind {
            let text = try file.text(node, key)
            if key == "mirror" {
                if try file.flag(node, key) { written += ",mirror" }
            } else {
                written += ",\(key)=\(Self.escaped(text))"
            }
        }
        do throws(UsageError) {
            switch kind {
            case "text": return try OverlayArgument(text: written)
            case "clock": return try OverlayArgument(clock: written)
            case "gauge": return try OverlayArgument(gauge: written)
            case "watermark": return try OverlayArgument(watermark: written)
            default: return try OverlayArgument(sticker: written)
            }
        } catch {
            throw file.mistake(node, error.description)
        }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case ",", "\\": result += "\\\(character)"
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
        return result
    }
}
