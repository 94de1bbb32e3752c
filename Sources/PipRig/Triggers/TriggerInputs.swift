internal import PipCompose
internal import PipInputs
internal import Synchronization

/// Reads the devices on which triggers depend.
///
/// The thread that reads a device asks the trigger's gate. So a device with a thousand events a second costs the rest
/// of the program no more than the firings that the gate lets through.
struct TriggerInputs {
    /// A trigger that has fired.
    struct Firing: Sendable {
        let trigger: TriggerArgument
        let reason: String
        /// The time of the event, by the kernel where it tells it.
        let time: Timestamp
    }

    /// The triggers that depend on one device.
    private struct Group {
        var request: InputRequest
        var members: [Member]
        var reader: InputReader?
    }

    /// The largest number of firings that wait to be taken; later ones are dropped.
    private static let mostFirings = 64

    private let devices: any InputDevices
    private let clock: MonotonicClock
    private let tell: @Sendable (TriggerWatch.Report) -> Void
    private let continuation: AsyncStream<Firing>.Continuation
    private var groups: [Group] = []

    /// The firings, for one reader.
    let firings: AsyncStream<Firing>

    init(
        _ devices: any InputDevices, clock: MonotonicClock, tell: @escaping @Sendable (TriggerWatch.Report) -> Void
    ) {
        (self.devices, self.clock, self.tell) = (devices, clock, tell)
        (firings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.mostFirings))
    }

    /// Reads the devices of these triggers, and no others from now on.
    mutating func follow(_ triggers: [TriggerArgument]) {
        var wanted: [Group] = []
        for trigger in triggers {
            guard case .input(let cause) = trigger.cause else { continue }
            let known = groups.lazy.flatMap(\.members).first { $0.trigger == trigger }
            let member = known ?? Member(trigger, cause)
            let shared = wanted.indices.lazy.compactMap { index in
                wanted[index].request.merged(with: cause.request).map { (index, $0) }
            }.first
            if let (index, request) = shared {
                wanted[index].request = request
                wanted[index].members.append(member)
            } else {
                wanted.append(Group(request: cause.request, members: [member]))
            }
        }
        for index in wanted.indices {
            let same = groups.firstIndex { group in
                group.request == wanted[index].request
                    && group.members.map(\.trigger) == wanted[index].members.map(\.trigger)
            }
            if let same { wanted[index].reader = groups.remove(at: same).reader }
        }
        let stopped = groups.compactMap(\.reader)
        for reader in stopped { reader.stop() }
        for index in wanted.indices where wanted[index].reader == nil {
            wanted[index].reader = read(wanted[index], after: stopped)
        }
        groups = wanted
    }

    private func read(_ group: Group, after stopped: [InputReader]) -> InputReader {
        let names = group.members.map(\.trigger.name).joined(separator: ", ")
        return InputReader(group.request, devices, clock: clock, after: stopped) { [continuation, tell] event in
            switch event {
            case .reading(let reading, let time):
                for member in group.members {
                    guard let reason = member.fires(reading, at: time) else { continue }
                    continuation.yield(Firing(trigger: member.trigger, reason: reason, time: time))
                }
            case .missing(let problem): tell(.missing("\(names): \(problem); tried again every second"))
            case .back: tell(.back("\(names): ready"))
            }
        }
    }
}

/// A trigger with the gate of its cause.
private final class Member: Sendable {
    let trigger: TriggerArgument
    private let cause: InputCause
    private let gate: Mutex<TriggerGate>

    init(_ trigger: TriggerArgument, _ cause: InputCause) {
        (self.trigger, self.cause) = (trigger, cause)
        gate = Mutex(TriggerGate(hold: trigger.hold, distance: trigger.distance))
    }

    /// Takes a reading; returns the reason when the trigger fires.
    func fires(_ reading: InputReading, at time: Timestamp) -> String? {
        gate.withLock { gate in
            let reason = cause.reason(for: reading, isHolding: gate.isHolding)
            if cause.isEvent {
                guard reason != nil else { return nil }
                _ = gate.fires(false, at: time)
            }
            return gate.fires(reason != nil, at: time) ? reason : nil
        }
    }
}
