internal import PipEffects
internal import PipFrames
internal import PipGraph

/// Planning of operations that read the picture at any position, or that read several pictures.
extension ChainBuilder {
    /// Mixes the picture with the results of other operations on the same picture.
    mutating func combine(
        with branches: [[EffectOperation]], _ call: ShaderCall, _ step: ChainStep, in plan: inout PlanBuilder
    ) throws(GraphError) {
        let branches = branches.map { operations in
            operations.flatMap(\.flattened).filter { if case .turned = $0.traits.framing { false } else { true } }
        }
        // Branches that begin with a reduction read the source again, which is cheaper than a full-size copy of the
        // picture.
        let isDirect = isSource && branches.allSatisfy { $0.first?.traits.isReduction == true }
        if !isDirect { try prepareToRead(turned: step.turned, in: &plan) }
        var others: [SecondPicture] = []
        for operations in branches {
            others.append(try branch(operations, step, in: &plan))
        }
        segment.append(.combine(call, .identity, others))
        recordChange(step.label)
    }

    /// Draws one branch: the picture with other operations applied.
    ///
    /// Steps that need the same result share one picture.
    private func branch(
        _ operations: [EffectOperation], _ step: ChainStep, in plan: inout PlanBuilder
    ) throws(GraphError) -> SecondPicture {
        let key = BranchKey(
            textures: segment.image.textures, place: segment.place, reducedSize: reducedSize, turned: step.turned,
            node: step.node, operations: operations)
        let isShared = isPicture && !operations.contains(where: \.traits.keepsHistory)
        if isShared, let picture = plan.branches[key] { return picture }
        var branch = self
        for operation in operations { try branch.append(step.with(operation), to: &plan) }
        if operations.last?.traits.isUniform != true { try branch.prepareToRead(turned: step.turned, in: &plan) }
        let image = branch.segment.image
        let picture = SecondPicture(
            image: image, place: branch.segment.place, isSameSize: image.size == size(turned: step.turned))
        if isShared { plan.branches[key] = picture }
        return picture
    }

    /// Mixes the picture with the previous frame's result, and keeps the new result for the next frame.
    mutating func remember(
        _ call: ShaderCall, _ step: ChainStep, in plan: inout PlanBuilder
    ) throws(GraphError) {
        // With 8 bits, the mix would stop before it reaches the picture, since a tenth of a small difference rounds to
        // nothing. With 16 bits, the mix ends within one 8-bit step of the picture.
        let capabilities = plan.input.capabilities
        let texel: TexelFormat =
            capabilities.hasFloatTargets ? .rgba32f : capabilities.hasHalfFloatTargets ? .rgba16f : .rgba8
        let size = size(turned: step.turned)
        let label = "\(step.label) of \(layer.image.label), the frame before"
        let history = try plan.addHistory(label, size, texel, of: step.node)
        var image = segment.image
        image.alpha = segment.hasAlpha ? .premultiplied : .none
        (image.size, image.format, image.isPacked, image.textures) = (size, .rgba, false, [history])
        let previous = SecondPicture(
            image: image, place: place(turned: step.turned), isSameSize: true, isHistory: true)
        segment.append(.combine(call, .identity, [previous]))
        recordChange(step.label)
        try materialize(turned: step.turned, as: texel, in: &plan)
        plan.fetch(segment.image.textures, of: segment.image.sources)
        plan.plan.steps.append(
            .keep(Keep(texture: segment.image.textures[0], history: history, sources: segment.image.sources)))
    }

    /// Draws the picture at a `factor`-th of its width and height, rounded up.
    mutating func shrink(by factor: Int, _ step: ChainStep, in plan: inout PlanBuilder) throws(GraphError) {
        let size = size(turned: step.turned).dividedUp(by: max(factor, 1))
        try shrink(to: size, isClamped: true, step, in: &plan)
    }

    /// Averages the picture down to one pixel, by repeated means of 8×8 pixels.
    mutating func average(_ step: ChainStep, in plan: inout PlanBuilder) throws(GraphError) {
        repeat {
            let size = size(turned: step.turned).dividedUp(by: 8)
            try shrink(to: size, isClamped: false, step, in: &plan)
        } while size(turned: step.turned) != PixelSize(1, 1)
    }

