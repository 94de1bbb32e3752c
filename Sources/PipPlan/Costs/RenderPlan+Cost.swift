package import PipFrames
internal import PipGraph

extension RenderPlan {
    /// The work of a frame, in units that do not depend on the machine.
    ///
    /// Compare plans by their costs, such as before and after an effect was added.
    public struct Cost: Sendable, Hashable {
        /// The number of passes that OpenGL ES draws.
        public var passes: Int
        /// The number of pixels that the passes of OpenGL ES shade, all together.
        public var pixels: Int
        /// The number of bytes copied into textures, from frames and from pictures that the CPU has drawn.
        public var bytesUploaded: Int
        /// The number of bytes of sources' frames that passes read in place, without a copy.
        public var bytesShared: Int
        /// The number of bytes read back from textures.
        public var bytesReadBack: Int
        /// The number of bytes that the CPU writes from frames into outputs, without drawing.
        public var bytesBlitted: Int
        /// The number of passes that the CPU draws.
        public var rowPasses = 0
        /// The number of pixels that the passes of the CPU cover, all together.
        public var rowPixels = 0
    }

    /// The cost of a frame, without the work that is done only when a still picture changes.
    public var cost: Cost {
        let steps = movingSteps
        let passes = steps.compactMap { if case .draw(let pass) = $0 { pass } else { nil } }
        let rows = movingRowPasses
        let uploads = steps.compactMap { if case .upload(let upload) = $0 { upload } else { nil } }
        let transfers = steps.compactMap { if case .transfer(let transfer) = $0 { transfer } else { nil } }
        let (lent, fetched) = (transfers.bytes(to: .gl), transfers.bytes(to: .cpu))
        return Cost(
            passes: passes.count, pixels: passes.reduce(0) { $0 + $1.pixels },
            bytesUploaded: uploads.reduce(lent) { $1.isShared ? $0 : $0 + $1.byteCount },
            bytesShared: uploads.reduce(0) { $1.isShared ? $0 + $1.byteCount : $0 },
            bytesReadBack: outputs.reduce(fetched) { $0 + $1.readbacks.reduce(0) { $0 + $1.byteCount } },
            bytesBlitted: outputs.reduce(0) { $0 + $1.blits.reduce(0) { $0 + $1.byteCount } },
            rowPasses: rows.count, rowPixels: rows.reduce(0) { $0 + $1.pixels })
    }

    /// The steps of every frame, without the steps that run only when a still picture changes.
    private var movingSteps: [Step] { zip(steps, isStepStill).filter { !$0.1 }.map(\.0) }

    /// The passes that the CPU draws for every frame.
    private var movingRowPasses: [RowPass] {
        (movingSteps + outputs.flatMap { $0.draws?.steps ?? [] }).compactMap {
            if case .rows(let pass) = $0 { pass } else { nil }
        }
    }

    /// True when the CPU writes a layer directly into an output.
    var blitsLayers: Bool { outputs.contains { !$0.blits.isEmpty } }

    /// The predicted time of a frame, without the work that is done only when a still picture changes.
    ///
    /// Units: nanoseconds.
    ///
    /// - Parameters:
    ///   - weights: The times of pixels and bytes.
    ///   - share: Takes the sinks of an output, and returns the share of frames that they take, 0…1. Steps that several
    ///     outputs need count by the largest share: slower outputs mostly take frames that faster ones take, too.
    /// - Returns: The mean time over all frames.
    package func time(by weights: WorkWeights, share: ([NodeID]) -> Double = { _ in 1 }) -> Double {
        let shares = outputs.map { share($0.sinks) }
        var time = 0.0
        for ((step, isStill), reached) in zip(zip(steps, isStepStill), stepOutputs) where !isStill {
            let isNeeded = reached.map { $0.reduce(0) { max($0, shares[$1]) } } ?? 1
            time += isNeeded * step.time(by: weights)
        }
        return zip(outputs, shares).reduce(time) { $0 + $1.1 * $1.0.time(by: weights) }
    }
}

extension RenderPlan.Step {
    fileprivate func time(by weights: WorkWeights) -> Double {
        switch self {
        case .upload(let upload): upload.isShared ? 0 : Double(upload.byteCount) * weights.movedByte
        case .transfer(let transfer): Double(transfer.byteCount) * weights.movedByte
        case .draw(let pass): Double(pass.pixels) * weights.pixel
        case .rows(let pass): Double(pass.pixels) * pass.work * weights.rowPixel
        // Counting a pixel takes about as long as drawing ten.
        case .tabulate(let pass): Double(10 * pass.pixels) * weights.rowPixel
        case .clear, .keep: 0
        }
    }
}

extension PlannedOutput {
    /// The time of a frame's blits, draws and read-backs.
    fileprivate func time(by weights: WorkWeights) -> Double {
        let moved = readbacks.reduce(0) { $0 + $1.byteCount }
        let drawn = (draws?.steps ?? []).reduce(Double(moved) * weights.movedByte) { $0 + $1.time(by: weights) }
        return blits.reduce(drawn) { $0 + $1.time(by: weights) }
    }
}

extension [Transfer] {
    /// The number of bytes that the transfers move to an executor.
    fileprivate func bytes(to executor: Executor) -> Int {
        reduce(0) { $1.executor == executor ? $0 + $1.byteCount : $0 }
    }
}

extension RowPass {
    /// The estimated cost per pixel, relative to one simple change of a pixel.
    var work: Double {
        guard contents.solid == nil else { return 2 }
        let head: Double =
            switch contents.segment.head {
            case .image: 2
            case .neighbourhood: 4
            case .kernel(let weights, _): 2 + Double(weights.count)
            case .lanczos(let samples, _): 2 + 6 * max(samples, 1)
            case .warp: contents.segment.image.format.isYUV ? 4 : 12
            case .sampler: 40
            }
        return head + 2 + Double(contents.segment.operations.count) + (contents.isBlended ? 2 : 0)
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
