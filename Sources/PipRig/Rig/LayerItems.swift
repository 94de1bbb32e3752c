package import PipCompose

/// The properties of a layer as keys and values.
///
/// The keys are those of the command line's layouts, and `visible`.
package enum LayerItems {
    /// The value of one property, in a type that JSON and YAML can hold.
    package enum Value: Sendable, Equatable {
        case none
        case flag(Bool)
        case integer(Int)
        case number(Double)
        case text(String)

        /// The value in the command line's syntax; nil for ``none``.
        package var text: String? {
            switch self {
            case .none: nil
            case .flag(let isOn): isOn ? "on" : "off"
            case .integer(let number): "\(number)"
            case .number(let number): shortText(number)
            case .text(let text): text
            }
        }
    }

    /// The accessors of one property: one reads its value, the other copies the property between layers.
    private struct Item {
        let key: String
        let value: (RigLayer) -> Value
        let copy: (RigLayer, inout RigLayer) -> Void

        init(_ key: String, _ value: @escaping (RigLayer) -> Value, copy: @escaping (RigLayer, inout RigLayer) -> Void)
        {
            (self.key, self.value, self.copy) = (key, value, copy)
        }

        /// Creates the accessors of a property that a key path selects.
        init<Property>(
            _ key: String, _ path: WritableKeyPath<RigLayer, Property>, _ value: @escaping (Property) -> Value
        ) {
            self.init(key, { value($0[keyPath: path]) }, copy: { $1[keyPath: path] = $0[keyPath: path] })
        }
    }

    /// All properties, in the order in which documents list them.
    private static var items: [Item] {
        [
            Item("visible", \.isVisible) { .flag($0) }, Item("at", \.placement.position, at),
            Item("width", \.placement.width, length), Item("height", \.placement.height, length),
            Item("margin", \.placement.margin) { .integer($0) }, Item("opacity", \.look.opacity) { .number($0) },
            Item("radius", \.look.cornerRadius) { .number($0) },
            Item("border", \.look.border) { border in
                border.map { .text("\(number($0.width)):\($0.color.hexadecimal)") } ?? .none
            },
            Item("shadow", \.look.shadow) { shadow in shadow.map { .number($0.blur) } ?? .none },
            Item("rotate", { .integer($0.placement.orientation.degrees) }) { from, to in
                to.placement.orientation = Orientation(
                    quarterTurns: from.placement.orientation.quarterTurns,
                    mirrored: to.placement.orientation.isMirrored)
            },
            Item("mirror", { .flag($0.placement.orientation.isMirrored) }) { from, to in
                setMirrored(from.placement.orientation.isMirrored, &to)
            },
            Item("fit", \.placement.fit) { .text($0.rawValue) },
            Item("crop", \.placement.crop) { crop in
                crop.map { .text("\($0.x):\($0.y):\($0.width):\($0.height)") } ?? .none
            },
            Item("z", \.z) { .integer($0) },
            Item("blend", \.blend) { blend in blend.map { .text($0.argument) } ?? .none },
            Item("sampling", \.look.sampling) { .text($0.rawValue) },
        ]
    }

    /// The keys of all properties.
    package static var keys: [String] { items.map(\.key) }

    /// All properties of a layer.
    package static func values(of layer: RigLayer) -> [(key: String, value: Value)] {
        items.map { ($0.key, $0.value(layer)) }
    }

    /// The properties in which a layer differs from the default: a layer that fills the canvas.
    package static func changes(of layer: RigLayer) -> [(key: String, value: Value)] {
        let plain = RigLayer(layer.picture)
        return items.map { ($0.key, $0.value(layer), $0.value(plain)) }.filter { $0.1 != $0.2 }.map { ($0.0, $0.1) }
    }

    /// Returns a layer with some properties changed.
    ///
    /// - Parameters:
    ///   - layer: The layer.
    ///   - items: The properties to change, with values in the command line's syntax; nil restores the default.
    /// - Returns: The changed layer.
    /// - Throws: ``UsageError`` for an unknown key, and for a value that the key does not allow.
    package static func layer(
        _ layer: RigLayer, with items: [(key: String, text: String?)]
    ) throws(UsageError) -> RigLayer {
        var layer = layer
        let plain = RigLayer(layer.picture)
        for (key, text) in items {
            guard let item = Self.items.first(where: { $0.key == key }) else {
                throw UsageError("a layer has no key \(key)\(NearestName.hint(for: key, among: keys))")
            }
            guard let text else {
                item.copy(plain, &layer)
                continue
            }
            if key == "visible" || key == "mirror" {
                let isOn = try onOff(text, named: key)
                if key == "visible" { layer.isVisible = isOn } else { setMirrored(isOn, &layer) }
                continue
            }
            let read = RigLayer(layer.picture, try InsetLayout([LayoutItem(key: key, value: text)]), usual: .full)
            item.copy(read, &layer)
        }
        return layer
    }

    private static func setMirrored(_ isMirrored: Bool, _ layer: inout RigLayer) {
        let turns = layer.placement.orientation.quarterTurns
        layer.placement.orientation = Orientation(quarterTurns: turns, mirrored: isMirrored)
    }

    private static func number(_ value: Double) -> String { Value.number(value).text ?? "" }

    private static func at(_ position: Placement.Position) -> Value {
        switch position {
        case .anchor(let anchor): .text(anchor.rawValue)
        case .at(let x, let y): .text("\(x):\(y)")
        case .cell(let cell): .text("cell:\(cell.column):\(cell.row):\(cell.columns):\(cell.rows)")
        }
    }

    private static func length(_ length: Length?) -> Value {
        switch length {
        case .fraction(let share)?: .text("\(number((share * 100_000).rounded() / 1000))%")
        case .pixels(let pixels)?: .integer(pixels)
        case .own?, nil: .none
        }
    }
}

extension BlendMode {
    /// The blend in the command line's syntax, with the parameters that differ from their defaults.
    package var argument: String {
        let usual = BlendMode(kind)
        let values = parameters.filter { $0.value(in: self) != $0.value(in: usual) }
        return ([kind.rawValue] + values.map { "\($0.name)=\($0.value(in: self))" }).joined(separator: ":")
    }
}
