internal import Glibc
internal import PipFrames
package import PipInputs
internal import PipText

/// The signals in the messages of a CAN bus, as a DBC file describes them.
///
/// ```
/// BO_ 2364540158 EEC1: 8 Engine
///  SG_ EngineSpeed : 24|16@1+ (0.125,0) [0|8031.875] "rpm" Vector__XXX
/// ```
///
/// A signal has its own name; signals of the same name in several messages are `EEC1.EngineSpeed`. A message of 29 bits
/// from the address FE, which files of SAE J1939 write for any sender, stands for all messages of its group.
///
/// Source: Vector, "DBC File Format Documentation", 1.0.5; SAE J1939-21, "Data Link Layer", 5.2 and 5.3.
package struct CANDatabase: Hashable, Sendable {
    /// The largest file, in bytes.
    private static let largestFile = 16 << 20

    /// The signals of each message, keyed by the message's identifier.
    let signals: [UInt32: [CANSignal]]

    /// Reads the messages, the signals and the kinds of numbers in a text.
    init(_ text: String) {
        let patterns = DBCPatterns()
        let lines = Self.lines(of: text)
        var signals: [UInt32: [CANSignal]] = [:]
        var message: (identifier: UInt32, name: String)?
        for line in lines {
            if line.hasPrefix("BO_ ") {
                message = patterns.message(line).map { (Self.key(of: $0.identifier), $0.name) }
            } else if let message, line.hasPrefix("SG_"), let signal = CANSignal(line, of: message.name, patterns) {
                signals[message.identifier, default: []].append(signal)
            }
        }
        for line in lines where line.hasPrefix("SIG_VALTYPE_") {
            guard let found = patterns.float(line),
                let index = signals[Self.key(of: found.identifier)]?.firstIndex(where: { $0.name == found.name })
            else { continue }
            signals[Self.key(of: found.identifier)]?[index].isFloat = true
        }
        self.init(signals)
    }

    /// The lines of a text without their indents, and without those that begin within quotation marks.
    private static func lines(of text: String) -> [Substring] {
        var isQuoted = false
        return text.split(whereSeparator: \.isNewline).compactMap { line in
            let beginsQuoted = isQuoted
            if !line.utf8.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) { isQuoted.toggle() }
            return beginsQuoted ? nil : line.drop { $0.isWhitespace }
        }
    }

    private init(_ signals: [UInt32: [CANSignal]]) {
        var counts: [String: Int] = [:]
        for signal in signals.values.joined() { counts[signal.name, default: 0] += 1 }
        self.signals = signals.mapValues { list in
            // With several selectors, the file tells elsewhere which page is whose.
            let hasPages = list.count(where: \.isSelector) <= 1
            return list.compactMap { signal in
                var signal = signal
                if counts[signal.name, default: 0] > 1 { signal.name = "\(signal.message).\(signal.name)" }
                return ValueLine.isName(signal.name) && (hasPages || signal.page == nil) ? signal : nil
            }
        }
    }

    /// Reads a DBC file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - names: The names of the signals to read; nil for all.
    /// - Throws: ``UsageError`` for a file that cannot be read, is too large, has no signals, or has more signals than
    ///   there can be values, and for an unknown name.
    package init(path: String, names: [String]?) throws(UsageError) {
        guard let bytes = FileContents.bytes(of: path, limit: Self.largestFile + 1) else {
            throw UsageError("\(path): cannot read the file: \(systemMessage(errno))")
        }
        guard bytes.count <= Self.largestFile else {
            throw UsageError("\(path) has more than \(Self.largestFile >> 20) MB: it must be a DBC file")
        }
        let all = CANDatabase(String(decoding: bytes, as: UTF8.self))
        let known = all.signals.values.joined().map(\.name)
        guard !known.isEmpty else { throw UsageError("\(path) has no signals: it must be a DBC file") }
        for name in names ?? [] where !known.contains(name) {
            throw UsageError("\(path) has no signal \(name)\(NearestName.hint(for: name, among: known))")
        }
        guard (names ?? known).count <= Telemetry.mostNames else {
            throw UsageError(
                "\(path) has \(known.count) signals: name those to read, at most \(Telemetry.mostNames), as in "
                    + "signals=\(known.sorted().prefix(2).joined(separator: "+"))")
        }
        let wanted = Set(names ?? known)
        signals = all.signals.compactMapValues { list in
            guard list.contains(where: { wanted.contains($0.name) }) else { return nil }
            return list.compactMap { signal in
                var signal = signal
                signal.isShown = wanted.contains(signal.name)
                return signal.isShown || signal.isSelector ? signal : nil
            }
        }
    }

    /// The values in messages; later messages override earlier ones.
    func values(_ messages: [CANMessage]) -> [String: Telemetry.Value] {
        var values: [String: Telemetry.Value] = [:]
        for message in messages {
            let isLong = message.identifier & Self.isLong != 0
            let group = isLong ? signals[Self.groupKey(of: message.identifier)] : nil
            let found = signals[message.identifier] ?? group ?? []
            let selected = found.first { $0.isSelector }?.rawValue(message.bytes)
            for signal in found where signal.isShown && (signal.page == nil || signal.page == selected) {
                if let value = signal.value(message.bytes) { values[signal.name] = .number(value) }
            }
        }
        return values
    }
}

// MARK: Identifiers

extension CANDatabase {
    /// The bit that marks identifiers of 29 bits, and the one that marks requests for a message.
    private static let (isLong, isRequest): (UInt32, UInt32) = (1 << 31, 1 << 30)
    /// The sender's address in identifiers of SAE J1939, in files: any sender.
    private static let anySender: UInt32 = 0xfe

    /// True for an identifier that stands for all messages of a group.
    private static func isGroup(_ identifier: UInt32) -> Bool {
        identifier & isLong != 0 && identifier & 0xff == anySender
    }

    /// The bits of an identifier by which messages of its group are known: without the priority and the sender, and
    /// without the receiver in groups that have one.
    private static func groupMask(_ identifier: UInt32) -> UInt32 {
        let hasReceiver = identifier >> 16 & 0xff < 240
        return hasReceiver ? 0x03ff_0000 : 0x03ff_ff00
    }

    /// The key of the signals of a message's group.
    private static func groupKey(of identifier: UInt32) -> UInt32 {
        identifier & groupMask(identifier) | isLong | anySender
    }

    /// The key of a message's signals in a file: its identifier, or the key of its group.
    private static func key(of identifier: UInt32) -> UInt32 {
        isGroup(identifier) ? groupKey(of: identifier) : identifier
    }

    /// The choices of the messages with signals, in the order of their identifiers.
    package var filters: [CANRequest.Filter] {
        signals.keys.sorted().map { identifier in
            let bits: UInt32 = identifier & Self.isLong == 0 ? 0x7ff : 0x1fff_ffff
            let mask = Self.isGroup(identifier) ? Self.groupMask(identifier) : bits
            return CANRequest.Filter(identifier, mask: mask | Self.isLong | Self.isRequest)
        }
    }
}
