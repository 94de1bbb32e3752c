/// What is done with sources' pictures before anything that the user wired: zooms that cameras do not have, and colours
/// that a display does not show.
struct SourceStages {
    /// What is left of zooms to be made by a crop, above 1.
    var zooms: [NodeID: Double]
    var stands: [NodeID: Stand]

    /// Puts the stages behind their sources.
    ///
    /// - Parameters:
    ///   - graph: Changed so that consumers take what the stages make.
    ///   - formats: Of the sources, changed to what the planner is to see.
    /// - Returns: The nodes of the crops.
    func insert(into graph: inout Graph, _ formats: inout [NodeID: SourceFormat]) -> Set<NodeID> {
        var crops: Set<NodeID> = []
        for (source, stand) in stands {
            guard let format = formats[source] else { continue }
            var last = source
            if let colors = DisplayColors(format.colorimetry) {
                last = graph.insert(colors, stand.colors, behind: last)
                formats[source]?.colorimetry.primaries = .bt709
                formats[source]?.colorimetry.transfer = .bt709
            }
            guard let zoom = zooms[source], zoom > 1 else { continue }
            let side = Float(1 / zoom)
            let crop = Crop(x: (1 - side) / 2, y: (1 - side) / 2, width: side, height: side)
            crops.insert(graph.insert(crop, stand.zoom, behind: last))
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
