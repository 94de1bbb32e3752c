#if Control
internal import PipCompose
internal import PipRig

/// The work of a broker's thread: connects, publishes what changes, takes commands, and connects again.
///
/// Thread: the broker's thread only.
struct BrokerLink {
    /// The connections of the link to its composition.
    struct Composition: Sendable {
        /// Reads the present state.
        let state: @Sendable () -> BrokerState
        /// Performs a command, and returns at once.
        let perform: @Sendable (BrokerCommand) -> Void
        let tell: @Sendable (BrokerReport) -> Void
    }

    /// The time between two looks at the state.
    private static let interval = Duration.milliseconds(500)
    /// The longest wait for messages, after which the outbox is looked at.
    private static let step = Duration.milliseconds(100)
    /// The longest wait for the broker's answer.
    private static let patience = Duration.seconds(10)
    /// The age of a connection after which its next problem is a new one.
    private static let proof = Duration.seconds(30)

    private let argument: BrokerArgument
    private let topics: BrokerTopics
    private let outbox: BrokerOutbox
    private let composition: Composition
    private let clock = MonotonicClock()
    private var publisher: BrokerPublisher
    private var backOff = BackOff.ofPublishers
    private var limit = BrokerCommand.Limit()
    /// The kinds of problems that were told.
    private var told: Set<BrokerProblem.Kind> = []
    /// True from a problem that was told to the next connection.
    private var isMissing = false
    /// True from a senseless command that was told to the next good one.
    private var isNonsenseTold = false

    init(_ argument: BrokerArgument, program: String, _ outbox: BrokerOutbox, _ composition: Composition) {
        (self.argument, self.outbox, self.composition) = (argument, outbox, composition)
        topics = BrokerTopics(name: argument.name)
        publisher = BrokerPublisher(argument, program: program)
    }

    /// Works until the interruption is raised.
    mutating func run(until interruption: Interruption) {
        blockBrokenPipeSignal()
        while !interruption.isRaised {
            do throws(BrokerProblem) { try converse(until: interruption) } catch {
                if told.insert(error.kind).inserted {
                    isMissing = true
                    composition.tell(.missing("\(argument.label): \(error.reason); the connection is tried again"))
                }
                _ = interruption.wait(for: -1, events: 0, until: clock.now.advanced(by: backOff.next()))
            }
        }
    }

    /// Connects, and exchanges messages until the interruption is raised.
    ///
    /// - Throws: ``BrokerProblem`` when the connection cannot be made, and when it breaks.
    private mutating func converse(until interruption: Interruption) throws(BrokerProblem) {
        let client = try BrokerClient(argument, BrokerMessage(topics.status, "offline"))
        try client.connect()
        let begin = clock.now
        while !client.isConnected {
            guard !interruption.isRaised else { return }
            guard begin.duration(to: clock.now) < Self.patience else {
                throw BrokerProblem(.network, "the broker does not answer")
            }
            try client.exchange(timeout: Self.step)
        }
        try greet(client)
        var look = clock.now
        while !interruption.isRaised {
            if begin.duration(to: clock.now) >= Self.proof, !told.isEmpty || backOff != .ofPublishers {
                told = []
                backOff.reset()
            }
            for message in client.messages() { take(message) }
            if client.isReady, clock.now >= look {
                look = clock.now.advanced(by: Self.interval)
                for message in publisher.messages(for: composition.state()) { try client.publish(message) }
            }
            while client.isReady, let message = outbox.next(topics) { try client.publish(message) }
            try client.exchange(timeout: Self.step)
        }
        leave(client)
    }

    /// Says that the composition is there, and asks for commands.
    private mutating func greet(_ client: BrokerClient) throws(BrokerProblem) {
        composition.tell(isMissing ? .back("\(argument.label): connected again") : .connected(argument.label))
        isMissing = false
        publisher.forget()
        for topic in [topics.setMoment, topics.setScene] { try client.subscribe(to: topic) }
        if argument.hasDiscovery {
            for topic in [BrokerTopics.birth, topics.discovery] { try client.subscribe(to: topic) }
        }
        try client.publish(BrokerMessage(topics.status, "online"))
    }

    /// Says that the composition is gone, and waits shortly for the broker's acknowledgement.
    private func leave(_ client: BrokerClient) {
        do throws(BrokerProblem) {
            try client.publish(BrokerMessage(topics.status, "offline"))
            let deadline = clock.now.advanced(by: .seconds(1))
            while !client.isDone, clock.now < deadline { try client.exchange(timeout: Self.step) }
            client.disconnect()
        } catch {
            // The broker publishes the last will, which says the same.
        }
    }

    private mutating func take(_ message: ReceivedMessage) {
        if message.topic == topics.discovery {
            guard message.isRetained, message.payload.count <= ReceivedMessage.documentLimit else { return }
            if let document = JSON(reading: message.payload) { publisher.learn(document) }
            return
        }
        do throws(BrokerCommand.Mistake) {
            guard let command = try BrokerCommand(message, topics) else { return }
            if command == .announce { return publisher.forget() }
            guard limit.admits(at: clock.now) else {
                throw BrokerCommand.Mistake(reason: "\(message.topic): more than \(BrokerCommand.Limit.most) a second")
            }
            isNonsenseTold = false
            composition.perform(command)
        } catch {
            guard !isNonsenseTold else { return }
            isNonsenseTold = true
            composition.tell(.ignored("\(argument.label): \(error.reason); ignored"))
        }
    }
}
#endif
