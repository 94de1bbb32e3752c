internal import Glibc
internal import PipFrames
internal import PipInputs
internal import PipText

/// The signals in the messages of a CAN bus, as a DBC file describes them.
///
/// ```
/// BO_ 2364540158 EEC1: 8 Engine
///  SG_ EngineSpeed : 24|16@1+ (0.125,0) [0|8031.875] "rpm" Vector__XXX
/// ```
///
/// A signal has its own name; signals of the same name in several messages are `EEC1.EngineSpeed`.
///
/// Source: Vector, "DBC File Format Documentation", 1.0.5.
package struct CANDatabase: Hashable, Sendable {
    /// The bits that no identifier has: files collect signals without a message under such a number.
    private static let others: UInt32 = 0x6000_0000
    /// The largest file that is read, in bytes.
    private static let largestFile = 16 << 20

    /// The signals of each message, keyed by the message's identifier.
    let signals: [UInt32: [CANSignal]]

    /// Reads the signals in a text.
    ///
    /// Lines about other things than messages and signals are left out.
    init(_ text: String) {
        // The lines of some editors end with a carriage return, too.
        let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0.isWhitespace } }
        var signals: [UInt32: [CANSignal]] = [:]
        var message: (identifier: UInt32, name: String)?
        for line in lines {
            if let found = line.prefixMatch(of: /BO_\s+([0-9]+)\s+([A-Za-z0-9_]+)\s*:/) {
                message = UInt32(found.1).flatMap { $0 & Self.others == 0 ? ($0, String(found.2)) : nil }
            } else if let message, let signal = CANSignal(line, of: message.name) {
                signals[message.identifier, default: []].append(signal)
            }
        }
        for line in lines {
            guard let found = line.prefixMatch(of: /SIG_VALTYPE_\s+([0-9]+)\s+([A-Za-z0-9_]+)\s*:?\s*[12]\s*;/),
                let identifier = UInt32(found.1),
                let index = signals[identifier]?.firstIndex(where: { $0.name == found.2 })
            else { continue }
            signals[identifier]?[index].isFloat = true
        }
        self.init(signals)
    }

    private init(_ signals: [UInt32: [CANSignal]]) {
        var counts: [String: Int] = [:]
        for signal in signals.values.joined() { counts[signal.name, default: 0] += 1 }
        self.signals = signals.mapValues { list in
            list.compactMap { signal in
                var signal = signal
                if counts[signal.name, default: 0] > 1 { signal.name = "\(signal.message).\(signal.name)" }
                return ValueLine.isName(signal.name) ? signal : nil
            }
        }
    }

    /// Reads a DBC file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - names: The names of the signals to read; nil for all.
    /// - Throws: ``UsageError`` for a file that cannot be read or has no signals, for an unknown name, and for more
    ///   signals than there can be values.
    package init(path: String, names: [String]?) throws(UsageError) {
        guard let text = FileContents.text(of: path, limit: Self.largestFile) else {
            throw UsageError("\(path): cannot read the file: \(systemMessage(errno))")
        }
        let all = CANDatabase(text)
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

    /// The identifiers of the messages with signals, in rising order.
    package var identifiers: [UInt32] { signals.keys.sorted() }

    /// The values in messages, of which the later ones count.
    func values(_ messages: [CANMessage]) -> [String: Telemetry.Value] {
        var values: [String: Telemetry.Value] = [:]
        for message in messages {
            let found = signals[message.identifier] ?? []
            let selected = found.first { $0.isSelector }?.rawValue(message.bytes)
            for signal in found where signal.isShown && (signal.page == nil || signal.page == selected) {
                if let value = signal.value(message.bytes) { values[signal.name] = .number(value) }
            }
        }
        return values
    }
}
