/// The effects between the sources and the user's graph: digital zooms, and conversions of colours that a display does
/// not show.
struct SourceEffects {
    /// The digital zoom factors (> 1), keyed by camera.
    var zooms: [NodeID: Double]
    var placeholders: [NodeID: Placeholder]

    /// Inserts the effects behind their sources.
    ///
    /// - Parameters:
    ///   - graph: The graph, whose consumers are redirected to the effects.
    ///   - formats: The formats of the sources, changed to those that the planner sees.
    /// - Returns: The nodes of the crops.
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
    /// Puts an effect between a node and all that take frames from it.
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
