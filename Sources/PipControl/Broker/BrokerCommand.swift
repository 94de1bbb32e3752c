#if Control
internal import PipCompose

/// A message that a broker has delivered.
struct ReceivedMessage: Sendable, Equatable {
    /// The longest payload of a command, in bytes.
    static let commandLimit = 256
    /// The longest payload of a document, in bytes; of a longer payload, only one byte more is kept.
    static let documentLimit = 65_536

    let topic: String
    let payload: [UInt8]
    /// True for a message that the broker has kept from an earlier time.
    let isRetained: Bool
}

/// A command that came by a broker.
enum BrokerCommand: Equatable {
    case mark(String)
    case show(scene: String)
    /// Home Assistant has started, and wants the documents again.
    case announce

    /// Reads a message; nil for one that is no command.
    ///
    /// - Throws: ``Mistake`` for a message to a command's topic that makes no sense.
    init?(_ message: ReceivedMessage, _ topics: BrokerTopics) throws(Mistake) {
        if message.topic == BrokerTopics.birth {
            guard message.payload == Array("online".utf8) else { return nil }
            self = .announce
            return
        }
        guard [topics.setMoment, topics.setScene].contains(message.topic) else { return nil }
        guard !message.isRetained else {
            throw Mistake(reason: "\(message.topic): the broker has kept a command, which is for one time only")
        }
        guard message.payload.count <= ReceivedMessage.commandLimit,
            let text = String(validating: message.payload, as: UTF8.self)
        else {
            throw Mistake(
                reason: "\(message.topic): a command is text in UTF-8 of at most \(ReceivedMessage.commandLimit) bytes")
        }
        guard message.topic == topics.setScene else {
            self = .mark(text)
            return
        }
        // Messages have the name, and must stay on one line.
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw Mistake(reason: "\(message.topic): a scene's name has no control characters")
        }
        self = .show(scene: text)
    }

    /// The reason why a message is ignored, as a sentence without its full stop.
    struct Mistake: Error, Equatable {
        let reason: String
    }

    /// The limit of the rate of commands.
    struct Limit {
        /// The largest number of commands in ``span``.
        static let most = 10
        static let span = Duration.seconds(1)
        private var times: [Timestamp] = []

        /// Returns true for a command that may be performed; false for one too many.
        mutating func admits(at now: Timestamp) -> Bool {
            times.removeAll { $0.duration(to: now) >= Self.span }
            guard times.count < Self.most else { return false }
            times.append(now)
            return true
        }
    }
}
#endif
