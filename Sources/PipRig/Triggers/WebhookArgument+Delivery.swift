#if Media
internal import PipCompose
internal import PipMedia

extension WebhookArgument {
    /// The limits of a message's delivery.
    struct Limits: Sendable {
        /// The longest wait for an answer.
        var answer = Duration.seconds(10)
        /// The largest number of attempts.
        var attempts = 5
        /// The waits between attempts.
        var backOff = BackOff.ofPublishers
        /// The largest number of messages that wait.
        var waiting = 16
    }

    /// Makes the worker that sends a message for each firing.
    func worker(
        for trigger: String, _ limits: Limits = Limits(), tell: @escaping @Sendable (TriggerWatch.Report) -> Void
    ) -> TriggerWorker {
        let subject = "\(trigger): \(label)"
        return TriggerWorker("pip-webhook", most: limits.waiting) { lost in
            tell(.failed("\(subject): messages that were left out, because the server was too slow: \(lost)"))
        } _: { firing, ending in
            tell(deliver(firing, limits, until: ending, tell))
        }
    }

    /// Sends the message of a firing, again and again if need be.
    ///
    /// - Returns: The outcome.
    private func deliver(
        _ firing: TriggerFiring, _ limits: Limits, until ending: Interruption, _ tell: (TriggerWatch.Report) -> Void
    ) -> TriggerWatch.Report {
        let subject = "\(firing.subject): \(label)"
        var backOff = limits.backOff
        var told: String?
        var attempt = 1
        while true {
            switch message.send(firing.json.line, within: limits.answer, until: ending) {
            case .taken(let status): return .done("\(subject): the server has the message (status \(status))")
            case .refused(let reason): return .failed("\(subject): \(reason)")
            case .failed(let reason):
                if ending.isRaised { return .failed("\(subject): not sent before the end: \(told ?? reason)") }
                if attempt >= limits.attempts {
                    return .failed("\(subject): given up after \(attempt) attempts: \(reason)")
                }
                if told != reason { tell(.failed("\(subject): \(reason); the message is tried again")) }
                told = reason
                let next = MonotonicClock().now.advanced(by: backOff.next())
                _ = ending.wait(for: -1, events: 0, until: next)
                attempt += 1
            }
        }
    }
}
#endif