    private mutating func shrink(
        to size: PixelSize, isClamped: Bool, _ step: ChainStep, in plan: inout PlanBuilder
    ) throws(GraphError) {
        if !isSource { try prepareToRead(turned: step.turned, in: &plan) }
        segment.effects.append("\(step.label) smaller")
        reducedSize = size
        try materialize(turned: step.turned, isClamped: isClamped, in: &plan)
    }

    /// True when the segment reads a source, or a drawn picture, without changing pixels.
    var isSource: Bool { segment.isBare && segment.effects.isEmpty }

    /// Ends a chain: if its last operation has reduced the picture, the next pass enlarges the picture to full size.
    mutating func finish(turned: Orientation, in plan: inout PlanBuilder) throws(GraphError) {
        guard reducedSize != nil else { return }
        // Effects that fetch texels need the picture at its own size.
        if !isSource { try materialize(turned: turned, isClamped: true, in: &plan) }
        reducedSize = nil
    }
}

/// The key of a branch's picture.
///
/// Two steps with equal keys share one picture.
struct BranchKey: Hashable {
    var textures: [RenderPlan.TextureIndex]
    var place: Mapping
    var reducedSize: PixelSize?
    var turned: Orientation
    var node: NodeID
    var operations: [EffectOperation]
}

extension PixelSize {
    /// The size divided by a factor in each direction, rounded up.
    fileprivate func dividedUp(by factor: Int) -> PixelSize {
        PixelSize(width.dividedUp(by: factor), height.dividedUp(by: factor))
    }
}

/// Planning of operations that read a table of the whole picture, such as a histogram.
extension ChainBuilder {
    /// Adds a function that computes each pixel from the pixel and a table of the whole picture.
    ///
    /// The pass that draws the following steps calls the function. `operations` are applied to the picture before the
    /// table is made.
    mutating func tabulate(
        _ tabulation: Tabulation, of operations: [EffectOperation], _ call: ShaderCall, _ step: ChainStep,
        in plan: inout PlanBuilder
    ) throws(GraphError) {
        let operations = operations.flatMap(\.flattened)
        // A branch that begins with a reduction reads the source again, without a full-size copy of the picture.
        let isDirect = isSource && operations.first?.traits.isReduction == true
        if !isDirect { try prepareToRead(turned: step.turned, in: &plan) }
        var branch = self
        for operation in operations { try branch.append(step.with(operation), to: &plan) }
        let image = try branch.table(tabulation, step, in: &plan)
        let table = SecondPicture(image: image, place: .identity, isSameSize: false, isTable: true)
        // The table counts the visible part of the picture, so the function's positions refer to that part.
        let size = size(turned: step.turned)
        let positions = place(turned: step.turned).then(.scale(1 / Double(size.width), 1 / Double(size.height)))
        segment.append(.combine(call, positions, [table]))
        recordChange(step.label)
    }

    /// Draws the picture and its tables, and returns the last table.
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

extension ChainBuilder {
    /// Scales the picture to its visible size with the Lanczos kernel.
    ///
    /// Draws the picture at its own size, then scaled horizontally. The pass that draws the following steps scales
    /// vertically.
    mutating func resample(_ step: ChainStep, in plan: inout PlanBuilder) throws(GraphError) {
        guard let own = layer.ownSize(turned: step.turned) else { return }
        let wanted = size(turned: step.turned)
        reducedSize = own
        try materialize(turned: step.turned, isClamped: true, in: &plan)
        if own.width != wanted.width {
            segment.head = .lanczos(Double(own.width) / Double(wanted.width), isVertical: false)
            recordChange("\(step.label) across")
            reducedSize = PixelSize(wanted.width, own.height)
            try materialize(turned: step.turned, isClamped: true, in: &plan)
        }
        reducedSize = nil
        if own.height != wanted.height {
            segment.head = .lanczos(Double(own.height) / Double(wanted.height), isVertical: true)
            recordChange("\(step.label) down")
        }
    }
}
