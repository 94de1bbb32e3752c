internal import PipEffects
internal import PipFrames
internal import PipGraph

/// Plans a layer's chain effect by effect: draws intermediate pictures, and collects the remaining steps in a segment.
struct ChainBuilder {
    private var picture: ChainPicture
    /// True when the chain's filters may be applied to Y'CbCr planes, without a conversion to R'G'B'.
    private let filtersPlanes: Bool
    /// True when the chain consists of warps that read Y'CbCr planes, without a conversion to R'G'B'.
    private let warpsPlanes: Bool

    private var layer: LayerPlan { picture.layer }

    /// Plans a layer's chain.
    ///
    /// Draws the steps that need passes of their own into intermediate pictures. Returns the remaining steps, for the
    /// pass that draws the layer.
    static func plan(
        _ layer: LayerPlan, on canvas: Canvas, in builder: inout CompositionBuilder
    ) throws(GraphError) -> PlannedLayer {
        let steps = layer.steps(onto: canvas.colorimetry)
        let last = layer.record.placement.orientation
        let isDisplaced = steps.contains { $0.operation.traits.displacesPixels }
        // Chroma is read once for 2×2 pixels of a subsampled canvas, unless pixels are rotated or displaced in R'G'B'.
        let isTurned =
            layer.orientation != .identity || last != .identity
            || steps.contains { $0.turned != .identity }
        let warpsPlanes = !isTurned && layer.canBeWarped(by: steps, inPlanesOf: canvas, builder.recorder)
        let usesChromaGrid = canvas.isSubsampled && (!isDisplaced || warpsPlanes) && !isTurned
        var chain = ChainBuilder(
            picture: ChainPicture(layer, on: canvas, usesChromaGrid: usesChromaGrid),
            filtersPlanes: builder.recorder.executor == .gl && usesChromaGrid, warpsPlanes: warpsPlanes)
        for (index, step) in steps.enumerated() {
            try chain.append(step, in: &builder)
            if !builder.input.fuses && !warpsPlanes {
                let next = index + 1 < steps.count ? steps[index + 1] : nil
                // Values of filtered planes may lie outside the range of R'G'B'.
                let isClamped = next.map { $0.operation.traits.readsNeighbours && !chain.filtersPlanes(in: $0) }
                chain.picture.turned = next?.turned ?? last
                try chain.picture.materialize(isClamped: isClamped ?? false, in: &builder.recorder)
            }
        }
        chain.picture.turned = last
        try chain.picture.finish(in: &builder.recorder)
        guard let base = layer.base else { return PlannedLayer(layer: layer, whole: chain.picture.planned) }
        let solid = base.solid.map { _ in chain.picture.planned }
        try base.blend(&chain.picture, in: &builder.recorder)
        return PlannedLayer(layer: layer, whole: chain.picture.planned, solid: solid)
    }

    /// True when a step's filter may be applied to the Y'CbCr planes of the layer's image.
    private func filtersPlanes(in step: ChainStep) -> Bool { filtersPlanes && step.planes != nil }

    /// Adds a step: draws it, or leaves it for the pass that draws the following steps.
    private mutating func append(_ step: ChainStep, in builder: inout CompositionBuilder) throws(GraphError) {
        picture.turned = step.turned
        let traits = step.operation.traits
        let segment = picture.segment
        if !builder.input.fuses && !warpsPlanes && !traits.resamples && segment.effects.isEmpty
            && segment.image.textures == layer.image.textures
        {
            let isClamped = !traits.readsSource && !filtersPlanes(in: step)
            try picture.materialize(isClamped: isClamped, in: &builder.recorder)
        }
        if picture.segment.samplerCount + traits.samplerCount > Segment.samplerLimit {
            try picture.materialize(isClamped: false, in: &builder.recorder)
        }
        if let blend = step.blend { return try self.blend(blend.mode, with: blend.nodes, in: &builder) }
        try draw(step, in: &builder)
        if let mixed = builder.recorder.mixed, mixed.needsOwnPicture(picture.segment) {
            try picture.materialize(isClamped: !mixed.capabilities.hasFloatTargets, in: &builder.recorder)
        }
        switch traits.precision {
        case .ofInput: return
        case .eightBits: picture.isWide = false
        case .float: picture.isWide = true
        }
    }

