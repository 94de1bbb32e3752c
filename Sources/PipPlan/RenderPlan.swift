public import PipFrames
public import PipGraph
public import PipShaders

/// What will be drawn for a frame: uploads, passes and read-backs, in order.
///
/// A value; the renderer executes it and decides nothing.
public struct RenderPlan: Sendable, Hashable {
    /// The index of a texture in ``textures``.
    public typealias TextureIndex = Int

    public var textures: [PlannedTexture] = []
    public var steps: [Step] = []
    public var outputs: [Output] = []

    /// A plan that draws nothing.
    package init() {}

    /// One thing to do, each after the one before.
    public enum Step: Sendable, Hashable {
        case upload(Upload)
        case clear(Clear)
        case draw(Pass)
    }

    /// The passes among the steps.
    public var passes: [Pass] { steps.compactMap { if case .draw(let pass) = $0 { pass } else { nil } } }

    /// The uploads among the steps.
    public var uploads: [Upload] { steps.compactMap { if case .upload(let upload) = $0 { upload } else { nil } } }
}

/// How a texel is stored.
public enum TexelFormat: String, Sendable, Hashable {
    case r8, rg8, rgb8, rgba8, rg32f, rgba16f, rgba32f

    public var bytesPerTexel: Int {
        switch self {
        case .r8: 1
        case .rg8: 2
        case .rgb8: 3
        case .rgba8: 4
        case .rg32f, .rgba16f: 8
        case .rgba32f: 16
        }
    }
}

/// A texture that a plan needs.
public struct PlannedTexture: Sendable, Hashable {
    /// What it holds, such as `/dev/video0 plane 0`.
    public var label: String
    /// In texels.
    public var size: PixelSize
    public var format: TexelFormat
    /// The curve whose values fill it once; nil for a texture that a frame's steps fill.
    public var curve: Curve?
}

/// A plane of a source's frame, or a part of it, to be copied into a texture.
public struct Upload: Sendable, Hashable {
    public var source: NodeID
    public var plane: Int
    public var texture: RenderPlan.TextureIndex
    /// In texels of the plane.
    ///
    /// It goes to the texture's upper left corner.
    public var region: PixelRect
    public var bytesPerTexel: Int

    public var byteCount: Int { region.size.area * bytesPerTexel }
}

/// A texture to be filled with one value.
public struct Clear: Sendable, Hashable {
    public var texture: RenderPlan.TextureIndex
    public var red: Float
    public var green: Float
    public var blue: Float
    public var alpha: Float
}

/// One draw.
public struct Pass: Sendable, Hashable {
    /// What it draws, such as `luma of front: brightness, contrast`.
    public var label: String
    public var program: FragmentProgram
    public var target: RenderPlan.TextureIndex
    /// In texels of the target; at most eight.
    public var regions: [PixelRect]
    public var blending: Blending
    /// The textures by the names of their samplers.
    public var inputs: [PassInput]
    public var uniforms: [Uniform]
    /// The sources whose frames it shows; without a frame of each, it is left out.
    public var sources: [NodeID]
    /// Pixels of the canvas (or of the intermediate picture) that it covers.
    public var pixels: Int

    public enum Blending: String, Sendable, Hashable {
        /// The target takes the result.
        case none
        /// Result plus target times (1 - result's alpha).
        case premultiplied
        /// Result plus target times weight, part by part.
        case weighted
    }
}

/// A texture and the sampler that reads it.
public struct PassInput: Sendable, Hashable {
    public var sampler: String
    public var texture: RenderPlan.TextureIndex
}

/// The text of a fragment shader, in parts that keep the names of their files.
public struct FragmentProgram: Sendable, Hashable {
    public var parts: [ShaderSource]

    public init(parts: [ShaderSource]) { self.parts = parts }
}

/// Frames of one format, made of copies and read-backs, for one or more sinks.
public struct Output: Sendable, Hashable {
    public var layout: FrameLayout
    public var colorimetry: Colorimetry
    public var sinks: [NodeID]
    /// Planes that are copied from a source's frame as they are, before the read-backs.
    public var copies: [PlaneCopy]
    public var readbacks: [Readback]
    /// The sources that it shows; their timestamps tell the frame's age.
    public var sources: [NodeID]
}

/// A plane that a source's frame and an output have in common.
public struct PlaneCopy: Sendable, Hashable {
    public var source: NodeID
    public var plane: Int
    public var byteCount: Int
}

/// A part of a texture to be copied into a plane of an output.
public struct Readback: Sendable, Hashable {
    public var texture: RenderPlan.TextureIndex
    /// In texels.
    public var region: PixelRect
    public var plane: Int
    /// Bytes from the plane's first sample to where the region's first texel goes.
    public var offset: Int
    public var bytesPerTexel: Int

    public var byteCount: Int { region.size.area * bytesPerTexel }
}

extension RenderPlan {
    /// What a frame costs, in the units that ``PipPlan`` reasons in.
    public struct Cost: Sendable, Hashable {
        public var passes: Int
        /// Pixels shaded, all passes together.
        public var pixels: Int
        public var bytesUploaded: Int
        public var bytesReadBack: Int
        public var bytesCopied: Int
    }

    public var cost: Cost {
        Cost(
            passes: passes.count, pixels: passes.reduce(0) { $0 + $1.pixels },
            bytesUploaded: uploads.reduce(0) { $0 + $1.byteCount },
            bytesReadBack: outputs.reduce(0) { $0 + $1.readbacks.reduce(0) { $0 + $1.byteCount } },
            bytesCopied: outputs.reduce(0) { $0 + $1.copies.reduce(0) { $0 + $1.byteCount } })
    }

    /// The sources whose frames it needs.
    public var sources: Set<NodeID> {
        Set(uploads.map(\.source)).union(outputs.flatMap { $0.copies.map(\.source) })
    }
}
