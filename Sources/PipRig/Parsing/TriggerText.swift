internal import PipFrames
internal import PipSources

/// The parts of a trigger's text: the cause, and options with their values.
///
/// ```
/// lost,do=clip,do=post:https://host/path,header='Accept: text/html, text/plain'
/// ```
///
/// A comma ends a part, except within the quotation marks around a value, and within those of a program's words.
struct TriggerText {
    /// An option with its value, without the quotation marks around the value.
    struct Option {
        let name: String
        let value: String
    }

    let cause: String
    let options: [Option]

    /// Splits a text.
    ///
    /// - Parameters:
    ///   - text: The text as the user typed it.
    ///   - known: The names of all options.
    /// - Throws: ``UsageError`` for an open quotation mark, an option without its value and an unknown option, with a
    ///   message that contains no secret.
    init(_ text: String, known: [String]) throws(UsageError) {
        var scanner = TriggerScanner()
        for character in text { scanner.take(character) }
        let subject = Self.shown(text)
        if let mark = scanner.openMark { throw UsageError("\(subject): close the quotation mark \(mark)") }
        var parts = scanner.parts
        cause = parts.removeFirst()
        var (options, mayBeSecret): ([Option], Bool) = ([], false)
        for part in parts {
            guard let option = Self.option(part), !mayBeSecret || known.contains(option.name) else {
                throw UsageError(
                    "\(subject): each option needs a value, such as do=clip, and a value with a comma stands in "
                        + "quotation marks, such as header='Accept: text/html, text/plain'")
            }
            guard known.contains(option.name) else {
                throw NearestName.unknown("option of a trigger", option.name, among: known)
            }
            options.append(option)
            mayBeSecret = Self.secret(of: option) != nil
        }
        self.options = options
    }

    private static func option(_ part: String) -> Option? {
        let halves = part.split(separator: "=", maxSplits: 1).map { $0.trimmed }
        guard halves.count == 2, !halves[1].isEmpty else { return nil }
        return Option(name: halves[0], value: unquoted(halves[1]))
    }

    // MARK: Quotation marks

    private static func unquoted(_ value: String) -> String {
        guard let mark = value.first, TriggerScanner.marks.contains(mark), value.count > 1, value.last == mark else {
            return value
        }
        return String(value.dropFirst().dropLast())
    }

    /// A value as it stands in a trigger's text, in quotation marks if it has a comma.
    static func quoted(_ value: String, of option: String) -> String {
        guard value.contains(",") else { return value }
        var scanner = TriggerScanner()
        for character in ",\(option)=\(value)" { scanner.take(character) }
        // The commas of a program's words may have their own quotation marks.
        if scanner.parts.count == 2 { return value }
        return TriggerScanner.marks.first { !value.contains($0) }.map { "\($0)\(value)\($0)" } ?? value
    }

    // MARK: Secrets

    /// A trigger's text for messages and configurations: addresses of web servers without their paths, headers without
    /// their values, other addresses without passwords and keys.
    ///
    /// References to secrets, such as `${KEY}`, stay.
    static func shown(_ text: String) -> String {
        var scanner = TriggerScanner()
        for character in text { scanner.take(character) }
        var mayBeSecret = false
        return scanner.parts.enumerated().map { index, part in
            let option = option(part)
            let isKnown = index == 0 || TriggerArgument.options.contains(option?.name ?? "")
            defer { if isKnown { mayBeSecret = option.flatMap(secret) != nil } }
            // The rest of an address or of a header behind a comma.
            guard isKnown || !mayBeSecret else { return "…" }
            guard !part.contains("${") else { return part }
            return option.flatMap(secret) ?? SourceAddress.hiding(in: part)
        }.joined(separator: ",")
    }

    /// The text that stands for an option whose value may be secret; nil for any other option.
    private static func secret(of option: Option) -> String? {
        switch option.name {
        case "header": return "header=\(option.value.prefix { $0 != ":" }): …"
        case "do":
            let action = "post:"
            guard option.value.lowercased().hasPrefix(action) else { return nil }
            return "do=\(action)\(server(of: String(option.value.dropFirst(action.count))))"
        default: return nil
        }
    }

    /// An address up to its host and port, without its user.
    private static func server(of address: String) -> String {
        let shown = SourceAddress.hiding(in: address)
        guard let mark = shown.firstRange(of: "://") else { return "…" }
        let end = shown[mark.upperBound...].firstIndex { "/?# ".contains($0) } ?? shown.endIndex
        let rest = shown[end...]
        return String(shown[..<end]) + (rest.isEmpty || rest == "/" ? rest : "/…")
    }
}