    /// Adds a step's operation to the segment, or draws the operation.
    private mutating func draw(_ step: ChainStep, in builder: inout CompositionBuilder) throws(GraphError) {
        let label = step.label
        switch step.operation {
        // Crops are removed before a chain is planned. A crop within a sequence or a branch is ignored.
        case .none, .crop: return
        case .affine(let transform): picture.append(.matrix(transform), label: label)
        case .curve(var curve):
            // An unfused plan is the reference for fused ones, so its curves are exact.
            curve.isExact = curve.isExact || !builder.input.fuses || step.mustBeExact
            picture.append(.curve(curve), label: label)
        case .pixel(let call): picture.append(.pixel(call, .identity), label: label)
        case .orientation(let orientation):
            picture.segment.turn(orientation)
            picture.recordChange(label)
        // A warp displaces pixels of the visible picture, at its drawn size, not samples of the source.
        case .warp(let call): try read(by: .warp(call, .identity), label, in: &builder.recorder)
        case .neighbourhood(let call): try read(by: .neighbourhood(call), label, in: &builder.recorder)
        case .sampler(let call): try read(by: .sampler(call, .identity), label, in: &builder.recorder)
        case .separable(let weights): try filter(.kernel(weights), step, in: &builder)
        case .gaussian(let deviation): try filter(.gaussian(deviation: deviation), step, in: &builder)
        case .kernel(let weights, let axis): try convolve(weights, axis, step, in: &builder.recorder)
        case .combine(let operations, let others, let call):
            try combine(with: [operations] + (others.map { [$0] } ?? []), call, step, in: &builder)
        case .shrink(let factor): try picture.shrink(by: factor, label: label, in: &builder.recorder)
        case .mean: try picture.average(label: label, in: &builder.recorder)
        case .temporal(let call): try picture.remember(call, of: step.node, label: label, in: &builder.recorder)
        case .tabulated(let operations, let tabulation, let call):
            try tabulate(tabulation, of: operations, call, step, in: &builder)
        case .table(let tabulation):
            let table = try picture.table(tabulation, label: label, in: &builder.recorder)
            picture.segment = Segment(table, place: .identity)
        case .lanczos: try picture.resample(label: label, in: &builder.recorder)
        case .sequence(let operations):
            for operation in operations.flatMap(\.flattened) { try append(step.with(operation), in: &builder) }
        }
    }

    /// Sets the head by which the next pass reads the picture.
    private mutating func read(
        by head: Segment.Head, _ label: String, in recorder: inout StepRecorder
    ) throws(GraphError) {
        if warpsPlanes { try picture.prepareToWarp(in: &recorder) } else { try picture.prepareToRead(in: &recorder) }
        picture.set(head, label: label)
    }

    /// Applies a symmetric filter.
    ///
    /// Filters planes where possible; else works at a reduced size if the effect quality is reduced and work is saved.
    private mutating func filter(
        _ filter: SymmetricFilter, _ step: ChainStep, in builder: inout CompositionBuilder
    ) throws(GraphError) {
        if builder.input.fuses && filtersPlanes(in: step) {
            try filterPlanes(by: filter, step, in: &builder.recorder)
        } else if builder.input.effectQuality < .full, picture.reducedSize == nil, let smaller = filter.ofReducedSize {
            try append(step.with(smaller), in: &builder)
        } else {
            try convolve(filter.weights, .across, step, in: &builder.recorder)
            try convolve(filter.weights, .down, step, in: &builder.recorder)
        }
    }

    /// Filters the planes of the layer's image, before the chain's earlier changes of pixels.
    private mutating func filterPlanes(
        by filter: SymmetricFilter, _ step: ChainStep, in recorder: inout StepRecorder
    ) throws(GraphError) {
        let planes = LayerPlanes(layer: layer, canvas: picture.canvas)
        let exact = recorder.input.capabilities.exactTexel
        var (image, place) = (picture.segment.image, picture.segment.place)
        let isDirect = (picture.isFiltered || planes.contain(image)) && !image.hasHalfLuma
        if !isDirect { (image, place) = try planes.draw(image, at: place, texel: exact, in: &recorder) }
        let texel = isDirect && step.planes == .rounded ? .rgba8 : exact
        image = try PlaneFilter(image: image, label: step.label, texel: texel).applying(filter, in: &recorder)
        picture.read(filtered: image, at: place, label: step.label)
    }

    /// Sets a kernel in one direction as the next pass's head.
    private mutating func convolve(
        _ weights: [Double], _ axis: KernelAxis, _ step: ChainStep, in recorder: inout StepRecorder
    ) throws(GraphError) {
        // Values of filtered planes may lie outside the range of R'G'B'.
        let isLimited = recorder.input.fuses || !filtersPlanes(in: step)
        if !picture.isPicture && (isLimited || !picture.isDrawn) {
            try picture.materialize(isClamped: isLimited, in: &recorder)
        }
        let isVertical = axis == .down
        picture.set(
            .kernel(weights, isVertical: isVertical), label: "\(step.label) \(isVertical ? "down" : "across")")
    }

