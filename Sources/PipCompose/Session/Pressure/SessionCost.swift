internal import PipConcurrency

/// The predicted cost of a session, as shares of the time of all processors: 1 is all of it.
///
/// A model, made before anything runs, from the cost of a pixel, a byte and a decoded pixel on this machine, which are
/// measured at the first start and kept in the user's cache. Good to about a half; passes that read many texels take
/// more.
public struct SessionCost: Sendable, Hashable {
    /// Drawing, and moving frames there and back; of a GPU only the moving.
    public var renderCost: Double
    /// Decoding frames that cameras deliver compressed.
    public var decodeCost: Double

    /// Drawing and decoding together.
    public var total: Double { renderCost + decodeCost }

    /// The cost of drawing a graph while a relief holds.
    ///
    /// - Parameters:
    ///   - state: The facts of the graph.
    ///   - relief: The relief in force.
    ///   - feeds: The sources.
    ///   - rate: Output frames a second.
    /// - Returns: The cost.
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
        let outputRate = min(rate, relief.mainRate ?? rate).framesPerSecond
        let capabilities = state.capabilities.first ?? PlanCapabilities()
        var weights = capabilities.workWeights
        // A GPU's time is not the processors'.
        if !capabilities.renderer.shadesOnCPU { weights.pixel = 0 }
        let decoding = feeds.reduce(0) { $0 + decodeTime(of: $1, isMain: $1.id == state.main, relief) }
        let processors = Double(Processors.usable)
        return SessionCost(
            renderCost: plan.time(by: weights) * outputRate / 1e9 / processors, decodeCost: decoding / 1e9 / processors)
    }

    /// Nanoseconds of decoding a second.
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
