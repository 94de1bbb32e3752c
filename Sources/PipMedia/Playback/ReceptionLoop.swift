#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSound
internal import PipSources

/// The loop of a stream's thread: receives frames, paces them, and connects again when the connection breaks.
final class ReceptionLoop: @unchecked Sendable {
    // One thread at a time uses the properties: first the thread that calls `init`, then the thread that calls
    // `run(_:)`, or `abandon()` in place of `run(_:)`.

    /// A frame or a change of state that the loop reports to its receiver.
    enum Event {
        case frame(Frame)
        case state(LiveState)
    }

    /// The time without a frame after which the stream's state is silent.
    private static let silence = Duration.seconds(2)
    /// The longest wait for the first frame of a new connection.
    private static let connectionTime = Duration.seconds(10)
    private static let pollInterval = Duration.milliseconds(50)
    /// The time between two checks for sound while a picture waits.
    private static let soundInterval = Duration.milliseconds(10)
    /// The longest time by which sound is queued for the mixer ahead of its presentation.
    private static let soundLead = Duration.milliseconds(300)

    private let input: StreamInput
    private let interruption: Interruption
    private let circumstances: LiveSourceSpecification.Circumstances
    /// The clock of real time, for networks; sessions may use another clock.
    private let clock = MonotonicClock()
    private var connection: Reception?
    private var backOff = BackOff.ofSources
    private var playout = PlayoutClock()
    /// The next sound, while it is too early to queue it for the mixer.
    private var earlySound: (block: AudioBlock, runningTime: Duration)?
    private var orientation: Orientation?
    private var sequence: UInt64 = 0
    /// True when the session has been told that the stream is lost.
    private var isReportedLost: Bool

    init(
        _ input: StreamInput, connection: Reception?, interruption: Interruption,
        circumstances: LiveSourceSpecification.Circumstances
    ) {
        self.input = input
        self.connection = connection
        self.interruption = interruption
        self.circumstances = circumstances
        isReportedLost = connection == nil
    }

    /// Releases the connection of a stream whose loop never ran.
    func abandon() { connection = nil }

    /// Makes a frame of a decoded picture that has just arrived, with its orientation and timestamp.
    func frame(of picture: DecodedPicture) -> Frame {
        if orientation == nil { orientation = connection?.orientation }
        var info = FrameInfo(
            layout: picture.layout, colorimetry: picture.format.colorimetry, orientation: orientation ?? .identity)
        let now = circumstances.clock.now
        let taken = connection?.moment(of: picture, now: now)
        info.timestamp = taken ?? now
        info.isTimestampEstimated = taken == nil
        info.sequence = sequence
        sequence += 1
        return Frame(info: info, buffer: picture.memory)
    }

    /// Receives until an interruption, or until the stream ends for good.
    ///
    /// - Parameter report: Takes each frame and each state. Thread: the calling thread.
    func run(_ report: (Event) -> Void) {
        while !interruption.isRaised {
            if connection == nil { connect(report) }
            if connection != nil, receive(report) { break }
        }
        connection?.stop()
        connection = nil
    }

    /// Waits as long as earlier failures require, and then connects.
    private func connect(_ report: (Event) -> Void) {
        let next = clock.now.advanced(by: backOff.next())
        guard interruption.wait(for: -1, events: 0, until: next) == .timedOut else { return }
        (playout, orientation, earlySound) = (PlayoutClock(), nil, nil)
        do throws(MediaError) {
            connection = try Reception(input, until: interruption)
        } catch { lose(error.reason, words: "no connection", report) }
    }

    /// Delivers frames until the connection breaks, the stream ends, or an interruption is raised.
    ///
    /// - Returns: True when the loop must end: after the stream's final end or an interruption.
    private func receive(_ report: (Event) -> Void) -> Bool {
        guard let connection else { return false }
        var last = clock.now
        var hasCome = !isReportedLost
        while !interruption.isRaised {
            passSound(of: connection)
            switch connection.next(within: Self.pollInterval) {
            case .picture(let picture):
                last = clock.now
                guard wait(for: picture, passing: connection) else { return true }
                if !hasCome || isReportedLost { returned() }
                hasCome = true
                backOff.reset()
                // Report the frame first: a source in the state `delivering` must have a frame.
                report(.frame(frame(of: picture)))
                report(.state(.delivering))
            case .nothing:
                let silent = last.duration(to: clock.now)
                guard silent >= (hasCome ? input.target.timeout : Self.connectionTime) else {
                    if hasCome, silent >= Self.silence { report(.state(.silent)) }
                    continue
                }
                lose("no frame came for \(silent.components.seconds) s", words: "no frames", report)
                return false
            case .failed(let error):
                lose(error.reason, words: "connection lost", report)
                return false
            case .ended:
                guard input.target.mayEnd else {
                    lose(
                        input.target.isCamera ? "the camera stopped" : "the server ended the stream",
                        words: "connection lost", report)
                    return false
                }
                report(.state(.ended))
                return true
            }
        }
        return true
    }

    /// Queues for the mixer the sound that has arrived and is due soon.
    private func passSound(of connection: Reception) {
        while let (block, time) = earlySound ?? connection.nextSound() {
            earlySound = nil
            // Before the first picture, and after a jump of the timestamps, sound has no presentation time.
            guard let moment = playout.heard(time, now: clock.now) else { continue }
            guard clock.now.duration(to: moment) < Self.soundLead else {
                earlySound = (block, time)
                return
            }
            var stamped = block
            stamped.timestamp = moment
            input.sound.put(stamped)
        }
    }

    /// Waits until a picture is due, and passes sound meanwhile; returns false at an interruption.
    ///
    /// A picture that is shown when it comes is due at once if the connection has no sound.
    private func wait(for picture: DecodedPicture, passing connection: Reception) -> Bool {
        guard input.target.pace == .byTheirTimes || connection.hasSound else { return true }
        let first = playout.due(picture.runningTime, now: clock.now, isHeard: connection.hasSound)
        if input.target.pace == .asTheyCome { playout.recover(first, now: clock.now) }
        guard connection.hasSound else {
            return interruption.wait(for: -1, events: 0, until: first) == .timedOut
        }
        var due = first
        while due > clock.now {
            let next = min(due, clock.now.advanced(by: Self.soundInterval))
            guard interruption.wait(for: -1, events: 0, until: next) == .timedOut else { return false }
            passSound(of: connection)
            // Late sound may have delayed the picture.
            due = max(due, playout.moment(of: picture.runningTime) ?? due)
        }
        return !interruption.isRaised
    }

    private func lose(_ reason: String, words: String, _ report: (Event) -> Void) {
        // Report first, because disconnecting from a server may take long.
        report(.state(.lost))
        // Report only the first of several failed attempts.
        if !isReportedLost { circumstances.onChange(.lost(input.target.error("go on", .failed, reason), words: words)) }
        isReportedLost = true
        connection?.stop()
        connection = nil
    }

    private func returned() {
        guard isReportedLost else { return }
        isReportedLost = false
        circumstances.onChange(.returned)
    }
}
#endif
