#if Control
internal import CMosquitto
internal import PipCompose
internal import PipRig

/// One connection to a broker, by libmosquitto.
///
/// Thread: the thread that created the client. No function but ``connect()`` blocks for longer than its timeout.
@safe final class BrokerClient {
    /// The time without a message after which the broker is asked for a sign of life.
    ///
    /// Units: seconds.
    private static let keepAlive: Int32 = 15
    /// The largest number of messages that the broker has not acknowledged.
    private static let mostPending = 16
    /// The reason why libmosquitto cannot be used; nil when it works.
    static let obstacle: String? = {
        if let reason = unsafe pip_load_mosquitto() {
            let reason = unsafe String(cString: reason)
            return "libmosquitto cannot be loaded: \(reason); to install: apt-get install libmosquitto1"
        }
        return mosquitto_lib_init() == pip_mosquitto_success ? nil : "libmosquitto does not start"
    }()

    private let argument: BrokerArgument
    private let handle: OpaquePointer
    private let received = Received()
    private var isAnswered: Bool { received.answer == 0 }

    /// The events of a connection that libmosquitto tells of.
    fileprivate final class Received {
        /// The broker's answer to the connection: 0 for accepted, nil for none yet.
        var answer: Int32?
        var messages: [ReceivedMessage] = []
        /// The numbers of the messages that the broker has not acknowledged.
        var pending: Set<Int32> = []
    }

    /// Creates a client, with the last will that tells of its absence.
    init(_ argument: BrokerArgument, _ will: BrokerMessage) throws(BrokerProblem) {
        self.argument = argument
        let context = unsafe Unmanaged.passUnretained(received).toOpaque()
        // With the same name at each connection, a broker ends the earlier one, whose will would come late otherwise.
        guard let made = unsafe mosquitto_new(argument.name, true, context) else {
            throw BrokerProblem(.network, "libmosquitto makes no client")
        }
        unsafe handle = unsafe made
        unsafe mosquitto_connect_callback_set(handle, takeAnswer)
        unsafe mosquitto_publish_callback_set(handle, takeAcknowledgement)
        unsafe mosquitto_message_callback_set(handle, takeMessage)
        if let user = argument.user { try check(unsafe mosquitto_username_pw_set(handle, user, argument.password)) }
        try check(
            unsafe mosquitto_will_set(handle, will.topic, Int32(will.payload.count), will.payload, 1, will.isRetained))
        guard argument.isSecure else { return }
        if let authorities = argument.authorities {
            try check(unsafe mosquitto_tls_set(handle, authorities, nil, nil, nil, nil))
        } else {
            try check(unsafe mosquitto_int_option(handle, pip_mosquitto_use_system_authorities, 1))
        }
    }

    deinit { unsafe mosquitto_destroy(handle) }

    private func check(_ result: Int32) throws(BrokerProblem) {
        guard result != pip_mosquitto_success else { return }
        if let answer = received.answer, answer != 0 { throw BrokerProblem(refusal: answer) }
        throw BrokerProblem(result: result, isAnswered: isAnswered, isSecure: argument.isSecure)
    }

    // MARK: Connection

    /// Begins to connect; blocks for the lookup of the host's name.
    func connect() throws(BrokerProblem) {
        try check(unsafe pip_mosquitto_connect(handle, argument.host, Int32(argument.port), Self.keepAlive))
    }

    /// True once the broker has accepted the connection.
    var isConnected: Bool { isAnswered }

    /// Sends and receives until something has arrived, or `timeout` has passed.
    ///
    /// - Throws: ``BrokerProblem`` when the broker refuses, and when the connection breaks.
    func exchange(timeout: Duration) throws(BrokerProblem) {
        try check(unsafe mosquitto_loop(handle, Int32(timeout.nanoseconds / 1_000_000), 1))
    }

    /// Ends the connection without the last will.
    func disconnect() { _ = unsafe mosquitto_disconnect(handle) }

    // MARK: Messages

    /// Subscribes to a topic.
    func subscribe(to topic: String) throws(BrokerProblem) {
        try check(unsafe mosquitto_subscribe(handle, nil, topic, 1))
    }

    /// True when the broker takes further messages: it has read most earlier ones.
    var isReady: Bool { unsafe !mosquitto_want_write(handle) && received.pending.count < Self.mostPending }

    /// True when the broker has acknowledged all messages for which that was asked.
    var isDone: Bool { received.pending.isEmpty }

    /// Publishes a message.
    func publish(_ message: BrokerMessage) throws(BrokerProblem) {
        var number: Int32 = 0
        try check(
            unsafe mosquitto_publish(
                handle, &number, message.topic, Int32(message.payload.count), message.payload,
                message.isAcknowledged ? 1 : 0, message.isRetained))
        if message.isAcknowledged { received.pending.insert(number) }
    }

    /// Takes the messages that have arrived since the last call.
    func messages() -> [ReceivedMessage] {
        defer { received.messages = [] }
        return received.messages
    }
}

// Global functions: libmosquitto calls them with the `Received`, on the thread that exchanges messages.
private func takeAnswer(_: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ answer: Int32) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<BrokerClient.Received>.fromOpaque(context).takeUnretainedValue().answer = answer
}

private func takeAcknowledgement(_: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ number: Int32) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<BrokerClient.Received>.fromOpaque(context).takeUnretainedValue().pending.remove(number)
}

private func takeMessage(
    _: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ message: UnsafePointer<mosquitto_message>?
) {
    guard let context = unsafe context, let message = unsafe message?.pointee, let topic = unsafe message.topic else {
        return
    }
    let count = unsafe min(Int(message.payloadlen), ReceivedMessage.documentLimit + 1)
    let payload = unsafe UnsafeRawBufferPointer(start: message.payload, count: message.payload == nil ? 0 : count)
    let taken = unsafe ReceivedMessage(
        topic: String(cString: topic), payload: Array(payload), isRetained: message.retain)
    unsafe Unmanaged<BrokerClient.Received>.fromOpaque(context).takeUnretainedValue().messages.append(taken)
}
#endif
