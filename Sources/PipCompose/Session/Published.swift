internal import Synchronization

/// The parts of a session's state that can be read without waiting for its controller.
///
/// Thread: any.
final class Published: Sendable {
    let sources: SourceList
    let outputs: OutputList
    let results = RenderResults()
    let moments: MomentMarks
    private let pressureContents = Mutex(SessionStatistics.Pressure())

    init(sources: SourceList, outputs: OutputList, _ options: SessionOptions, _ journal: SessionJournal) {
        self.sources = sources
        self.outputs = outputs
        moments = MomentMarks(outputs: outputs, journal: journal, clock: options.time)
        note(options.pressure.policy)
        note(pinned: options.pressure.pinned)
    }

    /// The machine's present pressure, and its history.
    var pressure: SessionStatistics.Pressure { pressureContents.withLock { $0 } }

    /// The machine's present pressure level, without a copy of the history.
    var pressureLevel: PressureLevel { pressureContents.withLock { $0.state.level } }

    func note(_ event: PressureEvent) { pressureContents.withLock { $0.note(event) } }
    func note(_ state: PressureState) { pressureContents.withLock { $0.state = state } }
    func note(_ policy: PressurePolicy) { pressureContents.withLock { $0.policy = policy } }
    func note(pinned level: PressureLevel?) { pressureContents.withLock { $0.pinned = level } }
}
