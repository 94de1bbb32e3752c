public import PipGraph

/// What will be drawn for a frame: uploads, passes and read-backs, in order.
///
/// A value; the renderer executes it and decides nothing.
public struct RenderPlan: Sendable, Hashable {
    /// The index of a texture in ``textures``.
    public typealias TextureIndex = Int

    public var textures: [PlannedTexture] = []
    public var steps: [Step] = []
    public var outputs: [Output] = []
    /// The sources whose frames seldom change: pictures, texts.
    public var stills: Set<NodeID> = []
    /// The time of the output from which on another plan is right; nil never.
    public var validUntil: Duration?

    /// A plan that draws nothing.
    package init() {}

    /// One thing to do, each after the one before.
    public enum Step: Sendable, Hashable {
        case upload(Upload)
        case clear(Clear)
        case draw(Pass)
        case keep(Keep)
    }

    /// The passes among the steps.
    public var passes: [Pass] { steps.compactMap { if case .draw(let pass) = $0 { pass } else { nil } } }

    /// The uploads among the steps.
    public var uploads: [Upload] { steps.compactMap { if case .upload(let upload) = $0 { upload } else { nil } } }
}

extension RenderPlan {
    /// What a frame costs, in the units that ``PipPlan`` reasons in.
    public struct Cost: Sendable, Hashable {
        public var passes: Int
        /// Pixels shaded, all passes together.
        public var pixels: Int
        public var bytesUploaded: Int
        /// Read where the cameras wrote them.
        public var bytesShared: Int
        public var bytesReadBack: Int
        public var bytesCopied: Int
    }

    /// Without what is done only when a still picture changes.
    public var cost: Cost {
        let steps = zip(steps, isStepStill).filter { !$0.1 }.map(\.0)
        let passes = steps.compactMap { if case .draw(let pass) = $0 { pass } else { nil } }
        let uploads = steps.compactMap { if case .upload(let upload) = $0 { upload } else { nil } }
        return Cost(
            passes: passes.count, pixels: passes.reduce(0) { $0 + $1.pixels },
            bytesUploaded: uploads.reduce(0) { $1.isShared ? $0 : $0 + $1.byteCount },
            bytesShared: uploads.reduce(0) { $1.isShared ? $0 + $1.byteCount : $0 },
            bytesReadBack: outputs.reduce(0) { $0 + $1.readbacks.reduce(0) { $0 + $1.byteCount } },
            bytesCopied: outputs.reduce(0) { $0 + $1.copies.reduce(0) { $0 + $1.byteCount } })
    }

    /// The sources whose frames it needs.
    public var sources: Set<NodeID> {
        Set(uploads.map(\.source)).union(outputs.flatMap { $0.copies.map(\.source) })
    }
}
