package import PipEffects
package import PipFrames

/// The work for a frame: uploads, passes, blits and read-backs, in order.
///
/// A value, which the renderer executes without decisions of its own.
public struct RenderPlan: Sendable, Hashable {
    /// The index of a texture in ``textures``.
    package typealias TextureIndex = Int

    /// The executor of the passes.
    ///
    /// OpenGL ES may draw some passes in a plan of the CPU.
    public internal(set) var executor = Executor.gl
    /// The textures that the steps use.
    package var textures: [PlannedTexture] = []
    /// Uploads and passes, in order.
    package var steps: [Step] = []
    /// The frames for sinks, which follow the steps.
    package var outputs: [PlannedOutput] = []
    /// The visible layers of all compositors, keyed by their handles' identities.
    package internal(set) var layers: [NodeID: PlacedLayer] = [:]
    /// The sources whose frames seldom change, such as pictures and texts.
    package var stills: Set<NodeID> = []
    /// The time of the output at which the plan becomes outdated; nil never.
    package var validUntil: Duration?

    /// A plan that draws nothing.
    package init() {}

    /// A step.
    ///
    /// Each step runs after the one before.
    package enum Step: Sendable, Hashable {
        case upload(Upload)
        case clear(Clear)
        case draw(Pass)
        case rows(RowPass)
        case tabulate(TablePass)
        case keep(Keep)
        case transfer(Transfer)
    }

    /// The passes among the steps.
    package var passes: [Pass] { steps.compactMap { if case .draw(let pass) = $0 { pass } else { nil } } }

    /// True when OpenGL ES draws some pictures in a plan of the CPU.
    package var isMixed: Bool { executor == .cpu && !passes.isEmpty }

    /// The passes that the CPU draws, into pictures and into outputs.
    package var rowPasses: [RowPass] {
        (steps + outputs.flatMap { $0.draws?.steps ?? [] }).compactMap {
            if case .rows(let pass) = $0 { pass } else { nil }
        }
    }

    /// The uploads among the steps.
    package var uploads: [Upload] { steps.compactMap { if case .upload(let upload) = $0 { upload } else { nil } } }

    /// The sources whose frames the plan needs.
    package var sources: Set<NodeID> {
        Set(uploads.map(\.source)).union(outputs.flatMap { $0.blits.map(\.source) })
    }
}

/// A texture that a plan needs.
package struct PlannedTexture: Sendable, Hashable {
    /// The contents, such as `/dev/video0 plane 0`.
    package var label: String
    /// The size in texels.
    package var size: PixelSize
    /// The storage of a texel.
    package var format: TexelFormat
    /// The constant contents that fill the texture once; nil for a texture that steps fill.
    package var contents: ConstantTexture?
    /// The filter whose results the texture keeps from frame to frame and from plan to plan; nil for a texture of one
    /// plan.
    package var history: HistoryKey?
}

/// The identity of the picture that a filter keeps from one frame to the next.
package struct HistoryKey: Sendable, Hashable {
    /// The filter.
    package var node: NodeID
    /// The index, from 0, among the places where a plan draws the filter.
    package var occurrence: Int
}

extension RenderPlan {
    /// Makes passes read cameras' planes in place, instead of copies.
    ///
    /// A texture that is drawn into or read back stays a copy, since the memory is the camera's. So does a texture of
    /// three bytes a texel, which no GPU reads.
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

    /// The textures that a step other than an upload writes, or from which outputs are read.
    private var written: Set<TextureIndex> {
        var indices = Set(outputs.flatMap { $0.readbacks.map(\.texture) })
        for step in steps {
            switch step {
            case .upload: continue
            case .clear(let clear): indices.insert(clear.texture)
            case .draw(let pass): indices.formUnion(pass.targets)
            case .rows(let pass): indices.formUnion(pass.targets)
            case .tabulate(let pass): indices.insert(pass.target)
            case .keep(let keep): indices.formUnion([keep.texture, keep.history])
            case .transfer(let transfer): indices.insert(transfer.texture)
            }
        }
        return indices
    }
}

extension SourceFormat {
    /// True when textures can use the memory of the source's frames.
    fileprivate func canBeShared(with capabilities: PlanCapabilities) -> Bool {
        let strides = Set(layout.planes.map(\.strideInBytes))
        return isShareable && (capabilities.renderer.importsStridesOfPlanes || strides.count == 1)
    }
}
