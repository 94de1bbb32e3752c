internal import PipEffects
internal import PipFrames
internal import PipGraph

/// The pictures in a plan of the CPU that OpenGL ES draws, and the location of their textures.
///
/// OpenGL ES draws the effects that the CPU does not know, and the effects that a GPU draws faster, including the
/// transfers there and back.
struct MixedPlan {
    /// The capabilities of OpenGL ES.
    let capabilities: PlanCapabilities
    /// Textures whose contents OpenGL ES has.
    private var inOpenGL: Set<RenderPlan.TextureIndex> = []
    /// Textures whose contents only OpenGL ES has.
    private var onlyInOpenGL: Set<RenderPlan.TextureIndex> = []

    init(_ capabilities: PlanCapabilities) { self.capabilities = capabilities }

    /// The steps that bring the textures of a pass to OpenGL ES, which draws it; nil for a pass of the CPU.
    mutating func take(_ pass: RowPass, _ textures: [PlannedTexture]) -> [RenderPlan.Step]? {
        guard isForOpenGL(pass, textures) else { return nil }
        let missing = pass.inputs.filter { inOpenGL.insert($0).inserted }
        inOpenGL.formUnion(pass.targets)
        onlyInOpenGL.formUnion(pass.targets)
        return missing.map { Self.transfer($0, textures, to: .gl, of: pass.sources) }
    }

    /// True when OpenGL ES should draw a pass, because the CPU cannot or a GPU is faster.
    private func isForOpenGL(_ pass: RowPass, _ textures: [PlannedTexture]) -> Bool {
        let contents = pass.contents
        // OpenGL ES draws whole pictures. The CPU draws outputs, and pictures that lie over others.
        guard contents.replaces, !contents.canvas.isYUV, !pass.readsHistory, let target = pass.targets.first else {
            return false
        }
        guard capabilities.hasFloatTargets || textures[target].format != .rgba32f else { return false }
        if pass.calls.contains(where: { !capabilities.rows.knows($0) }) { return true }
        guard !capabilities.renderer.shadesOnCPU else { return false }
        let weights = capabilities.workWeights
        let moved = Set(pass.inputs).subtracting(inOpenGL).union([target]).reduce(0) { $0 + textures[$1].byteCount }
        let time = Double(pass.pixels) * weights.pixel + Double(moved) * weights.movedByte
        return time < Double(pass.pixels) * pass.work * weights.rowPixel
    }

    /// True when a segment needs a picture of its own, because the CPU cannot draw the following steps with it.
    func needsOwnPicture(_ segment: Segment) -> Bool { segment.calls.contains { !capabilities.rows.knows($0) } }

    /// The steps that bring textures to the CPU that only OpenGL ES has.
    mutating func fetch(
        _ read: [RenderPlan.TextureIndex], _ textures: [PlannedTexture], of sources: [NodeID]
    ) -> [RenderPlan.Step] {
        let missing = read.filter { onlyInOpenGL.remove($0) != nil }
        return missing.map { Self.transfer($0, textures, to: .cpu, of: sources) }
    }

    /// Records that the CPU changes textures.
    mutating func changed(_ textures: [RenderPlan.TextureIndex]) { inOpenGL.subtract(textures) }

    private static func transfer(
        _ texture: RenderPlan.TextureIndex, _ textures: [PlannedTexture], to executor: Executor, of sources: [NodeID]
    ) -> RenderPlan.Step {
        .transfer(
            Transfer(texture: texture, executor: executor, sources: sources, byteCount: textures[texture].byteCount))
    }
}

extension PlannedTexture {
    /// Bytes of the texture's texels.
    fileprivate var byteCount: Int { size.area * format.bytesPerTexel }
}
