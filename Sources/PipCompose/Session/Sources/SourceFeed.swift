internal import Synchronization

/// The frames of one source, as the render loop takes them.
///
/// Thread: render thread only, except the counters, the format and the announced presence, which any thread may read.
final class SourceFeed: @unchecked Sendable {
    // Only the render thread touches the variables; everything else is constant, atomic or locked.

    struct Counters {
        var used = 0
        /// The number of frames that were never shown: replaced by newer frames, or released.
        var passedOver = 0
        var first: Timestamp?
        var last: Timestamp?
        var pace = FramePace()
    }

    let id: NodeID
    let name: String
    let inlet: any Inlet
    /// The frame rate that the source promised when it was opened; nil where it is not known.
    private let promisedRate: FrameRate?
    private(set) var current: Frame?
    /// The source's format in the present plan.
    private var drawn: SourceFormat
    /// The newest frame whose format differs from the plan's.
    ///
    /// The frame is shown once a plan for its format is installed.
    private var upcoming: Frame?
    /// The frames of a paired source that wait to be shown beside other cameras' frames.
    private var queue = FrameQueue()
    /// True when the source has stopped delivering since `current`, for a while or for good.
    private var isStale = false
    /// True when `current` was copied out of the device's memory.
    private var isCopied = false
    /// True when the source's end was reported.
    private var endIsTold = false
    /// True when frames of another format have come, and no plan for them was requested yet.
    private var needsPlan = false
    private let newest: Mutex<SourceFormat>
    private let announced = Atomic<Presence>(.present)
    let counters: Mutex<Counters> = Mutex(Counters())

    init(id: NodeID, name: String, inlet: any Inlet, format: SourceFormat, rate: FrameRate?) {
        self.id = id
        self.name = name
        self.inlet = inlet
        drawn = format
        newest = Mutex(format)
        promisedRate = rate
    }

    /// The present frame rate of the source; nil where it is not known.
    var rate: FrameRate? { inlet.frameRate ?? promisedRate }

    /// The camera's slot; nil for another kind of source.
    var camera: CameraSlot? { (inlet as? CameraInlet)?.slot }

    /// The format of the newest frames, for which the next plan is made.
    ///
    /// A camera that was opened again may deliver another format than before.
    ///
    /// Thread: any.
    var format: SourceFormat { newest.withLock { $0 } }

    // MARK: Plans

    /// Releases frames that a new plan cannot draw, and shows the frame that waits for the plan.
    ///
    /// Thread: render thread only.
    ///
    /// - Parameter format: The source's format in the new plan.
    func adopt(_ format: SourceFormat) {
        drawn = format
        if let current, !format.describes(current) { self.current = nil }
        passOver(queue.removeAll { format.describes($0) })
        guard let next = upcoming, format.describes(next) else { return }
        upcoming = nil
        show(next, now: next.timestamp)
    }

    /// The presence of the source's frames that plans assume.
    ///
    /// Thread: any.
    ///
    /// The render thread announces every change of the presence, and then requests a plan.
    var announcedPresence: Presence { announced.load(ordering: .acquiring) }

    /// Leaves the source out of plans until its first frame.
    ///
    /// Thread: any, but only before the render thread uses this feed.
    func awaitFirstFrame() { announced.store(.none, ordering: .releasing) }

    /// Updates ``announcedPresence`` to the present state.
    ///
    /// - Returns: True when another plan is needed: the presence has changed, or frames of another format have come.
    func announce() -> Bool {
        let presence = presence
        guard announced.load(ordering: .relaxed) != presence || needsPlan else { return false }
        announced.store(presence, ordering: .releasing)
        needsPlan = false
        return true
    }

    /// True while a frame waits for a plan of its format.
    var awaitsPlan: Bool { upcoming != nil }

    /// The present state of the source's frames.
    var presence: Presence {
        if upcoming != nil { return .present }
        if current == nil { return .none }
        return isStale || inlet.availability != .delivering ? .gone : .present
    }

    // MARK: Taking frames

    /// The outcome of taking a frame at a tick.
    enum Advance {
        case new
        /// The shown frame stays for now.
        case unchanged
        /// A frame is due, but was not read in time.
        case pending
    }

