package import PipCompose

/// `--layout LAYOUT`: the place and look of one inset, or the name of a layout of all pictures.
package enum LayoutArgument: Sendable, Equatable {
    case inset(InsetLayout)
    case whole(Layout)

    /// The layouts that place all pictures.
    package static let wholeLayouts = Layout.allCases.filter { $0 != .pictureInPicture }

    package init(_ text: String) throws(UsageError) {
        if let layout = Self.wholeLayouts.first(where: { $0.rawValue == text }) {
            self = .whole(layout)
            return
        }
        do throws(UsageError) { self = .inset(try InsetLayout(text)) } catch { throw error.about(text) }
    }
}

/// The place and look that a user requests for an inset or an overlay.
///
/// Properties that are not set keep their defaults.
package struct InsetLayout: Sendable, Equatable {
    package var position: Placement.Position?
    package var width: Length?
    package var height: Length?
    package var margin: Int?
    package var fit: FitMode?
    package var crop: PixelRect?
    package var quarterTurns = 0
    package var isMirrored = false
    package var look = LayerLook()
    package var blend: BlendMode?
    package var z = 0

    package init() {}

    /// Reads an inset's layout, such as `top-right,width=25%,margin=24`.
    package init(_ text: String) throws(UsageError) {
        try self.init(text.split(separator: ",", omittingEmptySubsequences: false).map { LayoutItem($0) })
    }

    /// Reads the items of an inset's layout.
    ///
    /// Messages call the layout `subject`. For an unknown key, hints may suggest `others`, too; nil stands for the
    /// names of whole layouts.
    package init(_ items: [LayoutItem], of subject: String = "layout", others: [String]? = nil) throws(UsageError) {
        var seen: Set<String> = []
        for item in items {
            let place = Anchor(rawValue: item.key) == nil && item.key != "at" ? item.key : "place"
            guard seen.insert(place).inserted else { throw UsageError("the \(place) is given twice") }
            try read(item.key, item.value, of: subject, others: others ?? LayoutArgument.wholeLayouts.map(\.rawValue))
        }
    }

    /// The place of the inset at `index`, counted from 0.
    ///
    /// The default places of the first insets are different corners.
    package func placement(at index: Int) -> Placement { placement(over: Layout.inset(at: index)) }

    /// The place of a picture: the default place, with the requested properties applied.
    package func placement(over usual: Placement) -> Placement {
        var placement = usual
        if let position { placement.position = position }
        if width != nil || height != nil { (placement.width, placement.height) = (width, height) }
        if let margin { placement.margin = margin }
        if let fit { placement.fit = fit }
        placement.crop = crop
        placement.orientation = Orientation(quarterTurns: quarterTurns, mirrored: isMirrored)
        return placement
    }

    private static let keys =
        Anchor.allCases.map(\.rawValue) + [
            "at", "width", "height", "margin", "opacity", "radius", "border", "shadow", "blend", "rotate", "mirror",
            "fit", "crop", "z", "sampling",
        ]

    private mutating func read(
        _ key: String, _ value: String?, of subject: String, others: [String]
    ) throws(UsageError) {
        if let anchor = Anchor(rawValue: key), value == nil {
            position = .anchor(anchor)
            return
        }
        if key == "mirror", value == nil {
            isMirrored = true
            return
        }
        guard Self.keys.contains(key) else {
            guard !key.isEmpty else {
                throw UsageError("an item of the \(subject) is empty: write items as in top-left,margin=24")
            }
            throw UsageError(
                "there is no \(key) in a \(subject)\(NearestName.hint(for: key, among: Self.keys + others))")
        }
        guard Anchor(rawValue: key) == nil, key != "mirror" else {
            throw UsageError("\(key) takes no value: write \(key == "mirror" ? "mirror alone" : "at=\(key)")")
        }
        guard let value, !value.isEmpty else { throw UsageError("\(key) needs a value: \(key)=…") }
        try readPlace(key, value)
        try readLook(key, value)
    }

    private mutating func readPlace(_ key: String, _ value: String) throws(UsageError) {
        switch key {
        case "at":
            if let anchor = Anchor(rawValue: value) { return position = .anchor(anchor) }
            if value.hasPrefix("cell:") { return position = .cell(try Self.cell(value)) }
            let numbers = try Self.numbers(value, 2, in: -65536...65536, as: "at=X:Y")
            position = .at(x: numbers[0], y: numbers[1])
        case "width": width = try Self.length(value, named: key)
        case "height": height = try Self.length(value, named: key)
        case "margin": margin = try number(value, in: 0...10000, named: key)
        case "rotate":
            guard let degrees = Int(value), degrees % 90 == 0 else {
                throw UsageError("rotate is \(value), but must be 0, 90, 180 or 270")
            }
            quarterTurns = Orientation(degrees: degrees)?.quarterTurns ?? 0
        case "fit": fit = try choice(value, named: key)
        case "crop":
            let numbers = try Self.numbers(value, 4, in: 0...65536, as: "crop=X:Y:W:H")
            crop = PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
            guard numbers[2] > 0, numbers[3] > 0 else {
                throw UsageError("crop=\(value) shows nothing: W and H must be above zero")
            }
        case "z": z = try number(value, in: -1000...1000, named: key)
        default: break
        }
    }

    private mutating func readLook(_ key: String, _ value: String) throws(UsageError) {
        switch key {
        case "opacity": look.opacity = try number(value, in: 0.0...1.0, named: key)
        case "radius": look.cornerRadius = try number(value, in: 0.0...10000.0, named: key)
        case "blend": blend = try BlendMode(argument: value)
        case "sampling": look.sampling = try choice(value, named: key)
        case "shadow": look.shadow = LayerLook.Shadow(blur: try number(value, in: 0.0...1000.0, named: key))
        case "border":
            let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
            let width: Double = try number(parts.first ?? "", in: 0.0...1000.0, named: "border")
            let color = try Color(argument: parts.count == 2 ? parts[1] : "white")
            look.border = LayerLook.Border(width: width, color: color)
        default: break
        }
    }

    /// Reads a cell of a grid as `cell:COLUMN:ROW:COLUMNS:ROWS`.
    private static func cell(_ text: String) throws(UsageError) -> Placement.Cell {
        let numbers = try numbers(
            String(text.dropFirst("cell:".count)), 4, in: 0...64, as: "cell:COLUMN:ROW:COLUMNS:ROWS")
        guard numbers[0] < numbers[2], numbers[1] < numbers[3] else {
            throw UsageError("\(text): COLUMN must be less than COLUMNS, and ROW less than ROWS")
        }
        return Placement.Cell(column: numbers[0], row: numbers[1], columns: numbers[2], rows: numbers[3])
    }

    private static func length(_ text: String, named name: String) throws(UsageError) -> Length {
        if text.hasSuffix("%") {
            guard let percent = Double(text.dropLast()), percent > 0, percent <= 100 else {
                throw UsageError("\(name) is \(text), but must be above 0% and at most 100%")
            }
            return .fraction(percent / 100)
        }
        guard let pixels = Int(text), (1...65536).contains(pixels) else {
            throw UsageError(
                "\(name) is \(text), but must be whole pixels from 1 to 65536, or a part of the canvas such as 25%")
        }
        return .pixels(pixels)
    }

    private static func numbers(
        _ text: String, _ count: Int, in range: ClosedRange<Int>, as form: String
    ) throws(UsageError) -> [Int] {
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == count, numbers.allSatisfy({ $0.map(range.contains) ?? false }) else {
            throw UsageError("\(text) is not \(form) in whole numbers from \(range.lowerBound) to \(range.upperBound)")
        }
        return numbers.compactMap(\.self)
    }
}

/// One item of a layout: a word such as `top-right`, or a key with a value.
package struct LayoutItem: Equatable {
    package var key: String
    package var value: String?

    package init(key: String, value: String?) {
        self.key = key
        self.value = value
    }

    package init(_ text: Substring) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        key = halves[0].trimming
        value = halves.count == 2 ? halves[1].trimming : nil
    }
}

extension Substring {
    /// The text without spaces at both ends.
    fileprivate var trimming: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

extension Color {
    /// Reads a colour as a name such as `white`, as `#ff8000`, or as `#ff800080`, whose last two digits are alpha.
    package init(argument name: String) throws(UsageError) {
        guard let color = Color(named: name) else {
            throw UsageError("\(NearestName.unknown("colour", name, among: Color.names.keys.sorted())) (or #rrggbb)")
        }
        self = color
    }
}
