internal import Synchronization

extension SessionController {
    /// A state of the machine, and when it was measured.
    struct PressureSample: Sendable {
        var state: PressureState
        var time: Timestamp
    }

    /// Measures pressure and does what the policy says, until the session closes.
    func govern(_ wiring: Wiring, _ loop: RenderLoop, stop: StopSignal) async {
        // A short session may be over before this began.
        guard !isGoverningOver else { return }
        let (states, continuation) = AsyncStream.makeStream(
            of: PressureSample.self, bufferingPolicy: .bufferingNewest(1))
        let events = events
        let monitor = PressureMonitor(
            root: options.pressure.root, clock: options.time, load: { loop.takeLoad() }
        ) { state, problems, now in
            for problem in problems { events.yield(.sensorFailed(problem)) }
            continuation.yield(PressureSample(state: state, time: now))
        }
        monitor.use(governor.policy.thresholds)
        monitor.start()
        pressureMonitor = monitor
        pressureStream = continuation
        await withTaskCancellationHandler {
            for await sample in states { await consider(sample, wiring, stop: stop) }
        } onCancel: {
            continuation.finish()
        }
        pressureStream = nil
        pressureMonitor = nil
        monitor.stop()
    }

    /// Ends ``govern(_:_:stop:)``.
    func endGoverning() {
        isGoverningOver = true
        pressureStream?.finish()
    }

    private func consider(_ sample: PressureSample, _ wiring: Wiring, stop: StopSignal) async {
        guard !isClosing else { return }
        let state = pinnedLevel.map { PressureState.pinned($0) } ?? sample.state
        published.withLock { $0.pressure.state = state }
        let decision = governor.step(state, now: sample.time)
        // Another policy may ask for something else without a change of the machine, and a camera may not have followed yet.
        guard decision != nil || relief != governor.relief || isReliefDue(sample.time) else { return }
        let before = pacedRate
        let needsPlan = relief.effects != governor.relief.effects
        relief = governor.relief
        await hold()
        // What takes no time first.
        await applyRelief(wiring.graph)
        if needsPlan {
            do throws(SessionError) {
                try await update(to: wiring.graph)
            } catch {
                events.yield(.changeRejected(error))
            }
        }
        release()
        if let decision { note(decision, at: sample.time, rateBefore: before) }
        if relief.isStopped {
            isStoppedByPressure = true
            stop.raise()
        }
    }

    private func note(_ decision: PressureDecision, at time: Timestamp, rateBefore: FrameRate) {
        let started = loop?.shared.withLock { $0.started } ?? time
        let event = PressureEvent(
            time: max(.zero, started.duration(to: time)), level: decision.state.level,
            previousLevel: decision.previousLevel, factors: decision.state.factors,
            readings: decision.state.readings.filter { $0.level > .nominal }, taken: decision.taken,
            restored: decision.restored, rateBefore: rateBefore, rateAfter: pacedRate)
        published.withLock { $0.pressure.note(event) }
        events.yield(.pressure(event))
    }
}
