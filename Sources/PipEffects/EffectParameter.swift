public import PipFrames

/// One parameter of an effect: its name, its valid values, and its property in the effect.
///
/// Effects have plain Swift properties. A table of parameters lets the command line and configuration files read, set
/// and check these properties by name.
public struct EffectParameter<Owner: Sendable>: Sendable {
    /// The name on the command line, in lower case with hyphens.
    public let name: String
    /// One line of help for the command line.
    public let summary: String
    /// The unit, such as `px`; empty for plain numbers.
    public let unit: String
    /// The type and range of the parameter's values.
    public let kind: ParameterKind
    /// True when the effect does nothing without the parameter, so that the command line requires it.
    public let isRequired: Bool
    /// The value at which the parameter has no influence; nil where no value is neutral.
    ///
    /// ``Effect/neutral`` sets all these values, so that the effect leaves its input unchanged.
    public let neutral: ParameterValue?
    private let read: @Sendable (Owner) -> ParameterValue
    private let write: @Sendable (ParameterValue, inout Owner) throws(FileProblem) -> Void

    private init(
        _ name: String, _ summary: String, unit: String = "", kind: ParameterKind, isRequired: Bool = false,
        neutral: ParameterValue? = nil,
        read: @escaping @Sendable (Owner) -> ParameterValue,
        write: @escaping @Sendable (ParameterValue, inout Owner) throws(FileProblem) -> Void
    ) {
        self.name = name
        self.summary = summary
        self.unit = unit
        self.kind = kind
        self.isRequired = isRequired
        self.neutral = neutral
        self.read = read
        self.write = write
    }

    /// The parameter's present value in an effect.
    public func value(in owner: Owner) -> ParameterValue { read(owner) }

    /// Checks a value, and sets the parameter.
    ///
    /// - Throws: ``EffectError`` when the value is not allowed, or its file cannot be used. Then nothing changes.
    public func set(_ value: ParameterValue, in owner: inout Owner, of effect: String) throws(EffectError) {
        try check(value, of: effect)
        do throws(FileProblem) {
            try write(value, &owner)
        } catch {
            throw EffectError(
                effect: effect, parameter: name, value: "\(value)", problem: .file(reason: error.reason))
        }
    }

    /// Parses a value as written on the command line, and sets the parameter.
    ///
    /// - Throws: ``EffectError`` when the text is not a value of the parameter's type, the value is not allowed, or its
    ///   file cannot be used. Then nothing changes.
    public func set(text: String, in owner: inout Owner, of effect: String) throws(EffectError) {
        guard let value = ParameterValue(text, as: kind) else {
            throw EffectError(effect: effect, parameter: name, value: text, problem: .unreadable(kind))
        }
        try set(value, in: &owner, of: effect)
    }

    /// Checks the parameter's present value against its range.
    public func check(_ owner: Owner, of effect: String) throws(EffectError) { try check(read(owner), of: effect) }

    /// Sets the parameter to its neutral value, if it has one.
    fileprivate func neutralize(_ owner: inout Owner) {
        // Setting throws only for file parameters, which have no neutral value.
        if let neutral { try? write(neutral, &owner) }
    }

    private func check(_ value: ParameterValue, of effect: String) throws(EffectError) {
        guard kind.allows(value) else {
            throw EffectError(effect: effect, parameter: name, value: "\(value)", problem: .notAllowed(kind))
        }
    }
}

extension EffectParameter {
    /// Creates a parameter whose value is a number.
    public init(
        _ name: String, _ keyPath: any WritableKeyPath<Owner, Float> & Sendable, in range: ClosedRange<Float>,
        unit: String = "", neutral: Float? = nil, _ summary: String
    ) {
        self.init(name, summary, unit: unit, kind: .number(range), neutral: neutral.map { .number($0) }) {
            .number($0[keyPath: keyPath])
        } write: { value, owner in
            if case .number(let number) = value { owner[keyPath: keyPath] = number }
        }
    }

    /// Creates a parameter whose value is a whole number.
    public init(
        _ name: String, _ keyPath: any WritableKeyPath<Owner, Int> & Sendable, in range: ClosedRange<Int>,
        unit: String = "", neutral: Int? = nil, _ summary: String
    ) {
        self.init(name, summary, unit: unit, kind: .integer(range), neutral: neutral.map { .integer($0) }) {
            .integer($0[keyPath: keyPath])
        } write: { value, owner in
            if case .integer(let number) = value { owner[keyPath: keyPath] = number }
        }
    }

    /// Creates a parameter whose value is a switch.
    public init(_ name: String, _ keyPath: any WritableKeyPath<Owner, Bool> & Sendable, _ summary: String) {
        self.init(name, summary, kind: .flag) {
            .flag($0[keyPath: keyPath])
        } write: { value, owner in
            if case .flag(let isOn) = value { owner[keyPath: keyPath] = isOn }
        }
    }

