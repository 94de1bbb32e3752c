internal import PipCompose

/// One firing of a trigger, as servers and programs outside of the composition are told of it.
struct TriggerFiring: Sendable, Equatable {
    /// The longest reason, in bytes.
    ///
    /// The rest of a longer reason, such as a line of input, is left out.
    private static let longestReason = 1000

    /// The trigger's name.
    let name: String
    /// The reason of the firing; empty without one.
    let reason: String
    let time: WallTime
    /// The number of the trigger's firing, counted from 1.
    let number: Int
    /// Sentences about what the trigger's earlier actions have done.
    var done: [String] = []

    init(_ name: String, reason: String?, time: WallTime, number: Int) {
        (self.name, self.time, self.number) = (name, time, number)
        self.reason = String(decoding: (reason ?? "").utf8.prefix(Self.longestReason), as: UTF8.self)
    }

    /// The trigger's name, with the reason.
    var subject: String { reason.isEmpty ? name : "\(name) (\(reason))" }

    /// The time of the firing, by the local calendar.
    var timeText: String { time.dateTime(isUniversal: false) }

    /// The firing as a JSON object.
    var json: JSON {
        .object([
            "trigger": name, "reason": reason, "time": timeText, "number": number, "done": JSON.array(done.map(\.json)),
        ])
    }
}
