internal import PipEffects
internal import PipFrames
internal import PipGraph

extension PlanBuilder {
    /// The pixels beyond which a picture is read back and counted by the CPU, where compute shaders count value by
    /// value under locks.
    private static let largestLockedTally = 65536

    /// Plans what is measured of what a node gives, at its own size: the picture is drawn as far as the measurement
    /// needs it, and a small table is read back.
    ///
    /// Where atomics are slow, a large picture is read back as it is, and the sink counts it.
    ///
    /// Nothing is planned while its sources have no frames.
    mutating func addMeasurement(_ measurement: Measurement, _ wish: OutputWish) throws(GraphError) {
        let label = graph.label(of: wish.root)
        guard input.capabilities.hasFloatTargets else { throw .unmeasurable(node: label) }
        var background = Color.black
        background.alpha = 0
        let whole = Composition(canvas: nil, background: background, layers: [LayerRecord(wish.root)])
        let size = try canvasSize(of: whole, label: label)
        let countsOnCPU = !input.capabilities.renderer.hasFastAtomics && size.area > Self.largestLockedTally
        if measurement == .histogram && countsOnCPU {
            let drawn = try draw(
                whole, label: label, size: size, format: .rgba, colorimetry: nil, isSubsampled: false, isFinal: true)
            return addOutput(drawn, wish: wish)
        }
        let layers = try layerPlans(of: whole, canvas: size, format: .rgba, isSubsampled: false)
        guard var layer = layers.first, let sink = wish.sinks.first else { return }
        layer.links.append(ChainLink(kind: .measurement(measurement), node: sink))
        let canvas = Canvas(
            size: size, format: .rgba, colorimetry: layer.image.colorimetry, region: size.bounds, textures: [],
            isPacked: false, isSubsampled: false)
        let image = try planned(layer, on: canvas).segment.image
        guard let texture = image.textures.first else { return }
        let table = plan.textures[texture]
        let bytes = table.format.bytesPerTexel
        let layout = FrameLayout(.rgba, PixelSize(table.size.width * bytes / 4, table.size.height))
        plan.outputs.append(
            Output(
                layout: layout, content: .table, colorimetry: layer.image.colorimetry, sinks: wish.sinks, copies: [],
                readbacks: [
                    Readback(
                        texture: texture, region: table.size.bounds, plane: 0, offset: 0, rowStep: 1,
                        bytesPerTexel: bytes)
                ], sources: layer.sources))
    }
}