    /// Creates a parameter whose value is a colour.
    public init(_ name: String, _ keyPath: any WritableKeyPath<Owner, Color> & Sendable, _ summary: String) {
        self.init(name, summary, kind: .color) {
            .color($0[keyPath: keyPath])
        } write: { value, owner in
            if case .color(let color) = value { owner[keyPath: keyPath] = color }
        }
    }

    /// Creates a parameter whose value is a case of an enumeration, named by its raw value.
    public init<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ keyPath: any WritableKeyPath<Owner, Choice> & Sendable, _ summary: String
    ) where Choice.RawValue == String {
        self.init(name, summary, kind: .choice(Choice.allCases.map(\.rawValue))) {
            .choice($0[keyPath: keyPath].rawValue)
        } write: { value, owner in
            if case .choice(let name) = value, let choice = Choice(rawValue: name) { owner[keyPath: keyPath] = choice }
        }
    }

    /// Creates a parameter whose value is a list of numbers, such as a matrix row by row.
    public init(
        _ name: String, _ keyPath: any WritableKeyPath<Owner, [Float]> & Sendable, count: ClosedRange<Int>,
        in range: ClosedRange<Float>, neutral: [Float]? = nil, _ summary: String
    ) {
        self.init(name, summary, kind: .numbers(count: count, each: range), neutral: neutral.map { .numbers($0) }) {
            .numbers($0[keyPath: keyPath])
        } write: { value, owner in
            if case .numbers(let numbers) = value { owner[keyPath: keyPath] = numbers }
        }
    }

    /// Creates a parameter whose value is the points of a curve, from left to right.
    public init(
        _ name: String, _ keyPath: any WritableKeyPath<Owner, [ControlPoint]> & Sendable, count: ClosedRange<Int>,
        neutral: [ControlPoint]? = nil, _ summary: String
    ) {
        self.init(name, summary, kind: .points(count: count), neutral: neutral.map { .points($0) }) {
            .points($0[keyPath: keyPath])
        } write: { value, owner in
            if case .points(let points) = value { owner[keyPath: keyPath] = points }
        }
    }

    /// Creates a parameter whose value is a list of positions in the picture.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - keyPath: The effect's property.
    ///   - count: The allowed numbers of positions.
    ///   - isPaired: True when each pair of positions is the two ends of a line.
    ///   - summary: One line of help.
    public init(
        _ name: String, places keyPath: any WritableKeyPath<Owner, [ControlPoint]> & Sendable,
        count: ClosedRange<Int>, isPaired: Bool = false, _ summary: String
    ) {
        self.init(name, summary, kind: .places(count: count, isPaired: isPaired)) {
            .points($0[keyPath: keyPath])
        } write: { value, owner in
            if case .points(let points) = value { owner[keyPath: keyPath] = points }
        }
    }

    /// Creates a parameter whose value is a file, which is read when the parameter is set.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - path: Returns the path of the file that the effect has read; empty for none.
    ///   - isRequired: True when the effect does nothing without the file.
    ///   - summary: One line of help.
    ///   - load: Reads the file into the effect, or throws the reason for which the file cannot be used.
    public init(
        _ name: String, path: @escaping @Sendable (Owner) -> String, isRequired: Bool = true, _ summary: String,
        load: @escaping @Sendable (String, inout Owner) throws(FileProblem) -> Void
    ) {
        self.init(name, summary, kind: .file, isRequired: isRequired) {
            .file(path($0))
        } write: { value, owner throws(FileProblem) in
            if case .file(let path) = value { try load(path, &owner) }
        }
    }
}

extension Effect {
    /// Checks every parameter against its range.
    public func validate() throws(EffectError) {
        for parameter in Self.parameters { try parameter.check(self, of: Self.name) }
    }

    /// The effect with all neutral values set, so that it leaves its input unchanged.
    ///
    /// Nil when no parameter has a neutral value.
    public static var neutral: Self? {
        guard parameters.contains(where: { $0.neutral != nil }) else { return nil }
        var effect = Self()
        for parameter in parameters { parameter.neutralize(&effect) }
        return effect
    }

    /// The name and parameters as written on the command line, such as `gaussian-blur=radius=4`.
    public var label: String {
        let values = Self.parameters.map { "\($0.name)=\(quoted("\($0.value(in: self))"))" }
        return values.isEmpty ? Self.name : "\(Self.name)=\(values.joined(separator: ":"))"
    }
}

/// Quotes a value that is empty or contains characters of the command line's chain syntax.
private func quoted(_ text: String) -> String {
    guard text.isEmpty || text.contains(where: { ",:='\\".contains($0) }) else { return text }
    return "'\(text.replacing("'", with: "'\\''"))'"
}
