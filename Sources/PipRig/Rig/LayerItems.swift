package import PipCompose

/// The place and look of a layer as keys and values: those of a layout on the command line, and `visible`.
package enum LayerItems {
    /// A value of a key.
    package enum Value: Sendable, Equatable {
        case none
        case flag(Bool)
        case integer(Int)
        case number(Double)
        case text(String)

        /// As on the command line; nil for none.
        package var text: String? {
            switch self {
            case .none: nil
            case .flag(let isOn): isOn ? "on" : "off"
            case .integer(let number): "\(number)"
            case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
            case .text(let text): text
            }
        }
    }

    /// The keys in their usual order.
    package static let keys = [
        "visible", "at", "width", "height", "margin", "opacity", "radius", "border", "shadow", "rotate", "mirror",
        "fit",
        "crop", "z", "blend", "sampling",
    ]

    /// All keys of a layer with their values.
    package static func values(of layer: RigLayer) -> [(key: String, value: Value)] {
        keys.map { ($0, value(of: $0, in: layer)) }
    }

    /// The keys whose values are not those of a layer that fills the canvas.
    package static func changes(of layer: RigLayer) -> [(key: String, value: Value)] {
        let plain = RigLayer(layer.picture)
        return values(of: layer).filter { $0.value != value(of: $0.key, in: plain) }
    }

    /// A layer with other values for some keys.
    ///
    /// - Parameters:
    ///   - layer: The layer.
    ///   - items: Keys, and values as on the command line; nil takes the usual value back.
    /// - Returns: The changed layer.
    /// - Throws: ``UsageError`` for an unknown key or a value that is not allowed.
    package static func layer(
        _ layer: RigLayer, with items: [(key: String, text: String?)]
    ) throws(UsageError) -> RigLayer {
        var layer = layer
        let plain = RigLayer(layer.picture)
        for (key, text) in items {
            guard keys.contains(key) else {
                throw UsageError("a layer has no \(key)\(NearestName.hint(for: key, among: keys))")
            }
            guard let text else {
                take(key, from: plain, into: &layer)
                continue
            }
            if key == "visible" || key == "mirror" {
                guard case .flag(let isOn)? = ParameterValue(text, as: .flag) else {
                    throw UsageError("\(key) is \(text), but must be on or off")
                }
                if key == "visible" { layer.isVisible = isOn } else { setMirrored(isOn, &layer) }
                continue
            }
            let read = RigLayer(layer.picture, try InsetLayout([LayoutItem(key: key, value: text)]), usual: .full)
            take(key, from: read, into: &layer)
        }
        return layer
    }

    private static func setMirrored(_ isMirrored: Bool, _ layer: inout RigLayer) {
        let turns = layer.placement.orientation.quarterTurns
        layer.placement.orientation = Orientation(quarterTurns: turns, mirrored: isMirrored)
    }

    private static func take(_ key: String, from other: RigLayer, into layer: inout RigLayer) {
        let (place, look) = (other.placement, other.look)
        switch key {
        case "visible": layer.isVisible = other.isVisible
        case "at": layer.placement.position = place.position
        case "width": layer.placement.width = place.width
        case "height": layer.placement.height = place.height
        case "margin": layer.placement.margin = place.margin
        case "opacity": layer.look.opacity = look.opacity
        case "radius": layer.look.cornerRadius = look.cornerRadius
        case "border": layer.look.border = look.border
        case "shadow": layer.look.shadow = look.shadow
        case "rotate":
            layer.placement.orientation = Orientation(
                quarterTurns: place.orientation.quarterTurns, mirrored: layer.placement.orientation.isMirrored)
        case "mirror": setMirrored(place.orientation.isMirrored, &layer)
        case "fit": layer.placement.fit = place.fit
        case "crop": layer.placement.crop = place.crop
        case "z": layer.z = other.z
        case "blend": layer.blend = other.blend
        case "sampling": layer.look.sampling = look.sampling
        default: break
        }
    }

    private static func value(of key: String, in layer: RigLayer) -> Value {
        let (place, look) = (layer.placement, layer.look)
        return switch key {
        case "visible": .flag(layer.isVisible)
        case "at": at(place.position)
        case "width": length(place.width)
        case "height": length(place.height)
        case "margin": .integer(place.margin)
        case "opacity": .number(look.opacity)
        case "radius": .number(look.cornerRadius)
        case "border": look.border.map { .text("\(number($0.width)):\($0.color.hexadecimal)") } ?? .none
        case "shadow": look.shadow.map { .number($0.blur) } ?? .none
        case "rotate": .integer(place.orientation.degrees)
        case "mirror": .flag(place.orientation.isMirrored)
        case "fit": .text(place.fit.rawValue)
        case "crop": place.crop.map { .text("\($0.x):\($0.y):\($0.width):\($0.height)") } ?? .none
        case "z": .integer(layer.z)
        case "blend": layer.blend.map { .text($0.argument) } ?? .none
        case "sampling": .text(look.sampling.rawValue)
        default: .none
        }
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
    /// As it is written on the command line.
    package var argument: String {
        let usual = BlendMode(kind)
        let values = parameters.filter { $0.value(in: self) != $0.value(in: usual) }
        return ([kind.rawValue] + values.map { "\($0.name)=\($0.value(in: self))" }).joined(separator: ":")
    }
}
