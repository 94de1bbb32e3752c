internal import Synchronization

/// A source's frames as the render loop takes them.
///
/// The frame in use belongs to the render thread; counters can be read from anywhere.
final class SourceFeed: @unchecked Sendable {
    // What is drawn is touched on the render thread only; the rest is constant or locked.
    enum Inlet {
        case camera(CameraSlot)
        case reader(ReaderSource)
        case app(PushSource)
        case picture(any LivePicture)
        /// One frame for ever.
        case constant(Frame)
    }

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
    let inlet: Inlet
    let rate: FrameRate?
    private(set) var current: Frame?
    /// What the plan in use draws.
    private var drawn: SourceFormat
    /// The newest frame of another format than the plan's: it is shown once there is a plan for it.
    private var upcoming: Frame?
    /// A camera's frames that wait to be shown.
    private var queue = FrameQueue()
    /// Whether the frame in use is one of before its camera went away or was switched off.
    private var isStale = false
    /// Whether the frame in use lies in memory of our own.
    private var isCopied = false
    /// Whether frames have come that need another plan, and nobody was told yet.
    private(set) var needsPlan = false
    private let newest: Mutex<SourceFormat>
    /// What the session was told of it last.
    var reported = Presence.present
    let counters: Mutex<Counters> = Mutex(Counters())

    init(id: NodeID, name: String, inlet: Inlet, format: SourceFormat, rate: FrameRate?) {
        self.id = id
        self.name = name
        self.inlet = inlet
        drawn = format
        newest = Mutex(format)
        self.rate = rate
    }

    /// The format of the newest frames: what the next plan is made for.
    ///
    /// A camera that was opened again may deliver another one than before.
    var format: SourceFormat { newest.withLock { $0 } }

    /// Goes over to another plan.
    ///
    /// On the render thread. `format`: What the plan draws of this source.
    func adopt(_ format: SourceFormat) {
        drawn = format
        if let current, !format.describes(current) { self.current = nil }
        passOver(queue.removeAll { format.describes($0) })
        guard let next = upcoming, format.describes(next) else { return }
        upcoming = nil
        show(next, now: next.timestamp)
    }

