extension SessionController {
    /// Output frames a second as far as the relief allows.
    var pacedRate: FrameRate {
        let rate = sinkSettings?.rate ?? FrameRate(30)
        return outputLimit.map { min($0, rate) } ?? rate
    }

    private var outputLimit: FrameRate? { relief.isPaused ? FrameRate(1) : relief.mainRate }

    /// Whether a camera that did not follow the relief is to be asked again.
    func isReliefDue(_ now: Timestamp) -> Bool { reliefPauses.values.contains { now >= $0 } }

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
            await limitSize(sizeLimit(of: id, in: graph), id)
        }
    }

    /// Switches a camera off for relief, or on again if it was off for that.
    ///
    /// One that does not follow is asked again after a while, and reported once.
    private func setRelieved(_ isOff: Bool, _ id: NodeID) async {
        guard isOff != switchedOff.contains(id), let camera = camera(id) else {
            reliefPauses[id] = nil
            return
        }
        let now = options.time.now
        if let pause = reliefPauses[id], now < pause { return }
        do throws(CaptureError) {
            if isOff {
                // Whoever switched it off wants it off, pressure or not.
                guard camera.state != .disabled else { return }
                try await camera.disable()
                switchedOff.insert(id)
            } else {
                try await camera.enable()
                switchedOff.remove(id)
            }
            reliefPauses[id] = nil
        } catch {
            if reliefPauses[id] == nil { events.yield(.changeRejected(.camera(error))) }
            reliefPauses[id] = now.advanced(by: options.pressure.cameraRetryInterval)
        }
    }

    /// Sets a camera to a mode no larger than a size, or back to what was configured.
    ///
    /// A camera that does not take the change goes on as it is, and is not asked again for the same.
    private func limitSize(_ limit: PixelSize?, _ id: NodeID) async {
        guard limit != sizeLimits[id], let camera = camera(id), camera.state == .streaming else { return }
        let configured = configuredWishes[id] ?? camera.wish
        if let limit, sizeLimits[id] == nil, let format = camera.format, format.mode.size.area <= limit.area { return }
        sizeLimits[id] = limit
        configuredWishes[id] = limit == nil ? nil : configured
        do throws(CaptureError) {
            try await camera.change(to: configured.limited(to: limit))
        } catch {
            events.yield(.changeRejected(.camera(error)))
        }
    }

    /// Sets a camera to another mode; while a relief limits its size, to one within the limit, and to the whole once that is over.
    func setMode(_ wish: CameraWish, _ id: NodeID, in graph: Graph) async throws(CaptureError) {
        guard let camera = camera(id) else { return }
        try await configure(id, wish, in: graph) { limited throws(CaptureError) in try await camera.change(to: limited)
        }
    }

    /// Takes another camera in the place of one, as far as a relief allows.
    func replaceCamera(
        _ id: NodeID, with selector: CameraSelector, wish: CameraWish, in graph: Graph
    ) async throws(CaptureError) {
        guard let camera = camera(id) else { return }
        try await configure(id, wish, in: graph) { limited throws(CaptureError) in
            try await camera.replace(with: selector, wish: limited)
        }
        matched.remove(id)
        arrivals.continuation.yield(id)
    }

    /// Makes a camera be what was configured, within the limit of the relief, which may change meanwhile.
    private func configure(
        _ id: NodeID, _ wish: CameraWish, in graph: Graph,
        _ change: (CameraWish) async throws(CaptureError) -> Void
    ) async throws(CaptureError) {
        var limit: PixelSize?
        repeat {
            limit = sizeLimit(of: id, in: graph)
            try await change(wish.limited(to: limit))
        } while limit != sizeLimit(of: id, in: graph)
        let isLimited = wish.limited(to: limit).size != wish.size
        sizeLimits[id] = isLimited ? limit : nil
        configuredWishes[id] = isLimited ? wish : nil
    }

    private func sizeLimit(of id: NodeID, in graph: Graph) -> PixelSize? {
        id == graph.mainSource ? relief.mainSize : relief.insetSize
    }
}

extension CameraWish {
    /// The same wish for no more than a size; nil has no limit.
    fileprivate func limited(to limit: PixelSize?) -> CameraWish {
        guard let limit, (size ?? .hd720).area > limit.area else { return self }
        var wish = self
        wish.size = limit
        return wish
    }
}
