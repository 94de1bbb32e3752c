/// Takes the stills of a session, each through an output of its own.
actor StillTaker {
    private let wiring: Wiring
    private let claim: GraphClaim
    private let controller: SessionController
    private let clock: MonotonicClock
    private var turns = Turns()

    init(_ wiring: Wiring, _ claim: GraphClaim, _ controller: SessionController, clock: MonotonicClock) {
        self.wiring = wiring
        self.claim = claim
        self.controller = controller
        self.clock = clock
    }

    /// Takes the next frame of a node.
    ///
    /// - Parameters:
    ///   - producer: The node.
    ///   - format: The file format.
    ///   - size: The size of the picture; nil takes the node's size.
    ///   - start: The earliest capture time; nil takes any frame.
    ///   - limit: The longest wait for a frame.
    /// - Returns: The encoded picture.
    /// - Throws: ``SessionError`` when the node cannot be drawn, or no frame came.
    nonisolated func take(
        of producer: some FrameProducer, as format: Still.Format, size: PixelSize? = nil, since start: Timestamp? = nil,
        within limit: Duration
    ) async throws(SessionError) -> Still {
        let frame = try await frame(of: producer, as: format, size: size, since: start, within: limit)
        return try encoded(frame, of: producer, as: format)
    }

    /// Takes the next frame of a camera, lit by its flash or torch as `flash` demands.
    ///
    /// - Parameters:
    ///   - camera: The camera.
    ///   - format: The file format.
    ///   - flash: The use of the flash.
    ///   - limit: The longest wait for a frame.
    /// - Returns: The encoded picture.
    /// - Throws: ``SessionError`` when the camera must light the picture and cannot, or no frame came.
    func take(
        of camera: CameraSource, as format: Still.Format, flash: CameraFlash, within limit: Duration
    ) async throws(SessionError) -> Still {
        if flash == .off { return try await take(of: camera, as: format, within: limit) }
        // Take stills one after the other: the light of one still must not fall into the next still.
        await waitForTurn()
        defer { endTurn() }
        return try await lit(camera, as: format, flash: flash, within: limit)
    }

    private func lit(
        _ camera: CameraSource, as format: Still.Format, size: PixelSize? = nil, since start: Timestamp? = nil,
        flash: CameraFlash, within limit: Duration
    ) async throws(SessionError) -> Still {
        var unlit: Frame?
        if flash != .on {
            let frame = try await frame(of: camera, as: format, size: size, since: start, within: limit)
            if flash == .off || frame.brightness >= CameraFlash.dark {
                return try encoded(frame, of: camera, as: format)
            }
            unlit = frame
        }
        let slot = try await controller.camera(camera)
        let light: FlashLight
        do throws(CaptureError) { light = try slot.lightFlash() } catch {
            if error.kind == .unsupported, let unlit { return try encoded(unlit, of: camera, as: format) }
            throw .camera(error)
        }
        let result: Result<Frame, SessionError>
        do throws(SessionError) {
            result = .success(try await frame(of: camera, as: format, size: size, since: light.start, within: limit))
        } catch {
            result = .failure(error)
        }
        slot.putOut(light)
        return try encoded(try result.get(), of: camera, as: format)
    }

    private nonisolated func frame(
        of producer: some FrameProducer, as format: Still.Format, size: PixelSize?, since start: Timestamp?,
        within limit: Duration
    ) async throws(SessionError) -> Frame {
        let (graph, id) = (wiring.graph, producer.node.id)
        guard graph[id] != nil else {
            throw .noPicture(
                of: producer.node.wiring.graph.label(of: id), reason: "it is not in this session's graph")
        }
        // Wait for a frame of the camera itself, not of its slate.
        let camera = controller.published.sources[id]?.camera == nil ? nil : id
        let deadline = clock.now.advanced(by: limit)
        let sink = StillSink(format: format, frameSize: size)
        let output = try await connect(producer, to: sink)
        defer { output.remove() }
        let frame = await sink.frame(by: deadline, clock) { frame in
            let inputs = frame.info.inputs
            if let camera, inputs[camera] == nil { return false }
            return start.map { start in inputs.contains { $0.timestamp >= start } } ?? true
        }
        guard let frame else {
            throw .noPicture(
                of: graph.label(of: id),
                reason: clock.now < deadline
                    ? "the session or the task ended before a frame came" : "no frame came within \(limit)")
        }
        return frame
    }

    private nonisolated func encoded(
        _ frame: Frame, of producer: some FrameProducer, as format: Still.Format
    ) throws(SessionError) -> Still {
        let sources = controller.published.sources
        let captured = frame.info.inputs.map(\.timestamp).max() ?? frame.info.timestamp
        return try Still(
            frame, of: wiring.graph.label(of: producer.node.id), as: format,
            cameras: frame.info.inputs.map { sources.name(of: $0.source) },
            age: max(.zero, captured.duration(to: clock.now)))
    }

    /// Takes a frame at a camera's largest size, and restores the camera's mode.
    ///
    /// Stills of this kind are taken one after the other, because each restores the mode that it found.
    func takeLargest(
        of camera: CameraSource, as format: Still.Format, flash: CameraFlash, within limit: Duration
    ) async throws(SessionError) -> Still {
        await waitForTurn()
        defer { endTurn() }
        let (wish, largest) = try await controller.modeChoice(of: camera)
        let running = try await controller.camera(camera).format?.mode.size
        guard let largest, largest != running else {
            return try await lit(camera, as: format, flash: flash, within: limit)
        }
        var larger = wish
        larger.size = largest
        let result: Result<Still, SessionError>
        do throws(SessionError) {
            try await controller.borrow(camera, as: larger)
            result = .success(
                try await lit(camera, as: format, size: largest, since: clock.now, flash: flash, within: limit))
        } catch {
            result = .failure(error)
        }
        do throws(SessionError) {
            // Another size that was set meanwhile must stay.
            if try await controller.modeChoice(of: camera).wish.size == largest {
                try await controller.borrow(camera, as: wish)
            }
        } catch {
            // Without the camera, or after the session's end, there is no mode to restore: the still must not be lost.
            if (try? await controller.camera(camera)) != nil { throw error }
        }
        return try result.get()
    }

    private func waitForTurn() async {
        while turns.isTaken { await withCheckedContinuation { turns.waiting.append($0) } }
        turns.take()
    }

    private func endTurn() { for continuation in turns.end() { continuation.resume() } }

    private nonisolated func connect(
        _ producer: some FrameProducer, to sink: StillSink
    ) async throws(SessionError) -> Output {
        do {
            let draft = Draft(of: wiring)
            let output = try draft.edit { producer --> sink }
            guard draft.owners.isSubset(of: [ObjectIdentifier(claim)]) else { throw SessionError.otherGraph }
            try await controller.commit(draft)
            return output
        } catch {
            throw SessionError(any: error)
        }
    }
}
