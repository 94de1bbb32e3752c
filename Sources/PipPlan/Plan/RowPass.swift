package import PipEffects
package import PipFrames

/// One draw by the CPU: rows of a segment, into all planes of a canvas.
package struct RowPass: Sendable, Hashable {
    /// The result and the effects that lead to it, such as `front: vignette`.
    package var label: String
    /// The contents that are drawn.
    package var contents: PassContents
    /// The rectangles in canvas pixels.
    package var rects: [PixelRect]

    /// A pass that draws rectangles of a canvas.
    package init(label: String, contents: PassContents, rects: [PixelRect]) {
        self.label = label
        self.contents = contents
        self.rects = rects
    }

    /// The textures that the pass writes.
    package var targets: [RenderPlan.TextureIndex] { contents.canvas.textures }

    /// The textures that the pass reads, without its targets.
    package var inputs: [RenderPlan.TextureIndex] {
        if contents.solid != nil { return [] }
        let read = contents.segment.image.textures + contents.segment.others.flatMap(\.image.textures)
        return read.filter { !targets.contains($0) }
    }

    /// The sources whose frames the pass shows.
    ///
    /// The pass does not run while one of them has no frame.
    package var sources: [NodeID] { contents.segment.image.sources }

    /// The canvas pixels that the pass covers.
    package var pixels: Int { rects.reduce(0) { $0 + $1.size.area } }

    /// The GLSL functions of effects that the pass calls.
    package var calls: [ShaderCall] { contents.solid == nil ? contents.segment.calls : [] }

    /// True when the pass reads a result of an earlier frame.
    var readsHistory: Bool { contents.solid == nil && contents.segment.others.contains(where: \.isHistory) }

    /// True when the result changes at every frame, whatever the sources show.
    var changesEveryFrame: Bool {
        readsHistory
            || calls.contains { $0.uniforms.contains { if case .share = $0.value { true } else { false } } }
    }
}

/// A table of a picture, made by the CPU.
package struct TablePass: Sendable, Hashable {
    /// The result, such as `clahe table of front`.
    package var label: String
    /// The shader that makes the table, and its size.
    package var step: TableStep
    /// The picture that is read.
    package var picture: Image
    /// The table of the step before; nil for the first step.
    package var before: RenderPlan.TextureIndex?
    /// The texture of the table.
    package var target: RenderPlan.TextureIndex

    /// The textures that the pass reads.
    var inputs: [RenderPlan.TextureIndex] { picture.textures + (before.map { [$0] } ?? []) }

    /// The pixels or texels that the pass reads.
    package var pixels: Int { step.readsPicture ? picture.size.area : step.size.area }
}

/// The executor of a plan's passes.
///
/// Read it to see whether the GPU draws.
public enum Executor: String, Sendable, Hashable {
    /// OpenGL ES.
    case gl
    /// The vector units of the CPU.
    case cpu
}

/// The capabilities of the CPU as an executor, as far as plans depend on them.
package struct RowCapabilities: Sendable, Hashable {
    /// The GLSL functions with vector code, by ``PipEffects/ShaderSource/identity``.
    package var effects: Set<UInt64> = []

    /// The capabilities of a CPU that knows no effects.
    package init() {}

    /// True when the CPU can call a function.
    package func knows(_ call: ShaderCall) -> Bool { effects.contains(call.source.identity) }
}
