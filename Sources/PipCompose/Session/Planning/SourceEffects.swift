/// The effects between the sources and the user's graph: digital zoom, and the conversion of colours beyond BT.709.
struct SourceEffects {
    /// The digital zoom factors (> 1), keyed by the camera's node.
    var zooms: [NodeID: Double]
    var placeholders: [NodeID: Placeholder]

    /// Inserts the effects after their sources.
    ///
    /// - Parameters:
    ///   - graph: The graph. Consumers of a source are redirected to the effect after it.
    ///   - formats: The formats of the sources, keyed by node. Converted sources get the converted colorimetry.
    /// - Returns: The nodes of the crops that zoom.
    func insert(into graph: inout Graph, _ formats: inout [NodeID: SourceFormat]) -> Set<NodeID> {
        var crops: Set<NodeID> = []
        for (source, placeholder) in placeholders {
            guard let format = formats[source] else { continue }
            var last = source
            if let colors = DisplayColors(format.colorimetry) {
                last = graph.insert(colors, placeholder.colors, behind: last)
                formats[source]?.colorimetry.primaries = .bt709
                formats[source]?.colorimetry.transfer = .bt709
            }
            guard let zoom = zooms[source], zoom > 1 else { continue }
            let side = Float(1 / zoom)
            let crop = Crop(x: (1 - side) / 2, y: (1 - side) / 2, width: side, height: side)
            crops.insert(graph.insert(crop, placeholder.zoom, behind: last))
        }
        return crops
    }
}

extension Graph {
    /// Inserts an effect between a node and all its consumers.
    ///
    /// - Returns: The node of the effect.
    fileprivate mutating func insert(_ effect: some Effect, _ id: NodeID, behind node: NodeID) -> NodeID {
        redirect(node, to: id)
        var filter = FilterRecord(effect, input: node)
        filter.isEssential = true
        set(.filter(filter), for: id)
        return id
    }
}
