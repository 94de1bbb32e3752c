internal import Logging

/// A source node whose frames are read in order, such as a file's or a pipe's.
package struct ReaderSpecification: OpenableSource {
    package var label: String
    private let makeSource: @Sendable (OpeningContext) throws(SourceError) -> ReaderSource

    /// - Parameters:
    ///   - label: The source's name in messages.
    ///   - makeReader: Opens the source. The session calls this closure when it opens its sources.
    package init(
        label: String, makeReader: @escaping @Sendable () throws(SourceError) -> sending any FrameReader
    ) {
        self.init(waiting: label) { _ throws(SourceError) in try makeReader() }
    }

    /// Creates a source that may wait before its first frame, as a pipe waits for its writer.
    ///
    /// - Parameters:
    ///   - label: The source's name in messages.
    ///   - makeReader: Opens the source. Raising the interruption that the closure gets ends the wait.
    package init(
        waiting label: String,
        makeReader: @escaping @Sendable (Interruption) throws(SourceError) -> sending any FrameReader
    ) {
        self.label = label
        makeSource = { context throws(SourceError) in
            ReaderSource(try makeReader(context.interruption), clock: context.clock, onError: context.onError)
        }
    }

    /// Creates a source whose frames bring their own buffers and timestamps.
    ///
    /// - Parameters:
    ///   - label: The source's name in messages.
    ///   - makeSupply: Opens the source. The session calls this closure when it opens its sources.
    package init(
        timed label: String, makeSupply: @escaping @Sendable () throws(SourceError) -> sending any FrameSupply
    ) {
        self.label = label
        makeSource = { context throws(SourceError) in
            // `onStop` is empty: a read that hangs in the file system cannot be interrupted.
            ReaderSource(supply: try makeSupply(), clock: context.clock, onStop: {}, onError: context.onError)
        }
    }

    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed {
        do throws(SourceError) {
            return ReaderInlet.feed(id, label, try makeSource(context), context)
        } catch {
            throw .source(error)
        }
    }
}

/// Takes frames that are read in order, each when it is due.
struct ReaderInlet: Inlet {
    let reader: ReaderSource
    /// The output time at which a timed source, such as a movie, starts.
    ///
    /// The time of the first tick that takes the source's frames; zero for a source that starts with a session at an
    /// offset. Nil before that tick.
    private let began = Monitor<Duration?>(nil)

    var isLive: Bool { false }
    var isFinished: Bool { !reader.description.isStill && reader.isFinished }
    var isFinite: Bool { reader.description.length != .endless && !reader.description.isStill }

    var length: Duration? { reader.description.duration }

    init(reader: ReaderSource) { self.reader = reader }

    /// Makes the feed of a source that is read in order, and logs the source's note.
    static func feed(_ id: NodeID, _ label: String, _ source: ReaderSource, _ context: OpeningContext) -> SourceFeed {
        let description = source.description
        var format = SourceFormat(
            layout: description.layout, colorimetry: description.colorimetry, orientation: description.orientation)
        format.isStill = description.isStill
        if let note = description.note { context.logger?.warning("\(label): \(note)") }
        return SourceFeed(
            id: id, name: label, inlet: ReaderInlet(reader: source), format: format, rate: description.rate)
    }

    func start(at offset: Duration) {
        // A session that starts at an offset seeks the movie, too: the movie began at session time 0, which is not
        // shown.
        if offset > .zero { began.update { $0 = .zero } }
        reader.start(at: offset)
    }

    func stop() async {
        // A read may hang in the file system, so a thread of its own waits for the reader.
        _ = await WorkerThread.run(name: "pip-closing", clock: reader.clock, [{ @Sendable [reader] in reader.stop() }])
    }

    /// Takes the newest frame that is due; older due frames are passed over.
    func take(_ moment: InletMoment) -> Intake {
        if reader.description.isTimed { return takeTimed(moment) }
        var intake = Intake()
        let due = Timestamp(nanoseconds: moment.offset.nanoseconds)
        while isDue(after: intake.frame ?? moment.last, at: due) {
            if let deadline = moment.deadline, !reader.frames.waitForElement(until: deadline) {
                intake.isPending = !reader.isFinished
                break
            }
            guard let next = reader.frames.popFirst(where: { $0.timestamp <= due }) else {
                intake.isPending = !reader.isFinished
                break
            }
            if intake.frame != nil { intake.passedOver += 1 }
            intake.frame = next
        }
        return intake
    }

    /// Takes the newest frame that is due by its own timestamp; older due frames are passed over.
    private func takeTimed(_ moment: InletMoment) -> Intake {
        var intake = Intake()
        let start = began.update { start in
            if start == nil { start = moment.offset }
            return start ?? .zero
        }
        let due = Timestamp(nanoseconds: (moment.offset - start).nanoseconds)
        if let shown = moment.shown {
            reader.onMoment?(SourceMoment(start: shown.advanced(by: start - moment.offset), shown: shown))
        }
        while true {
            // Only reading the next frame tells whether it is due.
            if let deadline = moment.deadline, !reader.frames.waitForElement(until: deadline) {
                intake.isPending = !reader.isFinished
                return intake
            }
            guard let next = reader.frames.popFirst(where: { $0.timestamp <= due }) else { return intake }
            if intake.frame != nil { intake.passedOver += 1 }
            intake.frame = next
        }
    }

    /// True when the frame that follows `frame` is due at a moment.
    private func isDue(after frame: Frame?, at due: Timestamp) -> Bool {
        guard let frame else { return true }
        if reader.description.isStill { return false }
        let next = reader.description.rate.offset(ofFrame: Int(frame.info.sequence) + 1)
        return next.nanoseconds <= due.nanoseconds
    }

    func report(_ statistics: inout SessionStatistics.Source, passedOver: Int) {
        statistics.drops[.decimated] = passedOver
        statistics.events += reader.repairs
    }
}
