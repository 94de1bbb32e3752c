internal import Logging

/// A source node for live frames, such as a network stream's, that may go away and come back.
package struct LiveSourceSpecification: SourceSpecification {
    /// The clock, the callbacks and the waiting policy that the source is opened with.
    package struct Circumstances: Sendable {
        /// True to wait for a source that cannot be reached; false to fail at once.
        package let waits: Bool
        /// The clock of the frames' timestamps.
        package let clock: MonotonicClock
        /// Raised when the session no longer wants the source: the opening must stop waiting and give up.
        package let interruption: Interruption
        /// Called when the source goes away or comes back.
        package let onChange: @Sendable (LiveChange) -> Void
        /// Called with the error that has ended the source for good.
        package let fail: @Sendable (SourceError) -> Void

        package init(
            waits: Bool, clock: MonotonicClock, interruption: Interruption,
            onChange: @escaping @Sendable (LiveChange) -> Void,
            fail: @escaping @Sendable (SourceError) -> Void
        ) {
            self.waits = waits
            self.clock = clock
            self.interruption = interruption
            self.onChange = onChange
            self.fail = fail
        }
    }

    package let label: String
    private let makeSource: @Sendable (Circumstances) throws(SourceError) -> any LiveSource

    /// - Parameters:
    ///   - label: The source's name in messages.
    ///   - makeSource: Opens the source. The session calls this closure off the render thread.
    package init(
        label: String, _ makeSource: @escaping @Sendable (Circumstances) throws(SourceError) -> any LiveSource
    ) {
        self.label = label
        self.makeSource = makeSource
    }
}

extension LiveSourceSpecification: OpenableSource {
    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed {
        let (label, onChange) = (label, context.onLiveChange)
        let circumstances = Circumstances(
            waits: context.waitsForCameras, clock: context.clock, interruption: context.interruption,
            onChange: { onChange(id, label, $0) }, fail: context.onError)
        do throws(SourceError) {
            let source = try makeSource(circumstances)
            let description = source.description
            if let note = description.note { context.logger?.warning("\(label): \(note)") }
            let format = SourceFormat(
                layout: description.layout, colorimetry: description.colorimetry, orientation: description.orientation)
            return SourceFeed(
                id: id, name: label, inlet: LiveInlet(source: source), format: format, rate: description.rate)
        } catch {
            throw .source(error)
        }
    }
}

/// Takes a live source's newest frame at each tick.
struct LiveInlet: Inlet {
    let source: any LiveSource

    var isLive: Bool { source.state != .ended }
    var isPaired: Bool { source.isCamera }
    var isFinite: Bool { source.state == .ended }
    var isFinished: Bool { source.state == .ended }

    var availability: Availability {
        switch source.state {
        case .delivering, .ended: .delivering
        case .silent: .silent
        case .lost: .lost
        }
    }

    func start(at offset: Duration) { source.start() }
    func stop() async { await source.stop() }

    func take(_ moment: InletMoment) -> Intake { Intake(frame: source.newest.take()) }

    func report(_ statistics: inout SessionStatistics.Source, passedOver: Int) {
        statistics.kind = .stream
        statistics.events += source.repairs
        statistics.drops[.late] = source.replaced + passedOver
        statistics.delivered = statistics.used + statistics.drops.total
        statistics.state =
            switch source.state {
            case .delivering: .streaming
            case .silent: .stalled
            case .lost: .lost
            case .ended: .closed
            }
    }
}
