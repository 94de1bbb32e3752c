/// How long a machine takes for what plans are made of, in nanoseconds: what a pass, an upload or a copy costs there.
///
/// Plans that draw the same picture are compared by it. A pass counts by its pixels alone: one that reads many texels takes several times as long.
public struct WorkWeights: Sendable, Hashable {
    /// A pixel of a pass, four samples to a pixel: of a processor's time where the CPU draws, else of the GPU's.
    public var pixel: Double
    /// A byte uploaded or read back.
    public var movedByte: Double
    /// A byte that the CPU reads to write an output without drawing.
    public var copiedByte: Double

    public init(pixel: Double, movedByte: Double, copiedByte: Double) {
        self.pixel = pixel
        self.movedByte = movedByte
        self.copiedByte = copiedByte
    }

    /// Of a machine that was not measured.
    public static func typical(isSoftware: Bool) -> WorkWeights {
        WorkWeights(pixel: isSoftware ? 5 : 0.02, movedByte: 0.35, copiedByte: 0.25)
    }
}

extension RenderPlan {
    /// Whether the CPU writes something that could be drawn.
    var copiesLayers: Bool { outputs.contains { !$0.copies.isEmpty } }

    /// How long a frame takes, in nanoseconds, without what is done only when a still picture changes.
    public func time(by weights: WorkWeights) -> Double {
        let cost = cost
        let copied = outputs.reduce(0) { $0 + $1.copies.reduce(0) { $0 + $1.bytesRead } }
        return Double(cost.pixels) * weights.pixel
            + Double(cost.bytesUploaded + cost.bytesReadBack) * weights.movedByte + Double(copied) * weights.copiedByte
    }
}

extension PlaneCopy {
    /// The samples that it looks at, in bytes.
    fileprivate var bytesRead: Int {
        switch conversion.samples {
        case .plane(let mean), .packedLuma(_, let mean), .packedChroma(_, let mean): byteCount * mean * mean
        }
    }
}
