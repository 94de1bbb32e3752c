internal import PipEffects
internal import PipFrames
internal import PipGraph

/// Operations that read tables of the whole picture.
extension ChainBuilder {
    /// Leaves a function that reads a table for the pass that draws what follows.
    ///
    /// `operations` are done to the picture before its table is made.
    mutating func tabulate(
        _ tabulation: Tabulation, of operations: [EffectOperation], _ call: ShaderCall, _ step: ChainStep,
        in plan: inout PlanBuilder
    ) throws(GraphError) {
        let operations = operations.flatMap(\.flattened)
        // What only becomes smaller is drawn from the source again.
        let isDirect = isSource && operations.first?.traits.isReduction == true
        if !isDirect { try prepareToRead(turned: step.turned, in: &plan) }
        var branch = self
        for operation in operations { try branch.append(step.with(operation), to: &plan) }
        let image = try branch.table(tabulation, step, in: &plan)
        let table = SecondPicture(image: image, place: .identity, isSameSize: false, isTable: true)
        // Positions are those of the picture that was counted: what is seen of the whole one.
        let size = size(turned: step.turned)
        let positions = place(turned: step.turned).then(.scale(1 / Double(size.width), 1 / Double(size.height)))
        segment.append(.combine(call, positions, [table]))
        noteChange(step.label)
    }

    /// Draws the picture, and makes the last of its tables.
    mutating func table(
        _ tabulation: Tabulation, _ step: ChainStep, in plan: inout PlanBuilder
    ) throws(GraphError) -> Image {
        try prepareToRead(turned: step.turned, in: &plan)
        var image = segment.image
        image.alpha = .none
        for table in tabulation.steps {
            let texture = try plan.addTable(table, label: step.label, of: segment.image, after: image.textures.first)
            image.textures = [texture]
            image.size = table.size
        }
        return image
    }
}

extension PlanBuilder {
    /// Adds the pass that makes a table.
    ///
    /// `before`: The table, or the picture, that it is made from beside the picture.
    fileprivate mutating func addTable(
        _ step: TableStep, label: String, of picture: Image, after before: RenderPlan.TextureIndex?
    ) throws(GraphError) -> RenderPlan.TextureIndex {
        var writer = ProgramWriter()
        if picture.alpha != .none { writer.define("ALPHA") }
        writer.add(LibraryShader.table)
        writer.add(step.call, as: "tabulate")
        writer.add(ShaderSource("main", "void main() { tabulate(); }\n"))
        writer.add(
            Uniform("pictureSize", .integers2(Int32(picture.size.width), Int32(picture.size.height))))
        let texture = try addTexture("\(label) table of \(picture.label)", step.size, .rgba32f)
        var inputs = zip(["picture", "table"], [picture.textures.first, before]).compactMap { sampler, texture in
            texture.map { PassInput(sampler: sampler, texture: $0) }
        }
        for (sampler, contents) in writer.constants {
            inputs.append(PassInput(sampler: sampler, texture: try self.texture(of: contents)))
        }
        plan.steps.append(
            .draw(
                Pass(
                    label: "\(label) table of \(picture.label)", program: writer.program, targets: [texture],
                    regions: [], blending: .none, inputs: inputs, uniforms: writer.uniforms,
                    sources: picture.sources, history: nil,
                    pixels: step.readsPicture ? picture.size.area : step.size.area, groups: step.groups)))
        return texture
    }
}
