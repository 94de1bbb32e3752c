internal import Synchronization

/// The parts of a session's state that can be read without waiting for its controller.
///
/// Thread: any.
final class Published: Sendable {
    let sources: SourceList
    let outputs: OutputList
    let results = RenderResults()
    private let pressureContents = Mutex(SessionStatistics.Pressure())

    init(sources: SourceList, outputs: OutputList, pressure: PressureOptions) {
        self.sources = sources
        self.outputs = outputs
        note(pressure.policy)
        note(pinned: pressure.pinned)
    }

    /// The machine's present pressure, and its history.
    var pressure: SessionStatistics.Pressure { pressureContents.withLock { $0 } }

    func note(_ event: PressureEvent) { pressureContents.withLock { $0.note(event) } }
    func note(_ state: PressureState) { pressureContents.withLock { $0.state = state } }
    func note(_ policy: PressurePolicy) { pressureContents.withLock { $0.policy = policy } }
    func note(pinned level: PressureLevel?) { pressureContents.withLock { $0.pinned = level } }
}
