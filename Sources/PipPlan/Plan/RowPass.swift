package import PipEffects
package import PipFrames

/// A draw by the CPU: a segment or a colour, row by row, into all planes of a canvas.
package struct RowPass: Sendable, Hashable {
    /// The name in descriptions and messages: the result and its effects, such as `front: vignette`.
    package var label: String
    /// The segment that is drawn, and the canvas.
    package var contents: PassContents
    /// The rectangles that are drawn, in canvas pixels.
    package var rects: [PixelRect]

    /// Creates a pass that draws rectangles of a canvas.
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
    /// The pass does not run while one of these sources has no frame.
    package var sources: [NodeID] { contents.segment.image.sources }

    /// The number of canvas pixels that the pass covers.
    package var pixels: Int { rects.reduce(0) { $0 + $1.size.area } }

    /// The GLSL functions of effects that the pass calls.
    package var calls: [ShaderCall] { contents.solid == nil ? contents.segment.calls : [] }

    /// True when the pass reads an earlier frame's result.
    var readsHistory: Bool { contents.solid == nil && contents.segment.others.contains(where: \.isHistory) }

    /// True when the result changes at every frame, even while the sources' frames stay the same.
    var changesEveryFrame: Bool {
        readsHistory
            || calls.contains { $0.uniforms.contains { if case .share = $0.value { true } else { false } } }
    }
}

/// A table of a picture that the CPU computes, such as a histogram.
package struct TablePass: Sendable, Hashable {
    /// The name in descriptions, such as `clahe table of front`.
    package var label: String
    /// The shader that computes the table, and the table's size.
    package var step: TableStep
    /// The picture from which the table is computed.
    package var picture: Image
    /// The table that the preceding step computed; nil for the first step.
    package var before: RenderPlan.TextureIndex?
    /// The texture into which the table is written.
    package var target: RenderPlan.TextureIndex

    /// The textures that the pass reads.
    var inputs: [RenderPlan.TextureIndex] { picture.textures + (before.map { [$0] } ?? []) }

    /// The number of pixels that the pass reads, or of texels that it writes if it reads no picture.
    package var pixels: Int { step.readsPicture ? picture.size.area : step.size.area }
}

/// The way in which a plan's passes are drawn: by OpenGL ES, or by the CPU.
///
/// Read ``RenderPlan/executor`` to see which of the two draws a plan.
public enum Executor: String, Sendable, Hashable {
    /// OpenGL ES draws, on the GPU or in a software renderer.
    case gl
    /// The CPU draws, with vector instructions.
    case cpu
}

/// The effects that the CPU can draw.
package struct RowCapabilities: Sendable, Hashable {
    /// The identities of the GLSL functions for which there is vector code: see ``PipEffects/ShaderSource/identity``.
    package var effects: Set<UInt64> = []

    /// Creates the capabilities of a CPU without vector code for effects.
    package init() {}

    /// True when there is vector code for a call's function, and that code reads the formats of the call's textures.
    package func knows(_ call: ShaderCall) -> Bool {
        effects.contains(call.source.identity) && !call.textures.contains { $0.texture.format == .rgba16f }
    }
}
