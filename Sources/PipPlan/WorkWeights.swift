/// How long a machine takes for what plans are made of, in nanoseconds: what a pass, an upload or a copy costs there.
///
/// Plans that draw the same picture are compared by it. A pass counts by its pixels alone: one that reads many texels
/// takes several times as long.
public struct WorkWeights: Sendable, Hashable {
    /// A pixel of a pass, four samples to a pixel: of a processor's time where the CPU draws, else of the GPU's.
    public var pixel: Double
    /// A byte uploaded or read back.
    public var movedByte: Double
    /// A byte that the CPU writes into an output as it is in a frame.
    public var copiedByte: Double
    /// A byte whose value it changes on the way, or takes out of packed samples.
    public var changedByte: Double
    /// A byte that it reads for a mean of several.
    public var averagedByte: Double
    /// Two bytes that a kernel adds to another one.
    public var filteredByte: Double
    /// A byte that it reads to make a plane smaller or larger, other than by whole means.
    public var scaledByte: Double

    public init(
        pixel: Double, movedByte: Double, copiedByte: Double, changedByte: Double, averagedByte: Double,
        filteredByte: Double, scaledByte: Double
    ) {
        self.pixel = pixel
        self.movedByte = movedByte
        self.copiedByte = copiedByte
        self.changedByte = changedByte
        self.averagedByte = averagedByte
        self.filteredByte = filteredByte
        self.scaledByte = scaledByte
    }

    /// Of a machine that was not measured.
    public static func typical(shadesOnCPU: Bool) -> WorkWeights {
        WorkWeights(
            pixel: shadesOnCPU ? 5 : 0.02, movedByte: 0.2, copiedByte: 0.1, changedByte: 0.6, averagedByte: 0.2,
            filteredByte: 0.1, scaledByte: 0.3)
    }
}

extension RenderPlan {
    /// Whether the CPU writes something that could be drawn.
    var copiesLayers: Bool { outputs.contains { !$0.copies.isEmpty } }

    /// How long a frame takes, in nanoseconds, without what is done only when a still picture changes.
    public func time(by weights: WorkWeights) -> Double {
        let cost = cost
        let copied = outputs.reduce(0) { $0 + $1.copies.reduce(0) { $0 + $1.time(by: weights) } }
        return Double(cost.pixels) * weights.pixel
            + Double(cost.bytesUploaded + cost.bytesReadBack) * weights.movedByte + copied
    }
}

extension PlaneCopy {
    fileprivate func time(by weights: WorkWeights) -> Double {
        let mean = conversion.samples.mean
        if conversion == PlaneConversion() { return Double(byteCount) * weights.copiedByte }
        var time = 0.0
        if mean > 1 { time += Double(mean * mean) * weights.averagedByte }
        if let scaling = conversion.scaling { time += scaling.work * weights.scaledByte }
        if let kernel = conversion.kernel { time += Double(kernel.work) * weights.filteredByte }
        let isTaken = mean == 1 && conversion.scaling == nil && conversion.kernel == nil
        if conversion.values != .same || isTaken { time += weights.changedByte }
        return Double(byteCount) * time
    }
}
