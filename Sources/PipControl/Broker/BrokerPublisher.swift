#if Control
internal import PipCompose
internal import PipRig

/// The decision which messages a broker gets: those whose content has changed since it got them last.
struct BrokerPublisher {
    private let topics: BrokerTopics
    private let program: String
    private let hasDiscovery: Bool
    private let hasThumbnail: Bool
    private var lastState: BrokerState?
    private var lastDiscovery: BrokerDiscovery?
    /// The platforms of all entities that documents have had, keyed by the entities' identifiers.
    private var announced: [String: String] = [:]

    init(_ argument: BrokerArgument, program: String) {
        topics = BrokerTopics(name: argument.name)
        (self.program, hasDiscovery) = (program, argument.hasDiscovery)
        hasThumbnail = argument.thumbnailInterval != nil
    }

    /// Forgets what the broker got, so that everything is published again.
    mutating func forget() { (lastState, lastDiscovery) = (nil, nil) }

    /// Takes the document that the broker has kept from an earlier run.
    ///
    /// Home Assistant removes an entity only if a later document names the entity without its members.
    mutating func learn(_ document: JSON) {
        guard case .object(let components)? = document["cmps"] else { return }
        for component in components where component.value["unique_id"] != nil {
            guard let platform = component.value["p"]?.text, announced[component.key] == nil else { continue }
            announced[component.key] = platform
            lastDiscovery = nil
        }
    }

    /// Returns the messages that a state needs.
    mutating func messages(for state: BrokerState) -> [BrokerMessage] {
        var messages: [BrokerMessage] = []
        let discovery = BrokerDiscovery(topics, program: program, state, hasThumbnail: hasThumbnail)
        if hasDiscovery, discovery != lastDiscovery {
            lastDiscovery = discovery
            messages.append(BrokerMessage(topics.discovery, discovery.document(replacing: announced).line))
            announced.merge(discovery.platforms) { $1 }
        }
        if state != lastState {
            lastState = state
            messages.append(BrokerMessage(topics.state, state.json.line))
        }
        return messages
    }
}
#endif
