#if Control
internal import CMosquitto
internal import PipFrames

/// The reason why a broker is not connected, as a sentence without its full stop.
struct BrokerProblem: Error, Hashable {
    /// The kind of a problem, of which one is told until the broker is connected again.
    enum Kind: Hashable {
        /// The broker is not there, or the connection broke.
        case network
        /// The broker, or the check of its certificate, refuses the connection.
        case refused
    }

    let kind: Kind
    let reason: String

    init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

    /// Creates the problem of a refusal by the broker.
    ///
    /// - Parameter answer: The return code.
    ///
    /// Source: MQTT 3.1.1, 3.2.2.3 "Connect Return code".
    init(refusal answer: Int32) {
        let reason =
            switch answer {
            case 1: "the broker does not speak MQTT 3.1.1"
            case 2: "the broker refuses the client's name; write another name="
            case 3: "the broker is not available"
            case 4: "the broker refuses the user name or the password"
            case 5: "the broker refuses the user, or the password is wrong or missing"
            default: "the broker refuses the connection (\(answer))"
            }
        self.init(.refused, reason)
    }

    /// Creates the problem of a function of libmosquitto that has failed.
    ///
    /// - Parameters:
    ///   - result: The function's result, or a negated `errno`.
    ///   - isAnswered: True once the broker has accepted the connection.
    ///   - isSecure: True for a connection by TLS.
    init(result: Int32, isAnswered: Bool, isSecure: Bool) {
        switch result {
        case pip_mosquitto_tls_failed where !isAnswered:
            self.init(
                .refused,
                "no connection by TLS: the broker's certificate is not trusted or has another name (ca=FILE names its "
                    + "authority), or mqtt:// is meant")
        case pip_mosquitto_no_host: self.init(.network, "the host is not found")
        case ..<0: self.init(.network, "cannot connect: \(systemMessage(-result))")
        case _ where isAnswered: self.init(.network, "the connection is lost")
        case _ where isSecure: self.init(.network, "the broker closes the connection before it answers")
        default:
            self.init(
                .network,
                "the broker closes the connection before it answers; one that needs TLS is written mqtts://")
        }
    }
}
#endif
