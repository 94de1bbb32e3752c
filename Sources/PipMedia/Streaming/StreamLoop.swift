#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks

/// The work of a stream's thread: it connects, sends, notices when packets no longer arrive, and connects again.
final class StreamLoop: @unchecked Sendable {
    struct State {
        var statistics: OutputStatistics
        var isDone = false
        /// The delay of the path to the server, which grows when the network is too slow.
        var backlog = Duration.zero
    }

    /// The limits and waits of an output for its server.
    struct Limits {
        /// The backlog above which only key frames are sent.
        var lateBacklog = Duration.milliseconds(700)
        /// The backlog above which nothing is sent.
        var lostBacklog = Duration.seconds(2)
        /// The time without progress after which a connection is closed.
        var stallTime = Duration.seconds(3)
        /// The first wait before another connection; each further wait is twice as long.
        var firstRetryWait = Duration.seconds(1)
        /// The longest wait before another connection.
        var longestRetryWait = Duration.seconds(30)

        /// The waits for SRT, whose receivers return within three seconds; an attempt costs only a packet.
        static let forSRT = Limits(firstRetryWait: .milliseconds(250), longestRetryWait: .seconds(1))
    }

    /// The plan of a stream: its address and format.
    struct Plan {
        let address: StreamAddress
        let codec: VideoCodec
        /// True when packets come faster than real time.
        let isPaced: Bool
        /// The expected bytes a second.
        let bytesPerSecond: Double
        var limits = Limits()
    }

    private static let interval = Duration.milliseconds(50)
    /// The longest wait while a picture waits for its sound.
    private static let soundInterval = Duration.milliseconds(10)

    // Only the thread that calls `run()` touches anything but `state`.
    private let plan: Plan
    private let feed: PacketFeed
    /// The packets of the sound; nil for none.
    private let sound: SoundFeed?
    private var interleaver: Interleaver
    private let onEvent: @Sendable (SinkEvent) -> Void
    /// Switches to the encoder of another bit rate; nil where the rate is fixed.
    private let onShare: (@Sendable (Double) -> Void)?
    private var adaptation = StreamAdaptation()
    private let clock = MonotonicClock()
    private let secrets: [String]
    private var connection: StreamConnection?
    /// True once packets were sent on this connection and accepted.
    private var isEstablished = false
    /// The moment of the first packet on this connection.
    private var firstPacket: Timestamp?
    private var nextAttempt = Timestamp.zero
    private var attempts = 0
    /// True until the next key frame.
    private var needsKey = true
    private var hasAskedForKey = false
    private var format: PacketFormat?
    /// The description of the stream for players; nil where none is needed.
    private let description: StreamDescriptionFile?
    private var isDescribed = false
    private var packetDuration = Duration.zero
    /// The bytes a second, over the last second.
    private var rate = ByteRate()
    /// The moment of the last progress on the path to the server.
    private var lastMove = Timestamp.zero
    private var lastBacklog = Duration.zero
    private var lastAcknowledged: Int?
    /// The last reported failure; a repeated failure is not reported again.
    private var reportedFailure: String?
    let state: Monitor<State>

    init(
        _ plan: Plan, _ feed: PacketFeed, sound: SoundFeed? = nil, onEvent: @escaping @Sendable (SinkEvent) -> Void,
        onShare: (@Sendable (Double) -> Void)?
    ) {
        self.onShare = onShare
        self.plan = plan
        self.feed = feed
        self.sound = sound
        interleaver = Interleaver(tracks: sound == nil ? 0 : 1)
        self.onEvent = onEvent
        secrets = plan.address.secrets
        description = plan.address["sdp"].map { StreamDescriptionFile($0) }
        state = Monitor(State(statistics: OutputStatistics(name: plan.address.description)))
    }

    func run() {
        while !interleaver.isFinished {
            receive()
            while let item = interleaver.next(at: clock.now) {
                switch item {
                case .picture(let delivery): take(delivery.packet)
                case .sound(let packet, _): takeSound(packet)
                }
            }
            let lost = feed.takeLost()
            if lost > 0 { state.update { $0.statistics.drops[.late] += lost } }
            watch()
        }
        connection?.close(within: isEstablished ? .seconds(1) : .zero)
        connection = nil
        state.update { $0.isDone = true }
    }

    // MARK: Packets

    /// Waits for packets, and queues those that have arrived.
    private func receive() {
        if feed.isFinished {
            interleaver.endPictures()
            if interleaver.isFinished { return }
        }
        let wait = interleaver.isWaiting ? Self.soundInterval : Self.interval
        if interleaver.hasRoom, !feed.isFinished {
            if let delivery = feed.next(until: clock.now.advanced(by: wait)) { interleaver.add(delivery) }
        } else {
            clock.block(for: wait)
        }
        guard let sound else { return }
        while let packet = sound.next() { interleaver.add(packet, track: 0) }
        if sound.isFinished { interleaver.endTrack(0) }
    }

    private func takeSound(_ packet: Packet) {
        // Sound follows the first picture. On a narrow path it is dropped last.
        guard let connection, firstPacket != nil, backlog(of: connection) <= plan.limits.lostBacklog else { return }
        connection.sendSound(packet)
    }

