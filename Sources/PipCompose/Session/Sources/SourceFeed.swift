internal import Synchronization

/// A source's frames as the render loop takes them.
///
/// The frame in use belongs to the render thread; counters can be read from anywhere.
final class SourceFeed: @unchecked Sendable {
    // The variables are touched on the render thread only; the rest is constant, atomic or locked.

    struct Counters {
        var used = 0
        /// Frames that a newer one replaced before they were drawn.
        var passedOver = 0
        var first: Timestamp?
        var last: Timestamp?
        var pace = FramePace()
    }

    let id: NodeID
    let name: String
    let inlet: any Inlet
    /// The rate that was promised when it was opened; nil where it is not known.
    private let promisedRate: FrameRate?
    private(set) var current: Frame?
    /// The format that the plan in use draws.
    private var drawn: SourceFormat
    /// The newest frame of another format than the plan's: it is shown once there is a plan for it.
    private var upcoming: Frame?
    /// The frames that wait to be shown beside other cameras' frames.
    private var queue = FrameQueue()
    /// True when the frame in use is older than the loss or the pause of its camera.
    private var isStale = false
    /// True when the frame in use lies in memory of our own.
    private var isCopied = false
    /// True when the session was told that the source has ended.
    private var endIsTold = false
    /// True when frames of another format have come, and no plan was requested for them yet.
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

    /// The rate of its frames, as it is now; nil where it is not known.
    var rate: FrameRate? { inlet.frameRate ?? promisedRate }

    /// The camera; nil for another kind of source.
    var camera: CameraSlot? { (inlet as? CameraInlet)?.slot }

    /// The format of the newest frames: what the next plan is made for.
    ///
    /// A camera that was opened again may deliver another one than before.
    var format: SourceFormat { newest.withLock { $0 } }

    // MARK: Plans

    /// Goes over to another plan.
    ///
    /// On the render thread.
    ///
    /// - Parameter format: The format that the plan draws of this source.
    func adopt(_ format: SourceFormat) {
        drawn = format
        if let current, !format.describes(current) { self.current = nil }
        passOver(queue.removeAll { format.describes($0) })
        guard let next = upcoming, format.describes(next) else { return }
        upcoming = nil
        show(next, now: next.timestamp)
    }

    /// The presence of its frames that plans are made for.
    ///
    /// Thread: any.
    ///
    /// The render thread announces every change of it, and requests a plan then.
    var announcedPresence: Presence { announced.load(ordering: .acquiring) }

    /// Leaves it out of plans until its first frame.
    ///
    /// Thread: any, before the render thread knows it.
    func awaitFirstFrame() { announced.store(.none, ordering: .releasing) }

    /// Announces the presence of its frames.
    ///
    /// - Returns: True when another plan is needed: the presence has changed, or frames of another format have come.
    func announce() -> Bool {
        let presence = presence
        guard announced.load(ordering: .relaxed) != presence || needsPlan else { return false }
        announced.store(presence, ordering: .releasing)
        needsPlan = false
        return true
    }

    /// The presence of its frames.
    var presence: Presence {
        if upcoming != nil { return .present }
        if current == nil { return .none }
        return isStale || inlet.availability != .delivering ? .gone : .present
    }

    // MARK: Taking frames

    /// The result of an advance.
    enum Advance {
        case new
        /// The frame in use is still the one to show.
        case unchanged
        /// A frame is due, but was not read in time.
        case pending
    }

    /// Takes the frame to show at a tick.
    ///
    /// - Parameters:
    ///   - offset: Time since the session's start, by which files are read.
    ///   - shown: The timestamp of the picture that is made of the frames; nil before the first one.
    ///   - deadline: The end of the wait for a file's frame; nil does not wait.
    ///   - now: The time.
    /// - Returns: The result.
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
    /// Nil for others, and while it does not deliver.
    var newestTimestamp: Timestamp? {
        guard inlet.isPaired, !inlet.isPaused, inlet.availability == .delivering else { return nil }
        return queue.newestTimestamp(shown: isStale ? nil : current)
    }

    /// Shows the frame of a paired source that fits the others' frames, after every source has advanced.
    ///
    /// - Parameters:
    ///   - oldest: The oldest of the newest frames of cameras of the same rate; nil shows the newest.
    ///   - now: The time.
    func settle(beside oldest: Timestamp?, now: Timestamp) {
        guard inlet.isPaired else { return }
        let choice = queue.choose(
            beside: inlet.availability == .delivering ? oldest : nil, shown: isStale ? nil : current?.timestamp,
            interval: rate?.interval ?? .zero)
        passOver(choice.passedOver)
        if let frame = choice.frame { show(frame, now: now) }
    }

    /// True once, when the source has ended and all of its frames were taken.
    func endIsNews() -> Bool {
        guard !endIsTold, inlet.isFinite, inlet.isFinished else { return false }
        endIsTold = true
        return true
    }

    /// Releases all frames.
    ///
    /// On the render thread.
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

    /// Keeps a frame that the plan in use cannot draw, and asks for one that can.
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
    /// The last frame of a lost one is kept as a copy: its own memory would keep the dead device, and its number, in
    /// use.
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
    /// True when a plan for this format can draw a frame; where its planes lie in memory does not matter.
    fileprivate func describes(_ frame: Frame) -> Bool {
        let info = frame.info
        return info.layout.format == layout.format && info.layout.size == layout.size
            && info.colorimetry == colorimetry && info.orientation == orientation
    }
}