    /// Notes that somebody makes a plan for what has come.
    func planRequested() { needsPlan = false }

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
        if upcoming != nil { counters.withLock { $0.passedOver += 1 } }
        upcoming = frame
        let isNews = newest.withLock { newest in
            guard !newest.describes(frame) else { return false }
            newest.layout = frame.info.layout
            newest.colorimetry = frame.info.colorimetry
            newest.isShareable = frame.isShareable
            return true
        }
        if isNews { needsPlan = true }
    }

    /// Whether frames come by themselves, whether they are wanted or not.
    var isLive: Bool {
        switch inlet {
        case .camera, .app: true
        case .reader, .picture, .constant: false
        }
    }

    /// Whether its first frame takes a while.
    var mayBeLate: Bool { if case .constant = inlet { false } else { true } }

    /// Whether it ends by itself, and has ended.
    var isFinished: Bool {
        switch inlet {
        case .reader(let reader): !reader.description.isStill && reader.isFinished
        case .app(let source): source.isFinished
        case .camera, .picture, .constant: false
        }
    }

    /// Whether it ends by itself.
    var isFinite: Bool {
        if case .reader(let reader) = inlet {
            return reader.description.length != .endless && !reader.description.isStill
        }
        return false
    }

    /// What a moment brought.
    enum Advance {
        case new
        /// The frame in use is still the one to show.
        case unchanged
        /// A frame is due, but was not read in time.
        case pending
    }

    /// Takes the frame that is to be shown at a moment.
    ///
    /// `offset`: Time since the session's start, by which files are read.
    /// `deadline`: How long to wait for a file's frame; nil takes what is there.
    func advance(to offset: Duration, waitingUntil deadline: Timestamp?, now: Timestamp) -> Advance {
        var frame: Frame?
        var isPending = false
        switch inlet {
        case .camera(let camera):
            noteAbsence(camera.state)
            queueUp(camera.frames.take())
            return .unchanged
        case .constant(let constant): frame = current == nil ? constant : nil
        case .app(let source):
            while let next = source.frames.popFirst(where: { _ in true }) {
                if frame != nil { counters.withLock { $0.passedOver += 1 } }
                frame = next
            }
        case .picture(let picture):
            let answer = picture.frame(at: offset, waitingUntil: deadline)
            isPending = answer.isPending
            if answer.frame?.info.sequence != (upcoming ?? current)?.info.sequence { frame = answer.frame }
        case .reader(let reader):
            let due = Timestamp(nanoseconds: offset.nanoseconds)
            isPending = !take(from: reader, upTo: due, waitingUntil: deadline, into: &frame)
        }
        guard let frame else { return isPending ? .pending : .unchanged }
        guard drawn.describes(frame) else {
            keep(frame)
            return .unchanged
        }
        show(frame, now: now)
        return isPending ? .pending : .new
    }

    /// Takes in a camera's frame; ``settle(beside:)`` decides when it is shown.
    private func queueUp(_ frame: Frame?) {
        guard let frame else { return }
        if drawn.describes(frame) { passOver(queue.offer(frame)) } else { keep(frame) }
    }

    /// When a camera's newest frame was taken, shown or not; nil for what is no camera, or one that does not deliver.
    var newestTimestamp: Timestamp? {
        guard case .camera(let camera) = inlet, camera.state.isDelivering else { return nil }
        return queue.newestTimestamp(shown: isStale ? nil : current)
    }

    /// Shows the frame of a camera that fits those of other cameras, once every source has advanced.
    ///
    /// `oldest`: The oldest of the newest frames of cameras of the same rate; nil shows the newest.
    func settle(beside oldest: Timestamp?, now: Timestamp) {
        guard case .camera(let camera) = inlet else { return }
        let choice = queue.choose(
            beside: camera.state.isDelivering ? oldest : nil, shown: isStale ? nil : current?.timestamp,
            interval: rate?.interval ?? .zero)
        passOver(choice.passedOver)
        if let frame = choice.frame { show(frame, now: now) }
    }

    private func passOver(_ count: Int) {
        if count > 0 { counters.withLock { $0.passedOver += count } }
    }

    /// Takes the newest frame that is due; older ones are left out.
    ///
    /// - Returns: False when a frame is due that is not there yet.
    private func take(
        from reader: ReaderSource, upTo due: Timestamp, waitingUntil deadline: Timestamp?, into frame: inout Frame?
    ) -> Bool {
        while isDue(after: frame ?? current, reader, at: due) {
            if let deadline, !reader.frames.waitForElement(until: deadline) { return reader.isFinished }
            guard let next = reader.frames.popFirst(where: { $0.timestamp <= due }) else { return reader.isFinished }
            if frame != nil { counters.withLock { $0.passedOver += 1 } }
            frame = next
        }
        return true
    }

    /// Takes note of a camera that does not deliver.
    ///
    /// The last frame of a lost one is kept as a copy: its own memory would keep the dead device, and its number, in use.
    private func noteAbsence(_ state: CameraState) {
        guard !state.isDelivering else { return }
        isStale = true
        guard state == .lost, !isCopied, let frame = current else { return }
        current = frame.copied()
        isCopied = true
    }

    /// Whether a frame after another one should be there at a moment.
    private func isDue(after frame: Frame?, _ reader: ReaderSource, at due: Timestamp) -> Bool {
        guard let frame else { return true }
        if reader.description.isStill { return false }
        let next = reader.description.rate.offset(ofFrame: Int(frame.info.sequence) + 1)
        return next.nanoseconds <= due.nanoseconds
    }

    /// The least time between two frames of a camera that are delivered; nil, and for what is no camera, delivers all.
    ///
    /// From any thread.
    var pace: Duration? {
        get { if case .camera(let camera) = inlet { camera.pace } else { nil } }
        set { if case .camera(let camera) = inlet { camera.pace = newValue } }
    }

    /// What there is to show.
    var presence: Presence {
        if upcoming != nil { return .present }
        if current == nil { return .none }
        guard case .camera(let camera) = inlet else { return .present }
        return isStale || !camera.state.isDelivering ? .gone : .present
    }

    /// Whether its camera is not there, so that waiting for a first frame is in vain for now.
    var isMissing: Bool { if case .camera(let camera) = inlet { camera.state == .lost } else { false } }

    func start() throws(CaptureError) {
        switch inlet {
        case .camera(let camera): try camera.start()
        case .reader(let reader): reader.start()
        case .picture(let picture): picture.start()
        case .app, .constant: return
        }
    }

    func stop() async {
        switch inlet {
        case .camera(let camera): await camera.stop()
        case .reader(let reader): reader.stop()
        case .picture(let picture): picture.stop()
        case .app(let source): source.finish()
        case .constant: return
        }
    }

    /// Lets go of the frame in use.
    ///
    /// On the render thread.
    func release() {
        current = nil
        passOver(queue.removeAll())
        if upcoming != nil { counters.withLock { $0.passedOver += 1 } }
        upcoming = nil
    }
}
