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
    ///   - requests: Of the sinks; one that takes a source's own size takes that of the whole picture.
    func insert(
        into graph: inout Graph, _ formats: inout [NodeID: SourceFormat], _ requests: inout [NodeID: SinkRequest]
    ) {
        for (source, stand) in stands {
            guard let format = formats[source] else { continue }
            var last = source
            if let colors = DisplayColors(format.colorimetry) {
                last = graph.insert(colors, stand.colors, behind: last)
                formats[source]?.colorimetry.primaries = .bt709
                formats[source]?.colorimetry.transfer = .bt709
            }
            guard let zoom = zooms[source], zoom > 1 else { continue }
            keepSize(of: source, format.orientation.size(of: format.layout.size), in: &graph, &requests)
            let side = Float(1 / zoom)
            let crop = Crop(x: (1 - side) / 2, y: (1 - side) / 2, width: side, height: side)
            last = graph.insert(crop, stand.zoom, behind: last)
        }
    }

    /// Gives the source's size to pictures that have it because of the source.
    private func keepSize(
        of source: NodeID, _ size: PixelSize, in graph: inout Graph, _ requests: inout [NodeID: SinkRequest]
    ) {
        for id in graph.order {
            switch graph[id] {
            case .compositor(var composition) where composition.canvas == nil:
                guard graph.bottomSource(below: id) == source else { continue }
                composition.canvas = size
                graph.set(.compositor(composition), for: id)
            case .sink where requests[id]?.size == nil && graph.bottomSource(below: id) == source:
                requests[id]?.size = size
            default: continue
            }
        }
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
