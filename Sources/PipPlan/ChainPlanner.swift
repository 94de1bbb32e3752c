internal import PipFrames
internal import PipGraph
internal import PipShaders

/// A chain that is ready to be drawn on its canvas.
struct PlannedChain {
    var segment: Segment
    /// From canvas pixels to positions in the chain.
    var positions: Mapping
    var usesChromaGrid: Bool
}

extension PlanBuilder {
    /// Plans a layer's chain: draws what needs passes of its own into intermediate pictures of the layer's size, and gives the rest, for
    /// the pass that draws the layer.
    mutating func planChain(_ layer: LayerPlan, on canvas: Canvas) throws(GraphError) -> PlannedChain {
        let context = EffectContext(matrix: layer.image.colorimetry.matrix, scale: layer.scale, size: layer.rect.size)
        let effects = layer.effects.map { ($0, $0.operation(in: context)) }.filter { $0.1 != .none }
        let last = layer.record.placement.orientation
        // What turns the picture from here on, for each effect: drawing happens before it.
        var remaining = [last]
        for (_, operation) in effects.reversed() {
            guard case .orientation(let orientation) = operation else {
                remaining.append(remaining[remaining.count - 1])
                continue
            }
            remaining.append(orientation.then(remaining[remaining.count - 1]))
        }
        remaining.reverse()
        let isWarped = effects.contains { if case .warp = $0.1 { true } else { false } }
        let isTurned = remaining[0] != .identity || layer.orientation != .identity
        var chain = ChainBuilder(
            layer: layer, canvas: canvas, usesChromaGrid: canvas.isSubsampled && !isWarped && !isTurned)
        for (index, (effect, operation)) in effects.enumerated() {
            try chain.append(operation, label: type(of: effect).name, turned: remaining[index], to: &self)
            if !input.fuses {
                let next = effects.dropFirst(index + 1).first.map(\.1)
                try chain.materialize(
                    turned: remaining[index + 1], isClamped: next?.readsNeighbours ?? false, in: &self)
            }
        }
        chain.segment.turn(last)
        if canvas.isYUV { chain.segment.append(.matrix(canvas.colorimetry.yCbCrFromRGB)) }
        return PlannedChain(
            segment: chain.segment, positions: layer.positions, usesChromaGrid: chain.usesChromaGrid)
    }
}

/// A chain as it grows, effect by effect.
private struct ChainBuilder {
    let layer: LayerPlan
    let canvas: Canvas
    let usesChromaGrid: Bool
    var segment: Segment

    init(layer: LayerPlan, canvas: Canvas, usesChromaGrid: Bool) {
        self.layer = layer
        self.canvas = canvas
        self.usesChromaGrid = usesChromaGrid
        segment = Segment(layer.image, place: layer.place)
        if layer.image.format.isYUV { segment.append(.matrix(layer.image.colorimetry.rgbFromYCbCr)) }
    }

    /// Adds an effect.
    ///
    /// `turned`: What turns the picture from this effect on.
    mutating func append(
        _ operation: EffectOperation, label: String, turned: Orientation, to plan: inout PlanBuilder
    ) throws(GraphError) {
        if !plan.input.fuses && segment.effects.isEmpty && segment.image.textures == layer.image.textures {
            try materialize(turned: turned, isClamped: operation.readsNeighbours, in: &plan)
        }
        if segment.samplerCount + operation.samplerCount > Segment.samplerLimit {
            try materialize(turned: turned, isClamped: false, in: &plan)
        }
        switch operation {
        case .none: return
        case .affine(let transform): segment.append(.matrix(transform))
        case .curve(var curve):
            // Drawn by itself it is what fused drawing is compared with.
            curve.isExact = curve.isExact || !plan.input.fuses
            segment.append(.curve(curve))
        case .pixel(let call): segment.append(.pixel(call, .identity))
        case .orientation(let orientation): segment.turn(orientation)
        case .warp(let call):
            if !segment.isBare { try materialize(turned: turned, isClamped: true, in: &plan) }
            segment.warp(call)
        case .neighbourhood(let call):
            try materialize(turned: turned, isClamped: true, in: &plan)
            segment.head = .neighbourhood(call)
        case .separable(let weights):
            try materialize(turned: turned, isClamped: true, in: &plan)
            segment.head = .kernel(weights, isVertical: false)
            segment.effects.append("\(label) across")
            try materialize(turned: turned, isClamped: true, in: &plan)
            segment.head = .kernel(weights, isVertical: true)
            segment.effects.append("\(label) down")
            return
        }
        segment.effects.append(label)
    }

    /// Draws the segment into a picture of its own, at the size at which the layer is seen, and starts a new one that reads it.
    mutating func materialize(turned: Orientation, isClamped: Bool, in plan: inout PlanBuilder) throws(GraphError) {
        let size = turned.swapsAxes ? layer.rect.size.transposed : layer.rect.size
        let visible = layer.visible.mapped(by: Mapping(turned))
        // Unturned, its pixels are the canvas's pixels, so that chroma falls on the same grid.
        let origin = turned == .identity ? (layer.rect.x, layer.rect.y) : (0, 0)
        let region = PixelRect(x: origin.0, y: origin.1, width: size.width, height: size.height)
        let names = segment.effects.isEmpty ? "picture" : segment.effects.joined(separator: ", ")
        let label = "\(names) of \(layer.image.label)"
        let texel: TexelFormat = isClamped || !plan.input.capabilities.hasFloatTargets ? .rgba8 : .rgba32f
        var target = try plan.addCanvas(
            label, size: size, format: .rgba, colorimetry: canvas.colorimetry, region: region, isPacked: false,
            isSubsampled: canvas.isSubsampled, texel: texel)
        target.size = PixelSize(region.maxX, region.maxY)
        let positions = Mapping.translation(-Double(region.x), -Double(region.y)).then(visible.fromPixels(of: size))
        var image = Image(
            size: size, format: .rgba, textures: target.textures, isPacked: false,
            colorimetry: segment.image.colorimetry, alpha: segment.image.alpha == .none ? .none : .premultiplied,
            sources: segment.image.sources, label: layer.image.label)
        let builder = PassBuilder(
            segment: segment, positions: positions, canvas: target, part: 0, cover: nil,
            usesChromaGrid: usesChromaGrid && turned == .identity)
        try plan.draw(builder, label: label, rects: [region])
        image.label = layer.image.label
        // From positions in the chain to pixels of the new picture.
        let place = Mapping.translation(-visible.x, -visible.y)
            .then(.scale(Double(size.width) / visible.width, Double(size.height) / visible.height))
        segment = Segment(image, place: place)
    }
}

extension EffectOperation {
    /// Textures that it reads beside its image, at most.
    fileprivate var samplerCount: Int {
        switch self {
        case .curve: 1
        case .pixel(let call), .neighbourhood(let call), .warp(let call): call.textures.count
        default: 0
        }
    }

    /// Whether it reads other pixels than its own: then it reads a picture of 8 bits.
    fileprivate var readsNeighbours: Bool {
        switch self {
        case .neighbourhood, .separable, .warp: true
        default: false
        }
    }
}