    /// Mixes the picture with the results of other operations on the same picture.
    private mutating func combine(
        with branches: [[EffectOperation]], _ call: ShaderCall, _ step: ChainStep, in builder: inout CompositionBuilder
    ) throws(GraphError) {
        let branches = branches.map { operations in
            operations.flatMap(\.flattened).filter { if case .turned = $0.traits.framing { false } else { true } }
        }
        // A reduction alone is drawn from the source again, which is cheaper than a full-size copy of the picture.
        let isDirect = picture.isSource && branches.allSatisfy { $0.first?.traits.isReduction == true }
        if !isDirect { try picture.prepareToRead(in: &builder.recorder) }
        var others: [SecondPicture] = []
        for operations in branches { others.append(try branch(operations, step, in: &builder)) }
        picture.append(.combine(call, .identity, others), label: step.label)
    }

    /// Draws the picture with other operations applied.
    ///
    /// Steps of one node that apply equal operations to the same drawn picture share the result, unless an operation
    /// keeps a history.
    private func branch(
        _ operations: [EffectOperation], _ step: ChainStep, in builder: inout CompositionBuilder
    ) throws(GraphError) -> SecondPicture {
        let key = BranchKey(picture, node: step.node, operations: operations)
        let isShared = picture.isPicture && !operations.contains(where: \.traits.keepsHistory)
        if isShared, let result = builder.branches[key] { return result }
        var branch = self
        for operation in operations { try branch.append(step.with(operation), in: &builder) }
        if operations.last?.traits.isUniform != true { try branch.picture.prepareToRead(in: &builder.recorder) }
        let drawn = branch.picture.segment
        let result = SecondPicture(
            image: drawn.image, place: drawn.place, isSameSize: drawn.image.size == picture.size)
        if isShared { builder.branches[key] = result }
        return result
    }

    /// Adds a function of each pixel and of a table of the whole picture, for the pass that draws the following steps.
    ///
    /// `operations` are applied to the picture before the table is made.
    private mutating func tabulate(
        _ tabulation: Tabulation, of operations: [EffectOperation], _ call: ShaderCall, _ step: ChainStep,
        in builder: inout CompositionBuilder
    ) throws(GraphError) {
        let operations = operations.flatMap(\.flattened)
        // A reduction alone is drawn from the source again.
        let isDirect = picture.isSource && operations.first?.traits.isReduction == true
        if !isDirect { try picture.prepareToRead(in: &builder.recorder) }
        var branch = self
        for operation in operations { try branch.append(step.with(operation), in: &builder) }
        let image = try branch.picture.table(tabulation, label: step.label, in: &builder.recorder)
        let table = SecondPicture(image: image, place: .identity, isSameSize: false, isTable: true)
        // The table counts the visible part of the picture, so the function's positions refer to that part.
        let size = picture.size
        let positions = picture.place.then(.scale(1 / Double(size.width), 1 / Double(size.height)))
        picture.append(.combine(call, positions, [table]), label: step.label)
    }

    /// Blends the chain's picture with the pictures of other nodes, stretched to the chain's size.
    ///
    /// Does nothing while one of those nodes has no frames.
    private mutating func blend(
        _ mode: BlendMode, with nodes: [NodeID], in builder: inout CompositionBuilder
    ) throws(GraphError) {
        let whole = picture.turned.size(of: layer.pictureSize)
        var others: [SecondPicture] = []
        for node in nodes {
            let overlay = NodePicture(
                blended: node, size: whole, colorimetry: picture.canvas.colorimetry, in: builder.input.graph)
            guard let image = try builder.image(of: overlay) else { return }
            others.append(
                SecondPicture(
                    image: image, place: .scale(Double(whole.width), Double(whole.height)),
                    isSameSize: whole == picture.size))
        }
        let step = BlendStep(mode: mode, role: .node(isMasked: nodes.count > 1), others: others)
        try step.apply(to: &picture, in: &builder.recorder)
    }
}

/// The key by which steps of one node share the result of equal branches.
struct BranchKey: Hashable {
    private let textures: [RenderPlan.TextureIndex]
    private let place: Mapping
    private let reducedSize: PixelSize?
    private let turned: Orientation
    private let node: NodeID
    private let operations: [EffectOperation]

    init(_ picture: ChainPicture, node: NodeID, operations: [EffectOperation]) {
        (textures, place) = (picture.segment.image.textures, picture.segment.place)
        (reducedSize, turned) = (picture.reducedSize, picture.turned)
        (self.node, self.operations) = (node, operations)
    }
}
