internal import PipEffects
internal import PipFrames
internal import PipGraph

/// A chain that is ready to be drawn on its canvas.
struct PlannedChain {
    var segment: Segment
    /// From canvas pixels to positions in the chain.
    var positions: Mapping
    var usesChromaGrid: Bool
}

extension PlanBuilder {
    /// Plans a layer's chain: draws what needs passes of its own into intermediate pictures of the layer's size, and
    /// gives the rest, for the pass that draws the layer.
    mutating func planChain(_ layer: LayerPlan, on canvas: Canvas) throws(GraphError) -> PlannedChain {
        let steps = layer.steps(onto: canvas.colorimetry)
        let last = layer.record.placement.orientation
        let isDisplaced = steps.contains { $0.operation.traits.displacesPixels }
        // Chroma is read once for 2×2 pixels where no picture on the way lies otherwise.
        let isTurned =
            layer.orientation != .identity || last != .identity
            || steps.contains { $0.turned != .identity }
        var chain = ChainBuilder(
            layer: layer, canvas: canvas, usesChromaGrid: canvas.isSubsampled && !isDisplaced && !isTurned)
        for (index, step) in steps.enumerated() {
            try chain.append(step, to: &self)
            if !input.fuses {
                let next = index + 1 < steps.count ? steps[index + 1] : nil
                // Planes are filtered without the limits of R'G'B'.
                let isClamped = next.map { $0.operation.traits.readsNeighbours && !chain.filtersPlanes($0) } ?? false
                try chain.materialize(turned: next?.turned ?? last, isClamped: isClamped, in: &self)
            }
        }
        try chain.finish(turned: last, in: &self)
        if layer.base != nil {
            try chain.blendWithBase(turned: last, in: &self)
        } else {
            chain.segment.turn(last)
        }
        if canvas.isYUV { chain.segment.append(.matrix(canvas.colorimetry.yCbCrFromRGB)) }
        // Where luma takes a part in chroma, pixels of one sample differ by what the filter left between samples.
        let usesChromaGrid =
            chain.usesChromaGrid && (!chain.isFiltered || chain.segment.keepsLumaAndChromaApart)
        return PlannedChain(segment: chain.segment, positions: layer.positions, usesChromaGrid: usesChromaGrid)
    }
}
