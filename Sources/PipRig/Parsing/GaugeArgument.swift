internal import PipCompose
internal import PipText

/// The instrument of `--gauge`, with its options.
///
/// ```
/// dial:speed,to=240,unit=km/h   a round scale; from=-20 for another beginning
/// meter:-g.y:g.x,to=1           a point that the first value moves to the right, and the second one upwards
/// way                           the way driven; way:rear for the receiver with this name
/// ```
///
/// The options `size` and `color` are those of all instruments.
struct GaugeArgument {
    static let options = ["from", "to", "unit", "size", "color"]
    private static let usage = "write dial:speed,to=240, meter:g.y:g.x,to=1 or way"

    let gauge: Gauge

    /// Reads an instrument, and removes its options.
    init(_ text: String, _ arguments: inout TextArguments) throws(UsageError) {
        var options: [String: String] = [:]
        for key in Self.options { options[key] = try arguments.take(key) }
        let names = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let count = ["dial": 2...2, "meter": 3...3, "way": 1...2][names[0]], count.contains(names.count) else {
            throw UsageError("\(valueText(text)) is no gauge: \(Self.usage)")
        }
        for name in names.dropFirst() {
            let plain = names[0] == "meter" && name.hasPrefix("-") ? name.dropFirst() : name[...]
            guard ReadoutFormat.isName(String(plain)) else {
                throw UsageError("\(valueText(name)) names no value: \(Self.usage)")
            }
        }
        if names[0] != "dial", let key = ["from", "unit"].first(where: { options[$0] != nil }) {
            throw UsageError("\(key) is an option of a dial")
        }
        gauge = try Self.gauge(names, options)
    }

    private static func gauge(_ names: [String], _ options: [String: String]) throws(UsageError) -> Gauge {
        let ends = try ["from", "to"].map { key throws(UsageError) in
            try options[key].map { text throws(UsageError) in try number(text, in: -1e9...1e9, named: key) }
        }
        let face: Gauge.Face
        switch names[0] {
        case "dial":
            guard let end = ends[1] else { throw UsageError("a dial needs the end of its scale, as in to=240") }
            guard ends[0] ?? 0 < end else { throw UsageError("to is \(end), but must be above from") }
            face = .dial(names[1], in: (ends[0] ?? 0)...end, unit: options["unit"] ?? "")
        case "meter":
            face = .meter(right: names[1], up: names[2], reach: ends[1] ?? 1)
        default:
            guard ends[1] == nil else { throw UsageError("to is an option of a dial and of a meter") }
            let prefix = names.count == 2 ? "\(names[1])." : ""
            face = .way(latitude: "\(prefix)latitude", longitude: "\(prefix)longitude")
        }
        var gauge = Gauge(face)
        if let mistake = gauge.mistake { throw UsageError("\(names[0]): \(mistake)") }
        if let size = options["size"] { gauge.size = try number(size, in: Gauge.sizes, named: "size") }
        if let color = options["color"] { gauge.color = try Color(argument: color) }
        return gauge
    }
}
