internal import Logging

/// A source node for a picture that changes over time, such as a running clock.
package struct LivePictureSpecification: SourceSpecification {
    /// The callbacks for a picture's errors and warnings, and the clock that the picture waits by.
    package struct Reports: Sendable {
        /// Takes a warning for the user, as a sentence without its full stop.
        package let warn: @Sendable (String) -> Void
        /// Takes the error after which the picture changes no more.
        package let fail: @Sendable (SourceError) -> Void
        /// The session's clock, which the picture waits by.
        package let clock: MonotonicClock

        package init(
            warn: @escaping @Sendable (String) -> Void, fail: @escaping @Sendable (SourceError) -> Void,
            clock: MonotonicClock = MonotonicClock()
        ) {
            self.warn = warn
            self.fail = fail
            self.clock = clock
        }
    }

    package let label: String
    private let makePicture: @Sendable (Reports) throws(SourceError) -> any LivePicture

    /// - Parameters:
    ///   - label: The source's name in messages.
    ///   - makePicture: Opens the picture. The session calls this closure off the render thread.
    package init(
        label: String, _ makePicture: @escaping @Sendable (Reports) throws(SourceError) -> any LivePicture
    ) {
        self.label = label
        self.makePicture = makePicture
    }
}

extension LivePictureSpecification: OpenableSource {
    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed {
        let (logger, label) = (context.logger, label)
        let reports = Reports(warn: { logger?.warning("\(label): \($0)") }, fail: context.onError, clock: context.clock)
        do throws(SourceError) {
            let picture = try makePicture(reports)
            let description = picture.description
            var format = SourceFormat(
                layout: description.layout, colorimetry: description.colorimetry, orientation: description.orientation)
            format.isStill = description.isStill
            return SourceFeed(
                id: id, name: label, inlet: PictureInlet(picture: picture), format: format, rate: description.rate)
        } catch {
            throw .source(error)
        }
    }
}

/// Takes a live picture's newest frame at each tick.
struct PictureInlet: Inlet {
    let picture: any LivePicture

    var isLive: Bool { false }

    func start(at offset: Duration) { picture.start() }
    func stop() { picture.stop() }

    func take(_ moment: InletMoment) -> Intake {
        let answer = picture.frame(at: moment.offset, waitingUntil: moment.deadline)
        let isNew = answer.frame?.info.sequence != moment.last?.info.sequence
        return Intake(frame: isNew ? answer.frame : nil, isPending: answer.isPending)
    }

    func report(_ statistics: inout SessionStatistics.Source, passedOver: Int) {
        statistics.drops[.decimated] = passedOver
    }
}
