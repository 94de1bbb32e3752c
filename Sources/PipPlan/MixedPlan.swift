internal import PipEffects
internal import PipFrames
internal import PipGraph

/// The passes of a CPU plan that OpenGL ES draws, and the memory that holds each texture.
///
/// OpenGL ES draws the effects for which the CPU has no code, and those that a GPU draws faster, transfers included.
struct MixedPlan {
    /// The capabilities of OpenGL ES.
    let capabilities: PlanCapabilities
    /// The textures whose contents OpenGL ES has.
    private var inOpenGL: Set<RenderPlan.TextureIndex> = []
    /// The textures whose contents OpenGL ES has and the CPU lacks.
    private var onlyInOpenGL: Set<RenderPlan.TextureIndex> = []

    init(_ capabilities: PlanCapabilities) { self.capabilities = capabilities }

    /// Returns the transfers that a pass needs before OpenGL ES draws it; nil when the CPU draws the pass.
    ///
    /// Records that only OpenGL ES has the contents of the pass's targets from then on.
    mutating func take(_ pass: RowPass, _ textures: [PlannedTexture]) -> [RenderPlan.Step]? {
        guard isForOpenGL(pass, textures) else { return nil }
        let missing = pass.inputs.filter { inOpenGL.insert($0).inserted }
        inOpenGL.formUnion(pass.targets)
        onlyInOpenGL.formUnion(pass.targets)
        return missing.map { Self.transfer($0, textures, to: .gl, of: pass.sources) }
    }

    /// True when OpenGL ES should draw a pass, because the CPU cannot, or because a GPU is faster.
    private func isForOpenGL(_ pass: RowPass, _ textures: [PlannedTexture]) -> Bool {
        // OpenGL ES draws whole pictures. The CPU draws compositions, outputs included, and passes that read an earlier
        // frame's result.
        guard pass.contents.isPicture, !pass.readsHistory, let target = pass.targets.first else { return false }
        guard capabilities.hasFloatTargets || textures[target].format != .rgba32f else { return false }
        if pass.calls.contains(where: { !capabilities.rows.knows($0) }) { return true }
        guard !capabilities.renderer.shadesOnCPU else { return false }
        let weights = capabilities.workWeights
        let moved = Set(pass.inputs).subtracting(inOpenGL).union([target]).reduce(0) { $0 + textures[$1].byteCount }
        let time = Double(pass.pixels) * weights.pixel + Double(moved) * weights.movedByte
        return time < Double(pass.pixels) * pass.work * weights.rowPixel
    }

    /// True when the segment must be drawn before further steps, because it calls a function that the CPU lacks.
    func needsOwnPicture(_ segment: Segment) -> Bool { segment.calls.contains { !capabilities.rows.knows($0) } }

    /// Returns the steps that transfer textures to the CPU, if only OpenGL ES has their contents.
    mutating func fetch(
        _ read: [RenderPlan.TextureIndex], _ textures: [PlannedTexture], of sources: [NodeID]
    ) -> [RenderPlan.Step] {
        let missing = read.filter { onlyInOpenGL.remove($0) != nil }
        return missing.map { Self.transfer($0, textures, to: .cpu, of: sources) }
    }

    /// Records that the CPU has changed textures, so that OpenGL ES needs them again.
    mutating func changed(_ textures: [RenderPlan.TextureIndex]) { inOpenGL.subtract(textures) }

    private static func transfer(
        _ texture: RenderPlan.TextureIndex, _ textures: [PlannedTexture], to executor: Executor, of sources: [NodeID]
    ) -> RenderPlan.Step {
        .transfer(
            Transfer(texture: texture, executor: executor, sources: sources, byteCount: textures[texture].byteCount))
    }
}

extension PlannedTexture {
    fileprivate var byteCount: Int { size.area * format.bytesPerTexel }
}
