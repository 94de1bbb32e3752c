internal import PipGraph

extension RenderPlan {
    /// The work of a frame, in units that do not depend on the machine.
    public struct Cost: Sendable, Hashable {
        /// Passes that are drawn.
        public var passes: Int
        /// Pixels shaded, all passes together.
        public var pixels: Int
        /// Bytes of frames that are copied into textures.
        public var bytesUploaded: Int
        /// Bytes that are read where the cameras wrote them.
        public var bytesShared: Int
        /// Bytes that are read back from textures.
        public var bytesReadBack: Int
        /// Bytes that the CPU writes from frames.
        public var bytesBlitted: Int
    }

    /// The cost of a frame, without the work that is done only when a still picture changes.
    public var cost: Cost {
        let steps = zip(steps, isStepStill).filter { !$0.1 }.map(\.0)
        let passes = steps.compactMap { if case .draw(let pass) = $0 { pass } else { nil } }
        let uploads = steps.compactMap { if case .upload(let upload) = $0 { upload } else { nil } }
        return Cost(
            passes: passes.count, pixels: passes.reduce(0) { $0 + $1.pixels },
            bytesUploaded: uploads.reduce(0) { $1.isShared ? $0 : $0 + $1.byteCount },
            bytesShared: uploads.reduce(0) { $1.isShared ? $0 + $1.byteCount : $0 },
            bytesReadBack: outputs.reduce(0) { $0 + $1.readbacks.reduce(0) { $0 + $1.byteCount } },
            bytesBlitted: outputs.reduce(0) { $0 + $1.blits.reduce(0) { $0 + $1.byteCount } })
    }

    /// True when the CPU writes something that could be drawn.
    var blitsLayers: Bool { outputs.contains { !$0.blits.isEmpty } }

    /// The time of a frame, in nanoseconds, without the work that is done only when a still picture changes.
    package func time(by weights: WorkWeights) -> Double {
        let cost = cost
        let blitted = outputs.reduce(0) { $0 + $1.blits.reduce(0) { $0 + $1.time(by: weights) } }
        return Double(cost.pixels) * weights.pixel
            + Double(cost.bytesUploaded + cost.bytesReadBack) * weights.movedByte + blitted
    }
}

extension Blit {
    fileprivate func time(by weights: WorkWeights) -> Double {
        let mean = conversion.samples.mean
        if conversion == Blit.Conversion() { return Double(byteCount) * weights.copiedByte }
        var time = 0.0
        if mean > 1 { time += Double(mean * mean) * weights.averagedByte }
        if let scaling = conversion.scaling { time += scaling.work * weights.scaledByte }
        if let kernel = conversion.kernel { time += Double(kernel.work) * weights.filteredByte }
        let isTaken = mean == 1 && conversion.scaling == nil && conversion.kernel == nil
        if conversion.values != .same || isTaken { time += weights.changedByte }
        return Double(byteCount) * time
    }
}
