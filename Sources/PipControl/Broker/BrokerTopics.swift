#if Control
/// The topics of a composition on an MQTT broker, all of which begin with the composition's name.
struct BrokerTopics: Sendable, Equatable {
    /// The topic in which Home Assistant says that it has started.
    static let birth = "homeassistant/status"

    let name: String

    /// `online` or `offline`; the broker itself publishes `offline` when the connection breaks.
    var status: String { "\(name)/status" }
    var state: String { "\(name)/state" }
    var moment: String { "\(name)/moment" }
    var thumbnail: String { "\(name)/thumbnail" }
    var setMoment: String { "\(name)/set/moment" }
    var setScene: String { "\(name)/set/scene" }
    /// The topic of the document by which Home Assistant finds the composition.
    var discovery: String { "homeassistant/device/\(name)/config" }
}

/// A message to the broker.
struct BrokerMessage: Sendable, Equatable {
    let topic: String
    let payload: [UInt8]
    /// True for a message that the broker keeps for later clients.
    let isRetained: Bool
    /// True for a message that the broker must acknowledge.
    let isAcknowledged: Bool

    init(_ topic: String, _ payload: [UInt8], isRetained: Bool = true, isAcknowledged: Bool = false) {
        (self.topic, self.payload) = (topic, payload)
        (self.isRetained, self.isAcknowledged) = (isRetained, isAcknowledged)
    }

    init(_ topic: String, _ text: String, isRetained: Bool = true, isAcknowledged: Bool = true) {
        self.init(topic, Array(text.utf8), isRetained: isRetained, isAcknowledged: isAcknowledged)
    }
}
#endif
