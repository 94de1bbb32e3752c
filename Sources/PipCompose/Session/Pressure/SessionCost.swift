internal import Glibc

/// The predicted cost of a session, as shares of the time of all processors: 1 is all of it.
///
/// A model, made before anything runs, from the cost of a pixel, a byte and a decoded pixel on this machine, which are
/// measured at the first start and kept in the user's cache. Good to about a half; passes that read many texels take
/// more.
public struct SessionCost: Sendable, Hashable {
    /// Drawing, and moving frames there and back; of a GPU only the moving.
    public var renderCost: Double
    /// Decoding what cameras deliver compressed.
    public var decodeCost: Double

    /// Drawing and decoding together.
    public var total: Double { renderCost + decodeCost }
}

extension SessionController {
    /// What the session is expected to cost while a relief holds.
    func predictedCost(of graph: Graph, under relief: PressureRelief) throws(SessionError) -> SessionCost {
        if relief.isStopped || relief.isPaused { return SessionCost(renderCost: 0, decodeCost: 0) }
        let main = graph.mainSource
        var presence = presence
        if relief.insetIsOff {
            for (id, feed) in feeds where id != main && isCamera(feed) { presence[id] = .gone }
        }
        let before = self.relief
        self.relief = relief
        defer { self.relief = before }
        let plan = try plan(graph, where: presence)
        let rate = timing(graph).rate
        let outputRate = min(rate, relief.mainRate ?? rate).framesPerSecond
        var weights = capabilities.workWeights
        // A GPU's time is not the processors'.
        if !capabilities.renderer.shadesOnCPU { weights.pixel = 0 }
        let perFrame = plan.time(by: weights)
        let decoding = feedOrder.compactMap { feeds[$0] }.reduce(0) { total, feed in
            total + decodeTime(of: feed, isMain: feed.id == main, relief)
        }
        let processors = Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        return SessionCost(
            renderCost: perFrame * outputRate / 1e9 / processors, decodeCost: decoding / 1e9 / processors)
    }

    private func isCamera(_ feed: SourceFeed) -> Bool { if case .camera = feed.inlet { true } else { false } }

    /// Nanoseconds of decoding a second.
    private func decodeTime(of feed: SourceFeed, isMain: Bool, _ relief: PressureRelief) -> Double {
        guard case .camera(let camera) = feed.inlet, let format = camera.format, format.isCompressed else { return 0 }
        if relief.insetIsOff && !isMain { return 0 }
        let rate = format.frameRate ?? FrameRate(30)
        let limit = isMain ? relief.mainRate : relief.insetRate ?? relief.mainRate
        let size = format.layout.size
        let area = min(size.area, (isMain ? relief.mainSize : relief.insetSize)?.area ?? size.area)
        return Double(area) * DecodeSpeed.jpegPixel * min(rate, limit ?? rate).framesPerSecond
    }
}

extension Session {
    /// What it is expected to cost as it is configured.
    ///
    /// - Throws: ``SessionError`` when the graph cannot be drawn any more.
    public var predictedCost: SessionCost {
        get async throws(SessionError) { try await controller.predictedCost(of: graph, under: PressureRelief()) }
    }

    /// What each step of a policy is expected to save, in the order in which they are taken; shares as in ``SessionCost``.
    ///
    /// - Throws: ``SessionError`` when the graph cannot be drawn any more.
    public func predictedSavings(of policy: PressurePolicy) async throws(SessionError) -> [Double] {
        var savings: [Double] = []
        var last = try await predictedCost.total
        for count in policy.steps.indices {
            let next = try await controller.predictedCost(of: graph, under: policy.relief(ofFirst: count + 1)).total
            savings.append(last - next)
            last = next
        }
        return savings
    }
}
