internal import PipCompose
internal import PipText
internal import Synchronization

#if Media
internal import PipMedia
#endif

/// The measurements of a running composition that triggers depend on.
struct TriggerReadings {
    /// The cameras and streams that are lost.
    let lost: [LostSource]
    let pressure: PressureLevel
    let sources: [String: any FrameProducer]
    /// The RMS level of the loudest channel of the mix, in dB; nil without sound.
    let loudness: Double?
    private let telemetry: Telemetry

    /// Reads the present measurements of a composition.
    init(_ live: LiveRig) {
        (lost, pressure) = (live.session.lostSources, live.session.pressureLevel)
        sources = live.snapshot.sources
        telemetry = live.telemetry
        #if Media
        loudness = live.sound?.mixer.levels.map { Double($0.rms.value) }.max()
        #else
        loudness = nil
        #endif
    }

    /// Checks whether a cause holds.
    ///
    /// - Parameters:
    ///   - cause: The cause.
    ///   - motion: The share of the cause's picture that moves.
    ///   - isHolding: True when the cause held before: a lower value then suffices, so that noise ends no condition.
    /// - Returns: The reason why the cause holds. Nil when it does not.
    func reason(for cause: TriggerArgument.Cause, motion: Double, isHolding: Bool) -> String? {
        switch cause {
        case .lost(let picture):
            let node = picture.flatMap { sources[$0]?.node.id }
            return lost.first { picture == nil || $0.id == node }?.name
        case .pressure(let level): return pressure >= level ? pressure.name : nil
        case .sound(let level):
            guard let loudness, loudness >= level - (isHolding ? 3 : 0) else { return nil }
            return "\(Int(loudness.rounded())) dB"
        case .motion(_, let share):
            return motion >= share * (isHolding ? 0.8 : 1) ? "\(Int((motion * 100).rounded())) %" : nil
        case .value(let limit): return limit.reason(for: telemetry.value(of: limit.name), isHolding: isHolding)
        case .line, .input: return nil
        }
    }
}

/// The share of a picture that moves, measured by a ``/PipCompose/MotionMeter`` while the composition runs.
final class MotionReading: Sendable {
    /// The age from which on a motion is over.
    private static let memory = Duration.milliseconds(300)
    /// The rate at which pictures are compared.
    private static let rate = FrameRate(30)

    private struct State {
        var share = 0.0
        var time = Timestamp.zero
    }

    private let state = Mutex(State())
    private let clock: MonotonicClock
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Starts to measure a picture.
    ///
    /// - Parameters:
    ///   - picture: The picture's name.
    ///   - live: The composition.
    ///   - clock: The session's clock.
    ///   - onMotion: Called for each picture in which something moves.
    init(_ picture: String, of live: LiveRig, clock: MonotonicClock, onMotion: @escaping @Sendable () async -> Void) {
        self.clock = clock
        let task = Task { [weak self] in
            let meter = MotionMeter(name: "motion of \(picture)")
            let output = await live.attach(meter, to: picture, at: Self.rate)
            defer { output.remove() }
            for await event in meter.events {
                guard let self else { return }
                if take(event) { await onMotion() }
            }
        }
        self.task.withLock { $0 = task }
    }

    deinit { task.withLock { $0 }?.cancel() }

    /// Takes an event; returns true for one of a picture in which something moves.
    private func take(_ event: MotionEvent) -> Bool {
        switch event {
        case .began(let motion), .moved(let motion):
            state.withLock { $0 = State(share: motion.area, time: clock.now) }
            return true
        case .ended, .sceneChanged:
            state.withLock { $0 = State() }
            return false
        }
    }

    /// The share of the picture that moves, 0…1.
    var share: Double {
        state.withLock { $0.time.duration(to: clock.now) < Self.memory ? $0.share : 0 }
    }
}
