internal import Synchronization

/// A source's frames as the render loop takes them.
///
/// The frame in use belongs to the render thread; counters can be read from anywhere.
final class SourceFeed: @unchecked Sendable {
    // `current` to `needsPlan`, and `reported`, are touched on the render thread only, but for `reported` before the
    // loop knows the feed; the rest is constant or locked.

    struct Counters {
        var used = 0
        /// Frames that a newer one replaced before they were drawn.
        var passedOver = 0
        var events: [String] = []
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
    /// Frames that wait to be shown beside those of other cameras.
    private var queue = FrameQueue()
    /// True when the frame in use is one of before its camera went away or was switched off.
    private var isStale = false
    /// True when the frame in use lies in memory of our own.
    private var isCopied = false
    /// True when the session was told that the source has ended.
    private var endIsTold = false
    /// True when frames have come that need another plan, and nobody was told yet.
    private(set) var needsPlan = false
    private let newest: Mutex<SourceFormat>
    /// The presence that the session was told of last.
    var reported = Presence.present
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

    /// Notes that somebody makes a plan for the frames that have come.
    func planRequested() { needsPlan = false }

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

    /// Takes the frame that is to be shown at a moment.
    ///
    /// - Parameters:
    ///   - offset: Time since the session's start, by which files are read.
    ///   - shown: The timestamp of the picture that is made of the frames; nil before the first one.
    ///   - deadline: How long to wait for a file's frame; nil takes what is there.
    ///   - now: The time.
    /// - Returns: What the moment brought.
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

    /// When the newest frame of a paired source was taken, shown or not; nil for another, or one that does not deliver.
    var newestTimestamp: Timestamp? {
        guard inlet.isPaired, !inlet.isPaused, inlet.availability == .delivering else { return nil }
        return queue.newestTimestamp(shown: isStale ? nil : current)
    }

    /// Shows the frame of a paired source that fits those of the others, once every source has advanced.
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

    /// Lets go of the frame in use.
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

    /// Takes note of a source that does not deliver.
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
