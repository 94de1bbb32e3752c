internal import PipConcurrency

/// The predicted cost of a session, as a share of the time of all processors: 1 uses all processors fully.
///
/// A model predicts the cost before anything runs, from the cost of a pixel, a byte and a decoded pixel. The costs of
/// pixels and bytes are measured when a session first starts with OpenGL ES, and kept in the user's cache; without such
/// a measurement, typical costs count. Decoding is measured in each process. The prediction may be off by half; passes
/// that sample many texels cost more.
public struct SessionCost: Sendable, Hashable {
    /// The cost of drawing, and of moving frames to the renderer and back.
    ///
    /// The time that a GPU spends on pixels does not count.
    public var renderCost: Double
    /// The cost of decoding the frames of cameras that deliver JPEG.
    public var decodeCost: Double

    /// The cost of drawing and decoding together.
    public var total: Double { renderCost + decodeCost }

    /// Predicts the cost of a session while a relief holds.
    ///
    /// - Parameters:
    ///   - state: The facts that the plan is made from.
    ///   - relief: The relief in force.
    ///   - feeds: The open sources.
    ///   - rate: The output rate without relief.
    /// - Returns: The predicted cost; zero under a relief that pauses or stops the session.
    /// - Throws: ``SessionError`` when the graph cannot be drawn.
    static func predicted(
        _ state: PlanningState, under relief: PressureRelief, _ feeds: [SourceFeed], rate: FrameRate
    ) throws(SessionError) -> SessionCost {
        if relief.isStopped || relief.isPaused { return SessionCost(renderCost: 0, decodeCost: 0) }
        var state = state
        state.effects = relief.effects
        if relief.insetIsOff {
            for feed in feeds where feed.camera != nil && feed.id != state.main { state.presence[feed.id] = .gone }
        }
        let plan = try state.plan()
        let drawnRate = min(rate, relief.mainRate ?? rate).framesPerSecond
        let capabilities = state.capabilities.first ?? PlanCapabilities()
        var weights = capabilities.workWeights
        // The time that a GPU spends on pixels is not the processors' time.
        if !capabilities.renderer.shadesOnCPU { weights.pixel = 0 }
        let decoding = feeds.reduce(0) { $0 + decodeTime(of: $1, isMain: $1.id == state.main, relief) }
        let frame = plan.time(by: weights) { sinks in
            sinks.reduce(0) { max($0, state.graph.framesPerSecond(of: $1, upTo: drawnRate)) } / drawnRate
        }
        let processors = Double(Processors.usable)
        return SessionCost(
            renderCost: frame * drawnRate / 1e9 / processors, decodeCost: decoding / 1e9 / processors)
    }

    /// The CPU time that decoding a camera's JPEG frames takes in each second; 0 for other sources and formats.
    ///
    /// Units: nanoseconds.
    private static func decodeTime(of feed: SourceFeed, isMain: Bool, _ relief: PressureRelief) -> Double {
        guard let format = feed.camera?.format, format.isCompressed else { return 0 }
        if relief.insetIsOff && !isMain { return 0 }
        let rate = format.frameRate ?? FrameRate(30)
        let limit = isMain ? relief.mainRate : relief.insetRate ?? relief.mainRate
        let size = format.layout.size
        let area = min(size.area, (isMain ? relief.mainSize : relief.insetSize)?.area ?? size.area)
        return Double(area) * DecodeSpeed.jpegPixel * min(rate, limit ?? rate).framesPerSecond
    }
}

extension Graph {
    /// The number of frames that a sink takes in a second, when the session draws `limit` frames a second.
    fileprivate func framesPerSecond(of sink: NodeID, upTo limit: Double) -> Double {
        guard let record = self.sink(sink) else { return limit }
        let rate = record.frameRate.map { min($0.framesPerSecond, limit) } ?? limit
        return record.interval.map { min(1 / max($0.inSeconds, 1e-9), rate) } ?? rate
    }
}
