package import PipCompose
package import PipText

/// A parsed overlay: the value of `--text`, `--clock`, `--gauge`, `--watermark` or `--sticker`.
///
/// The content comes first. The overlay's own options and those of a layout follow after commas, in any order: `--text
/// 'Cam 1,bottom-left,size=28'`. A backslash quotes a comma or a backslash, and `\n` is a line break.
package struct OverlayArgument: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case text(String, TextStyle)
        /// A text with the names of values in braces.
        case readout(String, TextStyle)
        case clock(String, ClockZone, TextStyle)
        case gauge(Gauge)
        case watermark(path: String)
        case sticker(path: String, frameRate: FrameRate?, loops: Bool)
    }

    package let content: Content
    /// The text that the user typed.
    package let written: String
    package let layout: InsetLayout
    private let usual: Placement

    /// Reads the value of `--text`: `TEXT[,OPTION]…`, where `{speed:%.0f}` stands for a value.
    package init(text: String) throws(UsageError) {
        written = text
        var items = try Self.items(text, "a text is missing: write it first, as in 'Cam 1,bottom-left,size=28'")
        let shown = items.removeFirst()
        do throws(UsageError) {
            var style = TextArguments(items, of: "text")
            layout = try style.layout(others: [])
            usual = .overlay(.bottomLeft)
            content = try Self.content(shown, try style.style(at: layout.placement(over: usual)))
        } catch {
            throw error.about(text)
        }
    }

    private static func content(_ text: String, _ style: TextStyle) throws(UsageError) -> Content {
        guard text.contains(where: { $0 == "{" || $0 == "}" }) else { return .text(text, style) }
        do throws(ReadoutFormat.Mistake) { _ = try ReadoutFormat(text) } catch { throw UsageError(error.description) }
        return .readout(text, style)
    }

    /// The names of the values that a text or a gauge shows.
    package var values: Set<String> {
        switch content {
        case .readout(let text, _): (try? ReadoutFormat(text))?.names ?? []
        case .gauge(let gauge): gauge.names
        case .text, .clock, .watermark, .sticker: []
        }
    }

    /// Reads the value of `--clock`: `[FORMAT][,OPTION]…`.
    package init(clock text: String) throws(UsageError) {
        written = text
        var items = try Self.items(text, "a clock's format is missing: write it first, as in '%H:%M:%S,top-left'")
        let format = items[0].contains("%") ? items.removeFirst() : "%Y-%m-%d %H:%M:%S"
        do throws(UsageError) {
            if let mistake = ClockFormat.mistake(in: format) { throw UsageError(mistake) }
            var style = TextArguments(items, of: "clock")
            let zone = try style.take("zone").map { text throws(UsageError) in try ClockZone(argument: text) }
            layout = try style.layout(others: ["zone"])
            usual = .overlay(.bottomRight)
            content = .clock(format, zone ?? .local, try style.style(at: layout.placement(over: usual)))
        } catch {
            throw error.about(text)
        }
    }

    /// Reads the value of `--gauge`: `INSTRUMENT[,OPTION]…`.
    package init(gauge text: String) throws(UsageError) {
        written = text
        var items = try Self.items(text, "a gauge is missing: begin with it, as in dial:speed,to=240,bottom-right")
        let instrument = items.removeFirst()
        usual = .overlay(.bottomRight)
        do throws(UsageError) {
            var rest = TextArguments(items, of: "gauge")
            content = .gauge(try GaugeArgument(instrument, &rest).gauge)
            layout = try InsetLayout(rest.items, of: "gauge", others: GaugeArgument.options)
        } catch {
            throw error.about(text)
        }
    }

    /// Reads the value of `--watermark`: `FILE[,OPTION]…`.
    package init(watermark text: String) throws(UsageError) {
        written = text
        var items = try Self.items(
            text, "the picture's path is missing: begin with it, as in logo.png,top-left,width=12%")
        content = .watermark(path: items.removeFirst())
        usual = .overlay(.bottomRight)
        do throws(UsageError) {
            layout = try InsetLayout(items.map { LayoutItem($0[...]) }, of: "watermark", others: [])
        } catch {
            throw error.about(text)
        }
    }

    /// Reads the value of `--sticker`: `FILES[,OPTION]…`.
    package init(sticker text: String) throws(UsageError) {
        written = text
        var items = try Self.items(
            text,
            "the path of the sticker's files is missing: begin with it, as in party.webp,center or "
                + "frames/%03d.png,fps=12,center")
        let path = items.removeFirst()
        usual = .overlay(.center)
        do throws(UsageError) {
            var rest = TextArguments(items, of: "sticker")
            let rate = try rest.take("fps").map { text throws(UsageError) in try FrameRate(argument: text) }
            let loops = try rest.take("loop").map { text throws(UsageError) in try onOff(text, named: "loop") }
            layout = try InsetLayout(rest.items, of: "sticker", others: ["fps", "loop"])
            content = .sticker(path: path, frameRate: rate, loops: loops ?? true)
        } catch {
            throw error.about(text)
        }
    }

    /// The overlay's place: the default place with the requested properties applied.
    package var placement: Placement { layout.placement(over: usual) }

    /// The path of the overlay's file, or the path pattern of a sticker's frames; nil for texts and clocks.
    package var filePath: String? {
        switch content {
        case .watermark(let path), .sticker(let path, _, _): path
        case .text, .readout, .clock, .gauge: nil
        }
    }

    /// Splits a text at commas that are not quoted.
    ///
    /// - Throws: ``UsageError`` with the message `missing` if the first part is empty, and for a backslash at the end.
    private static func items(_ text: String, _ missing: String) throws(UsageError) -> [String] {
        var items = [""]
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case ",": items.append("")
            case "\\":
                guard let next = rest.popFirst() else {
                    throw UsageError("\(text): nothing follows the last \\; write \\\\ for a backslash")
                }
                items[items.count - 1].append(next == "n" ? "\n" : next)
            default: items[items.count - 1].append(character)
            }
        }
        guard !items[0].isEmpty else { throw UsageError(missing) }
        return items
    }
}

extension Placement {
    /// A place at an anchor, in the picture's own size, with a margin of 24 pixels.
    fileprivate static func overlay(_ anchor: Anchor) -> Placement {
        var placement = Placement()
        placement.position = .anchor(anchor)
        placement.width = .own
        placement.height = .own
        placement.margin = 24
        return placement
    }
}