    /// Takes the frame to show at a tick.
    ///
    /// - Parameters:
    ///   - offset: The output time, which decides the frames of files.
    ///   - shown: The timestamp of the picture that is drawn from the frames; nil before the first picture.
    ///   - deadline: The end of the wait for a file's frame; nil does not wait.
    ///   - now: The present time.
    /// - Returns: The outcome. A paired source's new frame counts as unchanged, because ``settle(beside:now:)`` shows
    ///   it; so does a frame of another format, which the next plan shows.
    func advance(
        to offset: Duration, shown: Timestamp? = nil, waitingUntil deadline: Timestamp?, now: Timestamp
    ) -> Advance {
        noteAbsence(inlet.availability)
        let intake = inlet.take(
            InletMoment(offset: offset, shown: shown, deadline: deadline, last: upcoming ?? current))
        passOver(intake.passedOver)
        guard let frame = intake.frame else { return intake.isPending ? .pending : .unchanged }
        guard drawn.describes(frame) else {
            keep(frame)
            return .unchanged
        }
        if inlet.isPaired {
            passOver(queue.offer(frame))
            return .unchanged
        }
        show(frame, now: now)
        return intake.isPending ? .pending : .new
    }

    /// The timestamp of a paired source's newest frame, shown or not.
    ///
    /// Nil for other sources, before the first frame, and while the source is paused or does not deliver.
    var newestTimestamp: Timestamp? {
        guard inlet.isPaired, !inlet.isPaused, inlet.availability == .delivering else { return nil }
        return queue.newestTimestamp(shown: isStale ? nil : current)
    }

    /// Shows the frame of a paired source that is nearest to the other cameras' frames.
    ///
    /// Call this method after every source has advanced.
    ///
    /// - Parameters:
    ///   - oldest: The oldest timestamp among the newest frames of cameras of the same rate; nil shows this source's
    ///     newest frame.
    ///   - now: The present time.
    func settle(beside oldest: Timestamp?, now: Timestamp) {
        guard inlet.isPaired else { return }
        let choice = queue.choose(
            beside: inlet.availability == .delivering ? oldest : nil, shown: isStale ? nil : current?.timestamp,
            interval: rate?.interval ?? .zero)
        passOver(choice.passedOver)
        if let frame = choice.frame { show(frame, now: now) }
    }

    /// True in one call only, once the source has ended and all of its frames were taken.
    func endIsNews() -> Bool {
        guard !endIsTold, inlet.isFinite, inlet.isFinished else { return false }
        endIsTold = true
        return true
    }

    /// Releases all frames.
    ///
    /// Thread: render thread only.
    func release() {
        current = nil
        passOver(queue.removeAll())
        if upcoming != nil { passOver(1) }
        upcoming = nil
    }

    private func show(_ frame: Frame, now: Timestamp) {
        current = frame
        let isAnew = isStale
        (isStale, isCopied) = (false, false)
        counters.withLock { counters in
            if isAnew { counters.pace = FramePace() }
            counters.pace.note(frame.info)
            counters.used += 1
            if counters.first == nil { counters.first = now }
            counters.last = now
        }
    }

    /// Keeps a frame that the present plan cannot draw, and requests a plan for the frame's format.
    private func keep(_ frame: Frame) {
        if upcoming != nil { passOver(1) }
        upcoming = frame
        let isNews = newest.withLock { newest in
            guard !newest.describes(frame) else { return false }
            newest.layout = frame.info.layout
            newest.colorimetry = frame.info.colorimetry
            newest.orientation = frame.info.orientation
            newest.isShareable = frame.isShareable
            return true
        }
        if isNews { needsPlan = true }
    }

    /// Notes that the source does not deliver.
    ///
    /// The last frame of a lost device is copied: its original memory would keep the dead device, and its device
    /// number, in use.
    private func noteAbsence(_ availability: Availability) {
        guard availability != .delivering else { return }
        isStale = true
        guard availability == .lost, !isCopied, let frame = current else { return }
        current = frame.copied()
        isCopied = true
    }

    private func passOver(_ count: Int) {
        if count > 0 { counters.withLock { $0.passedOver += count } }
    }
}

extension SourceFormat {
    /// True when a plan for this format can draw a frame.
    ///
    /// The memory layout of the frame's planes does not matter.
    fileprivate func describes(_ frame: Frame) -> Bool {
        let info = frame.info
        return info.layout.format == layout.format && info.layout.size == layout.size
            && info.colorimetry == colorimetry && info.orientation == orientation
    }
}