    private func take(_ packet: Packet) {
        rate.add(packet.byteCount, at: clock.now)
        packetDuration = packet.duration
        if format?.isEqual(to: packet.format) != true {
            // The encoder or the bit rate has changed: receivers read the new parameters from the stream.
            connection?.use(packet.format)
            (format, isDescribed) = (packet.format, false)
        }
        if connection == nil { connect(packet.format) }
        guard let connection else {
            needsKey = true
            return leaveOut(.disabled)
        }
        let backlog = backlog(of: connection)
        let limit = packet.isKey ? plan.limits.lostBacklog : plan.limits.lateBacklog
        if backlog > limit { needsKey = true }
        guard backlog <= limit, packet.isKey || !needsKey else {
            // Request a key frame as soon as there is room: the encoder's next one may come late.
            if backlog <= plan.limits.lateBacklog, !hasAskedForKey { feed.requestKeyFrame() }
            hasAskedForKey = backlog <= plan.limits.lateBacklog
            return leaveOut(.late)
        }
        (needsKey, hasAskedForKey) = (false, false)
        guard connection.send(packet) else { return fail(with: "the connection accepts nothing any more") }
        firstPacket = firstPacket ?? clock.now
        state.update { $0.statistics.written += 1 }
    }

    private func leaveOut(_ reason: DropReason) { state.update { $0.statistics.drops[reason] += 1 } }

    /// The time of the stream that waits to be sent, or to arrive.
    private func backlog(of connection: StreamConnection) -> Duration {
        let underway = Double(connection.unacknowledgedBytes) / max(rate.perSecond, plan.bytesPerSecond)
        return packetDuration * connection.waitingPackets + .seconds(underway)
    }

    // MARK: Connections

    private func connect(_ format: PacketFormat) {
        let now = clock.now
        guard now >= nextAttempt else { return }
        attempts += 1
        do throws(MediaError) {
            connection = try StreamConnection(
                plan, format: format, sound: interleaver.isEnded ? nil : interleaver.formats.first ?? nil)
            (isEstablished, lastMove, lastBacklog) = (false, now, .zero)
            (needsKey, hasAskedForKey, firstPacket, isDescribed) = (true, false, nil, false)
        } catch { fail(with: error.reason) }
    }

    /// Checks the connection.
    private func watch() {
        if connection == nil, let format { connect(format) }
        guard let connection else { return state.update { $0.backlog = .zero } }
        if let failure = connection.failure() { return fail(with: failure.reason) }
        describe(connection)
        let now = clock.now
        let backlog = backlog(of: connection)
        let acknowledged = connection.acknowledgedBytes
        let hasMoved = acknowledged.map { $0 != lastAcknowledged } ?? (backlog < lastBacklog)
        if hasMoved || backlog < .milliseconds(200) { lastMove = now }
        (lastBacklog, lastAcknowledged) = (backlog, acknowledged)
        state.update { $0.backlog = backlog }
        if let onShare, isEstablished,
            let share = adaptation.step(max(backlog, connection.pathDelay(at: now)), at: now)
        {
            onShare(share)
            state.update { $0.statistics.bitRateShare = share }
        }
        if lastMove.duration(to: now) > plan.limits.stallTime {
            return fail(with: "nothing has arrived for \(plan.limits.stallTime.components.seconds) s")
        }
        // A server refuses a handshake within a second. Until then packets wait in the pipeline.
        if !isEstablished, let firstPacket, firstPacket.duration(to: now) > .seconds(1),
            backlog < plan.limits.lateBacklog
        {
            established()
        }
    }

    /// Writes the description for players, once the packets' format is known.
    private func describe(_ connection: StreamConnection) {
        guard let description, !isDescribed, firstPacket != nil else { return }
        do throws(SinkError) {
            isDescribed = try connection.describe(in: description)
        } catch {
            isDescribed = true
            onEvent(.warning(sink: plan.address.description, "players cannot find it: \(error)"))
        }
    }

    private func established() {
        isEstablished = true
        attempts = 0
        adaptation.reconnected()
        state.update { state in
            state.statistics.error = nil
            state.statistics.connections += 1
        }
        if reportedFailure != nil { onEvent(.warning(sink: plan.address.description, "connected again")) }
        reportedFailure = nil
    }

    private func fail(with reason: String) {
        connection?.cut()
        connection = nil
        needsKey = true
        let wait = Swift.min(
            plan.limits.firstRetryWait * (1 << Swift.min(attempts - 1, 10)), plan.limits.longestRetryWait)
        nextAttempt = clock.now.advanced(by: Swift.max(wait, plan.limits.firstRetryWait))
        let error = SinkError(
            plan.address.description, isEstablished ? "send" : "connect", .failed, reason.hiding(secrets))
        isEstablished = false
        state.update { $0.statistics.error = error }
        guard reportedFailure != error.reason else { return }
        reportedFailure = error.reason
        onEvent(.warning(sink: plan.address.description, "\(error.reason); it is tried again"))
    }
}

/// The bytes a second over the last second; 0 before the first second has passed.
private struct ByteRate {
    private var bytes = 0
    private var start: Timestamp?
    private(set) var perSecond = 0.0

    mutating func add(_ count: Int, at now: Timestamp) {
        let begun = start ?? now
        start = begun
        bytes += count
        let elapsed = begun.duration(to: now).inSeconds
        guard elapsed >= 1 else { return }
        perSecond = Double(bytes) / elapsed
        (bytes, start) = (0, now)
    }
}
#endif
