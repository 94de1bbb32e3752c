#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks

/// The loop of a stream's thread: connects, sends packets, detects a stalled connection, and connects again.
final class StreamLoop: @unchecked Sendable {
    struct State {
        var statistics: OutputStatistics
        var isDone = false
        /// The duration of the stream that is not known to have arrived; it grows when the network is too slow.
        var backlog = Duration.zero
    }

    /// The limits of a stream's backlog, and the waits between connections.
    struct Limits {
        /// The backlog above which the loop drops pictures other than key frames.
        var lateBacklog = Duration.milliseconds(700)
        /// The backlog above which the loop sends nothing.
        var lostBacklog = Duration.seconds(2)
        /// The time without progress after which the loop closes a connection.
        var stallTime = Duration.seconds(3)
        /// The wait after a connection breaks, and after a first failed attempt; each further failed attempt doubles
        /// the wait, up to `longestRetryWait`.
        var firstRetryWait = Duration.seconds(1)
        /// The longest wait before a new connection.
        var longestRetryWait = Duration.seconds(30)

        /// The limits for SRT, with short waits: its receivers return within three seconds, and an attempt costs only a
        /// packet.
        static let forSRT = Limits(firstRetryWait: .milliseconds(250), longestRetryWait: .seconds(1))
    }

    /// The constant properties of a stream: its address, codec, pace and limits.
    struct Plan {
        let address: StreamAddress
        let codec: VideoCodec
        /// True when frames may come faster than real time, so that the sinks must pace the packets.
        let isPaced: Bool
        /// The expected bytes a second of the picture at the full bit rate.
        let bytesPerSecond: Double
        var limits = Limits()
    }

    private static let interval = Duration.milliseconds(50)
    /// The longest wait for a packet while the interleaver waits for sound.
    private static let soundInterval = Duration.milliseconds(10)

    // Only the thread that calls `run()` uses the properties, except `state`, which is locked.
    private let plan: Plan
    private let feed: PacketFeed
    /// The packets of the sound; nil for a stream without sound.
    private let sound: TrackFeed?
    private var interleaver: Interleaver
    private let onEvent: @Sendable (SinkEvent) -> Void
    /// Switches to an encoder with a share of the full bit rate; nil where the bit rate is fixed.
    private let onShare: (@Sendable (Double) -> Void)?
    private var adaptation = StreamAdaptation()
    private let clock = MonotonicClock()
    private let secrets: [String]
    private var connection: StreamConnection?
    /// True once a second has passed since the connection's first packet, and the backlog is not late.
    private var isEstablished = false
    /// The time of the first packet on the current connection; nil before the first packet.
    private var firstPacket: Timestamp?
    private var nextAttempt = Timestamp.zero
    private var attempts = 0
    /// True while only a key frame can continue the stream: after connecting, and after a dropped frame.
    private var needsKey = true
    private var hasAskedForKey = false
    private var format: PacketFormat?
    /// The file that describes the stream to players; nil unless the address has the option `sdp`.
    private let description: StreamDescriptionFile?
    private var isDescribed = false
    private var packetDuration = Duration.zero
    private var rate = ByteRate()
    /// The time at which the path to the server last made progress, or its backlog was small.
    ///
    /// Progress is an acknowledgement, or a smaller backlog where acknowledgements are unknown.
    private var lastMove = Timestamp.zero
    private var lastBacklog = Duration.zero
    private var lastAcknowledged: Int?
    /// The latest failure reported since a connection was last established; nil when there is none.
    ///
    /// The loop does not report the same failure twice in a row.
    private var reportedFailure: String?
    let state: Monitor<State>

    init(
        _ plan: Plan, _ feed: PacketFeed, sound: TrackFeed? = nil, onEvent: @escaping @Sendable (SinkEvent) -> Void,
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
                case .track(let packet, _): takeSound(packet)
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

    /// Waits for packets, and hands those that have arrived to the interleaver.
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
        // No sound is sent before the first picture. On a narrow path, sound is dropped last: only above `lostBacklog`.
        guard let connection, firstPacket != nil, backlog(of: connection) <= plan.limits.lostBacklog else { return }
        connection.sendSound(packet)
    }

    private func take(_ packet: Packet) {
        rate.add(packet.byteCount, at: clock.now)
        packetDuration = packet.duration
        if format?.isEqual(to: packet.format) != true {
            // Receivers read the parameters of a changed encoder or bit rate from the stream.
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
            // Request a key frame as soon as there is room, because the encoder's next regular key frame may come late.
            if backlog <= plan.limits.lateBacklog, !hasAskedForKey { feed.requestKeyFrame() }
            hasAskedForKey = backlog <= plan.limits.lateBacklog
            return leaveOut(.late)
        }
        (needsKey, hasAskedForKey) = (false, false)
        guard connection.send(packet) else { return fail(with: "the connection accepts no more packets") }
        firstPacket = firstPacket ?? clock.now
        state.update { $0.statistics.written += 1 }
    }

    private func leaveOut(_ reason: DropReason) { state.update { $0.statistics.drops[reason] += 1 } }

    /// The duration of the stream that waits to be sent, or is not acknowledged.
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

    /// Checks the connection for failures, progress and backlog, and opens a connection if there is none.
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
            return fail(with: "the receiver has taken no data for \(plan.limits.stallTime.components.seconds) s")
        }
        // A server refuses a handshake within a second. Until then, packets wait in the pipeline.
        if !isEstablished, let firstPacket, firstPacket.duration(to: now) > .seconds(1),
            backlog < plan.limits.lateBacklog
        {
            established()
        }
    }

    /// Writes the description file for players, once the format of the packets is known.
    private func describe(_ connection: StreamConnection) {
        guard let description, !isDescribed, firstPacket != nil else { return }
        do throws(SinkError) {
            isDescribed = try connection.describe(in: description)
        } catch {
            isDescribed = true
            onEvent(.warning(sink: plan.address.description, "players cannot find the stream: \(error)"))
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
        if reportedFailure != nil { onEvent(.warning(sink: plan.address.description, "connected")) }
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
        onEvent(.warning(sink: plan.address.description, "\(error.reason); the stream is tried again"))
    }
}

/// Measures bytes a second over successive periods of one second; 0 before the first period has passed.
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
