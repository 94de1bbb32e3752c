import PipCompose
import PipRig

#if Control
import PipControl

/// The MQTT broker that a run reports to.
struct BrokerRun: Sendable {
    private let broker: Broker

    /// - Parameters:
    ///   - argument: The broker.
    ///   - console: Takes messages about the connection.
    /// - Throws: ``CommandError`` in a program that was built without the panel.
    init(_ argument: BrokerArgument, _ console: Console) throws(CommandError) {
        broker = Broker(argument, program: "pip-compose \(Version.text)") { console.write($0) }
    }

    /// Publishes an event of the session.
    func tell(_ event: SessionEvent, of live: LiveRig) {
        if case .marked(let moment, _) = event { broker.tell(moment, of: live) }
    }

    /// Reports the composition until the current task is cancelled.
    func follow(_ live: LiveRig) async { await broker.run(live) }
}
#else
/// Refuses `--mqtt` in a program that was built without the panel.
struct BrokerRun: Sendable {
    init(_ argument: BrokerArgument, _ console: Console) throws(CommandError) {
        throw CommandError(
            .usage,
            "\(argument.label): this pip-compose was built without MQTT; build it with the trait Control, which is on by default"
        )
    }

    func tell(_ event: SessionEvent, of live: LiveRig) {}
    func follow(_ live: LiveRig) async {}
}
#endif
