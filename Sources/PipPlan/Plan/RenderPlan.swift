package import PipEffects
package import PipFrames

/// The work for a frame: uploads, passes, blits and read-backs, in order.
///
/// The plan is a value. The renderer leaves out only the steps that no due output needs, whose results are unchanged,
/// or whose sources have no frames.
public struct RenderPlan: Sendable, Hashable {
    /// The index of a texture in ``textures``.
    package typealias TextureIndex = Int

    /// The executor that draws the passes.
    ///
    /// OpenGL ES may draw some passes of a CPU plan.
    public internal(set) var executor = Executor.gl
    /// The textures that the steps use.
    package var textures: [PlannedTexture] = []
    /// The uploads, passes and other steps, in order.
    package var steps: [Step] = []
    /// The frames for the sinks, which are made after the steps.
    package var outputs: [PlannedOutput] = []
    /// The layers of the drawn compositors that have frames, lie on the canvas and are not invisible, keyed by layer.
    ///
    /// Other layers may hide these layers.
    package internal(set) var layers: [NodeID: PlacedLayer] = [:]
    /// The sources whose frames seldom change, such as pictures and texts.
    package var stills: Set<NodeID> = []
    /// The time of the output from which the plan is outdated; nil for a plan that never is outdated.
    package var validUntil: Duration?

    /// Creates a plan that draws nothing.
    package init() {}

    /// An upload, a pass, or another piece of work on textures.
    ///
    /// Each step runs after the preceding one.
    package enum Step: Sendable, Hashable {
        case upload(Upload)
        case clear(Clear)
        case draw(Pass)
        case rows(RowPass)
        case tabulate(TablePass)
        case keep(Keep)
        case transfer(Transfer)
    }

    /// The passes that OpenGL ES draws.
    package var passes: [Pass] { steps.compactMap { if case .draw(let pass) = $0 { pass } else { nil } } }

    /// True when OpenGL ES draws some pictures in a plan of the CPU.
    package var isMixed: Bool { executor == .cpu && !passes.isEmpty }

    /// The passes that the CPU draws, into pictures and into outputs.
    package var rowPasses: [RowPass] {
        (steps + outputs.flatMap { $0.draws?.steps ?? [] }).compactMap {
            if case .rows(let pass) = $0 { pass } else { nil }
        }
    }

    /// The steps that copy or import planes of sources' frames.
    package var uploads: [Upload] { steps.compactMap { if case .upload(let upload) = $0 { upload } else { nil } } }

    /// The sources whose frames the plan reads.
    package var sources: Set<NodeID> {
        Set(uploads.map(\.source)).union(outputs.flatMap { $0.blits.map(\.source) })
    }
}

/// A texture that a plan needs.
package struct PlannedTexture: Sendable, Hashable {
    /// The name in labels, such as `/dev/video0 plane 0`.
    package var label: String
    /// The size of the texture, in texels.
    package var size: PixelSize
    /// The format of the texels, such as `rgba8`.
    package var format: TexelFormat
    /// The constant contents that fill the texture once; nil for a texture that steps fill.
    package var contents: ConstantTexture?
    /// The filter whose results the texture keeps from frame to frame and from plan to plan.
    ///
    /// Nil for any other texture.
    package var history: HistoryKey?
}

/// The identity of a picture that a filter keeps from frame to frame.
package struct HistoryKey: Sendable, Hashable {
    /// The node of the filter.
    package var node: NodeID
    /// The number of earlier histories of the same filter in the plan.
    package var occurrence: Int
}

extension RenderPlan {
    /// Makes passes read sources' planes in place, without copies, if the GPU can import the planes' memory.
    ///
    /// A texture that is drawn into or read back is still filled by a copy, since the memory belongs to the source. A
    /// texture with three bytes to a texel is filled by a copy, too.
    mutating func shareUploads(of sources: [NodeID: SourceFormat], _ capabilities: PlanCapabilities) {
        guard capabilities.hasBufferImport, !passes.isEmpty else { return }
        let written = written
        for index in steps.indices {
            guard case .upload(var upload) = steps[index], !written.contains(upload.texture),
                textures[upload.texture].format != .rgb8,
                sources[upload.source]?.canBeShared(with: capabilities) == true
            else { continue }
            upload.isShared = true
            steps[index] = .upload(upload)
        }
    }

    /// The textures that a step other than an upload writes or transfers, or that outputs are read back from.
    private var written: Set<TextureIndex> {
        var indices = Set(outputs.flatMap { $0.readbacks.map(\.texture) })
        for step in steps {
            if case .upload = step { continue }
            indices.formUnion(step.targets + (step.result.map { [$0] } ?? []))
        }
        return indices
    }
}

extension SourceFormat {
    /// True when a GPU can use the memory of the source's frames as textures.
    fileprivate func canBeShared(with capabilities: PlanCapabilities) -> Bool {
        let strides = Set(layout.planes.map(\.strideInBytes))
        return isShareable && (capabilities.renderer.importsStridesOfPlanes || strides.count == 1)
    }
}
