package import PipInputs

/// A cause of a trigger that a device of the machine gives.
///
/// ```
/// key:/dev/input/event3:KEY_F13   a key or a pedal is pressed; key:FootSwitch:KEY_B by the device's name
/// gpio:gpiochip0:17               a line becomes active
/// blow>2.5g                       an accelerometer is hit; blow:NAME>0.6g for one of several
/// ```
package enum InputCause: Sendable, Equatable {
    /// A direction of an accelerometer, in its own axes.
    package enum Axis: String, Sendable, CaseIterable {
        case x, y, z
        case minusX = "-x"
        case minusY = "-y"
        case minusZ = "-z"

        /// The part of an acceleration in this direction.
        func part(of acceleration: SIMD3<Double>) -> Double {
            switch self {
            case .x: acceleration.x
            case .y: acceleration.y
            case .z: acceleration.z
            case .minusX: -acceleration.x
            case .minusY: -acceleration.y
            case .minusZ: -acceleration.z
            }
        }
    }

    case key(KeyCode, KeyRequest)
    case line(LineRequest.Edge, LineRequest)
    /// An acceleration without gravity. Units: g. Nil for the axis means in any direction.
    case blow(above: Double, Axis?, sensor: String?)

    /// The options of each cause.
    private static let optionsByWord: KeyValuePairs = [
        "key": ["grab"], "gpio": ["edge", "bias", "active", "debounce"], "blow": ["axis"],
    ]
    static let options = optionsByWord.flatMap(\.value)
    static let words = optionsByWord.map(\.key)

    /// Checks that options are for a cause.
    ///
    /// - Throws: ``UsageError`` for an option of another cause.
    static func check(_ options: some Sequence<String>, for word: String) throws(UsageError) {
        for option in options {
            guard let owner = optionsByWord.first(where: { $0.value.contains(option) }), owner.key != word else {
                continue
            }
            throw UsageError("\(option) is an option of \(owner.key), not of \(word)")
        }
    }

    /// Reads a cause with the values of its options.
    init(_ text: String, _ values: [String: String]) throws(UsageError) {
        let word = text.prefix { $0.isLetter }
        switch word {
        case "key": self = try Self.key(text, values)
        case "gpio": self = try Self.line(text, values)
        default: self = try Self.blow(text, values)
        }
    }

    // MARK: Readings

    /// The part of a device that the cause depends on.
    var request: InputRequest {
        switch self {
        case .key(_, let request): .keys(request)
        case .line(_, let request): .line(request)
        case .blow(_, _, let sensor): .acceleration(sensor: sensor)
        }
    }

    /// True if the cause is over at once.
    var isEvent: Bool { if case .blow = self { false } else { true } }

    /// Checks whether a reading is the cause.
    ///
    /// - Parameters:
    ///   - reading: The reading of the cause's device.
    ///   - isHolding: True when the cause held before: a lower value then suffices, so that noise ends no condition.
    /// - Returns: The reason why the cause holds. Nil when it does not.
    func reason(for reading: InputReading, isHolding: Bool) -> String? {
        switch (self, reading) {
        case (.key(let key, _), .pressed(let pressed)): return pressed == key ? key.description : nil
        case (.line(let edge, let request), .edge(let isActive)):
            return edge.leads(toActive: isActive) ? "\(request.chip), line \(request.number)" : nil
        case (.blow(let level, let axis, _), .acceleration(let acceleration)):
            let value = axis?.part(of: acceleration) ?? (acceleration * acceleration).sum().squareRoot()
            guard value >= level * (isHolding ? 0.8 : 1) else { return nil }
            let tenths = Int((min(value, 1e6) * 10).rounded())
            return "\(tenths / 10).\(tenths % 10) g"
        default: return nil
        }
    }

    // MARK: Parsing

    /// The parts of `WORD:DEVICE:PLACE`; a device may have colons, too.
    private static func parts(_ text: String) -> (device: String, place: String)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let device = parts.dropFirst().dropLast().joined(separator: ":").trimmingBlanks
        guard parts.count > 2, let place = parts.last.map({ String($0).trimmingBlanks }), !device.isEmpty,
            !place.isEmpty
        else { return nil }
        return (device, place)
    }

    private static func key(_ text: String, _ values: [String: String]) throws(UsageError) -> InputCause {
        guard let (device, name) = parts(text) else {
            throw UsageError(
                "\(text) must name a device and a key: key:/dev/input/event3:KEY_F13 or key:FootSwitch:KEY_B")
        }
        guard let key = KeyCode(name) else {
            if Int(name) != nil {
                let numbers = KeyCode.numbers
                throw UsageError(
                    "there is no key \(name): the numbers are \(numbers.lowerBound) to \(numbers.upperBound)")
            }
            let full = name.uppercased()
            let hasBeginning = full.hasPrefix("KEY_") || full.hasPrefix("BTN_")
            let near = NearestName.suggestion(for: hasBeginning ? full : "KEY_\(full)", among: KeyCode.names)
            throw UsageError("there is no key \(name)\(near ?? "; the names are the kernel's, such as KEY_F13")")
        }
        let isExclusive = try values["grab"].map { text throws(UsageError) in try onOff(text, named: "grab") }
        return .key(key, KeyRequest(device: device, key: key, isExclusive: isExclusive ?? false))
    }

    private static func line(_ text: String, _ values: [String: String]) throws(UsageError) -> InputCause {
        guard let (chip, number) = parts(text), let line = UInt32(number) else {
            throw UsageError("\(text) must name a chip and the number of a line: gpio:gpiochip0:17")
        }
        var request = LineRequest(chip: chip, number: line)
        var edge = LineRequest.Edge.rising
        if let text = values["edge"] { edge = try choice(text, named: "edge") }
        if let text = values["bias"] { request.bias = try choice(text, named: "bias") }
        if let text = values["active"] {
            let state: Activity = try choice(text, named: "active")
            request.isActiveLow = state == .low
        }
        if let text = values["debounce"] { request.debounce = try Duration(argument: text) }
        request.edges = [edge]
        return .line(edge, request)
    }

    private enum Activity: String, CaseIterable { case high, low }

    private static func blow(_ text: String, _ values: [String: String]) throws(UsageError) -> InputCause {
        let mistake = UsageError("\(text) must have a level up to 200 g, as in blow>2.5g or blow:NAME>0.6g")
        guard let end = text.lastIndex(of: ">") else { throw mistake }
        let sensor = String(text[..<end].dropFirst("blow".count)).trimmingBlanks
        var number = String(text[text.index(after: end)...]).trimmingBlanks
        if number.hasSuffix("g") { number = String(number.dropLast()).trimmingBlanks }
        guard let level = Double(number), level > 0, level <= 200, sensor.isEmpty || sensor.hasPrefix(":"),
            sensor != ":"
        else { throw mistake }
        let axis: Axis? = try values["axis"].map { text throws(UsageError) in try choice(text, named: "axis") }
        let name = String(sensor.dropFirst()).trimmingBlanks
        return .blow(above: level, axis, sensor: name.isEmpty ? nil : name)
    }
}

extension String {
    /// The text without blanks at both ends.
    fileprivate var trimmingBlanks: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
