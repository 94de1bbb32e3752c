package import PipCompose

/// The options after the name of a source or sink: `?key=value&key=value`.
///
/// The query begins at the last question mark. A name that contains a question mark needs another one at its end:
/// `what?.y4m?`.
package struct OptionQuery: Equatable {
    /// The text before the query: the name of the source or sink.
    package let name: String
    private var values: [(key: String, value: String)]
    private let text: String

    package init(_ text: String) throws(UsageError) {
        self.text = text
        values = []
        guard let mark = text.lastIndex(of: "?") else {
            name = text
            return
        }
        name = String(text[..<mark])
        for pair in text[text.index(after: mark)...].split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = halves.count == 2 ? halves[1] : "true"
            guard !halves[0].isEmpty, !value.isEmpty else {
                throw UsageError("\(text): \(pair) is not an option; options are written ?key=value&key=value")
            }
            guard !values.contains(where: { $0.key == halves[0] }) else {
                throw UsageError("\(text): \(halves[0]) is given twice")
            }
            values.append((halves[0], value))
        }
    }

    package var isEmpty: Bool { values.isEmpty }

    /// The value of an option; nil when the option is absent.
    package subscript(key: String) -> String? { values.first { $0.key == key }?.value }

    /// The options whose keys begin with a prefix, in the order given.
    ///
    /// The keys in the result omit the prefix.
    package func values(withPrefix prefix: String) -> [(key: String, value: String)] {
        values.filter { $0.key.hasPrefix(prefix) }.map { (String($0.key.dropFirst(prefix.count)), $0.value) }
    }

    /// Throws ``UsageError`` for an option that is not among `keys`.
    ///
    /// A key that ends in a full stop allows all keys with this prefix. Messages name the owner of the options as
    /// `kind`, such as `a camera`.
    package func allow(_ keys: String..., for kind: String) throws(UsageError) { try allow(keys, for: kind) }

    /// Throws ``UsageError`` for an option that is not among `keys`.
    package func allow(_ keys: [String], for kind: String) throws(UsageError) {
        for (key, _) in values where !keys.contains(where: { $0.hasSuffix(".") ? key.hasPrefix($0) : $0 == key }) {
            guard !keys.isEmpty else { throw UsageError("\(text): \(kind) takes no options") }
            throw UsageError("\(text): \(kind) has no option \(key)\(NearestName.hint(for: key, among: keys))")
        }
    }

    /// The value of `size`; nil when the option is absent.
    package func size(allowsOdd: Bool = false) throws(UsageError) -> PixelSize? {
        try read("size") { value throws(UsageError) in try PixelSize(argument: value, allowsOdd: allowsOdd) }
    }

    /// The frame rate of `fps` or another key; nil when the option is absent.
    package func frameRate(_ key: String = "fps") throws(UsageError) -> FrameRate? {
        try read(key) { value throws(UsageError) in try FrameRate(argument: value) }
    }

    /// The value of a switch; nil when the option is absent.
    package func flag(_ key: String) throws(UsageError) -> Bool? {
        try read(key) { value throws(UsageError) in try onOff(value, named: key) }
    }

    /// The value of a numeric option, whose range is checked; nil when the option is absent.
    package func number<Value: LosslessStringConvertible & Comparable>(
        _ key: String, in range: ClosedRange<Value>
    ) throws(UsageError) -> Value? {
        try read(key) { value throws(UsageError) in try PipRig.number(value, in: range, named: key) }
    }

    /// Reads the option `key`, whose value must be the raw value of a case; nil when the option is absent.
    package func choice<Value: RawRepresentable<String> & CaseIterable>(_ key: String) throws(UsageError) -> Value? {
        try read(key) { value throws(UsageError) in try PipRig.choice(value, named: key) }
    }

    /// The value of an option that is a time, and may be zero; nil when the option is absent.
    package func time(_ key: String) throws(UsageError) -> Duration? {
        try read(key) { value throws(UsageError) in try Duration(position: value) }
    }

    /// The pixel format of `format`; nil when the option is absent.
    package func pixelFormat(among formats: [PixelFormat]) throws(UsageError) -> PixelFormat? {
        try read("format") { name throws(UsageError) in
            if let format = formats.first(where: { $0.rawValue == name.lowercased() }) { return format }
            let hint = NearestName.hint(for: name, among: formats.map(\.rawValue))
            throw UsageError("there is no format \(name) for \(self.name)\(hint)")
        }
    }

    /// The rotation of `rotate`; nil when the option is absent.
    package func rotation() throws(UsageError) -> Orientation? {
        try read("rotate") { value throws(UsageError) in
            guard let degrees = Int(value), (0...270).contains(degrees), let turn = Orientation(degrees: degrees)
            else { throw UsageError("rotate is \(value), but must be 0, 90, 180 or 270") }
            return turn
        }
    }

    /// Converts the value of an option; nil when the option is absent.
    ///
    /// Errors begin with the whole text from which the query was created.
    package func read<Value>(
        _ key: String, _ convert: (String) throws(UsageError) -> Value
    ) throws(UsageError) -> Value? {
        guard let value = self[key] else { return nil }
        do throws(UsageError) { return try convert(value) } catch { throw error.about(text) }
    }

    package static func == (left: OptionQuery, right: OptionQuery) -> Bool { left.text == right.text }
}
