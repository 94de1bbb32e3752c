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
        let monitor = PressureMonitor(root: options.pressure.root, load: { loop.takeLoad() }) { state, problems, now in
            for problem in problems { events.yield(.sensorFailed(problem)) }
            continuation.yield(PressureSample(state: state, time: now))
        }
        monitor.start()
        pressureStream = continuation
        await withTaskCancellationHandler {
            for await sample in states { await consider(sample, wiring, stop: stop) }
        } onCancel: {
            continuation.finish()
        }
        pressureStream = nil
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
        // Another policy may ask for something else without a change of the machine.
        guard decision != nil || relief != governor.relief else { return }
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

    /// Output frames a second as far as the relief allows.
    private var pacedRate: FrameRate {
        let rate = sinkSettings?.rate ?? FrameRate(30)
        return outputLimit.map { min($0, rate) } ?? rate
    }

    private var outputLimit: FrameRate? { relief.isPaused ? FrameRate(1) : relief.mainRate }

    /// Makes cameras and output follow the relief; what follows already is left alone.
    func applyRelief(_ graph: Graph) async {
        guard let loop else { return }
        let limit = outputLimit
        await gpu.perform { _ in loop.setPace(limit) }
        let main = graph.mainSource
        for id in feedOrder {
            guard let feed = feeds[id], case .camera = feed.inlet else { continue }
            feed.pace = (id == main ? relief.mainRate : relief.insetRate ?? relief.mainRate)?.interval
            await setRelieved(relief.isPaused || (relief.insetIsOff && id != main), id)
            await limitSize(id == main ? relief.mainSize : relief.insetSize, id)
        }
    }

    /// Switches a camera off for relief, or on again if it was off for that.
    private func setRelieved(_ isOff: Bool, _ id: NodeID) async {
        guard isOff != switchedOff.contains(id), let camera = camera(id) else { return }
        do throws(CaptureError) {
            if isOff {
                guard camera.state != .disabled else { return }
                try await camera.disable()
                switchedOff.insert(id)
            } else {
                switchedOff.remove(id)
                try await camera.enable()
            }
        } catch {
            events.yield(.changeRejected(.camera(error)))
        }
    }

    /// Sets a camera to a mode no larger than a size, or back to what was configured.
    ///
    /// A camera that does not take the change goes on as it is, and is not asked again for the same.
    private func limitSize(_ limit: PixelSize?, _ id: NodeID) async {
        guard limit != sizeLimits[id], let camera = camera(id), camera.state == .streaming else { return }
        let configured = configuredWishes[id] ?? camera.wish
        var wish = configured
        if let limit, let format = camera.format {
            guard format.mode.size.area > limit.area else { return }
            wish.size = limit
        }
        sizeLimits[id] = limit
        configuredWishes[id] = configured
        do throws(CaptureError) {
            try await camera.change(to: wish)
        } catch {
            events.yield(.changeRejected(.camera(error)))
        }
    }
}
