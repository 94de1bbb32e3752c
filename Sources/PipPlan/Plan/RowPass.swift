package import PipEffects
package import PipFrames

/// One draw by the CPU: rows of a segment, into all planes of a canvas.
package struct RowPass: Sendable, Hashable {
    /// The result and what is done for it, such as `front: vignette`.
    package var label: String
    /// What is drawn.
    package var contents: PassContents
    /// In canvas pixels.
    package var rects: [PixelRect]

    /// A draw of rectangles of a canvas.
    package init(label: String, contents: PassContents, rects: [PixelRect]) {
        self.label = label
        self.contents = contents
        self.rects = rects
    }

    /// The textures that it writes.
    package var targets: [RenderPlan.TextureIndex] { contents.canvas.textures }

    /// The textures that it reads, its targets left out.
    package var inputs: [RenderPlan.TextureIndex] {
        if contents.solid != nil { return [] }
        let read = contents.segment.image.textures + contents.segment.others.flatMap(\.image.textures)
        return read.filter { !targets.contains($0) }
    }

    /// The sources whose frames it shows; without a frame of each, it is left out.
    package var sources: [NodeID] { contents.segment.image.sources }

    /// Pixels of the canvas that it covers.
    package var pixels: Int { rects.reduce(0) { $0 + $1.size.area } }

    /// The GLSL functions of effects that it calls.
    package var calls: [ShaderCall] { contents.solid == nil ? contents.segment.calls : [] }

    /// True when it reads what an earlier frame left.
    var readsHistory: Bool { contents.solid == nil && contents.segment.others.contains(where: \.isHistory) }

    /// True when it has another result at every frame, whatever its sources show.
    var isRestless: Bool {
        readsHistory
            || calls.contains { $0.uniforms.contains { if case .share = $0.value { true } else { false } } }
    }
}

/// A table of a picture that the CPU makes.
package struct TablePass: Sendable, Hashable {
    /// The result, such as `clahe table of front`.
    package var label: String
    /// The shader that makes it, and its size.
    package var step: TableStep
    /// The picture that is read.
    package var picture: Image
    /// The table that the step before made; nil for the first.
    package var before: RenderPlan.TextureIndex?
    /// The texture that it becomes.
    package var target: RenderPlan.TextureIndex

    /// The textures that it reads.
    var inputs: [RenderPlan.TextureIndex] { picture.textures + (before.map { [$0] } ?? []) }

    /// Pixels or texels that it looks at.
    package var pixels: Int { step.readsPicture ? picture.size.area : step.size.area }
}

/// What draws the passes of a plan.
public enum Executor: String, Sendable, Hashable {
    /// OpenGL ES.
    case gl
    /// The vector units of the CPU.
    case cpu
}

/// The CPU as an executor of plans, as far as plans depend on it.
package struct RowCapabilities: Sendable, Hashable {
    /// The GLSL functions of which there is vector code, by ``PipEffects/ShaderSource/identity``.
    package var effects: Set<UInt64> = []

    /// One that knows no effects.
    package init() {}

    /// True when it can call a function.
    package func knows(_ call: ShaderCall) -> Bool { effects.contains(call.source.identity) }
}
