public import PipFrames

/// A graph that cannot be drawn, and why.
public enum GraphError: Error, Equatable, CustomStringConvertible {
    case noSinks
    case unconnected(node: String)
    case cycle(nodes: [String])
    case emptyCompositor(node: String)
    case badSize(node: String, size: PixelSize)
    case tooLarge(node: String, size: PixelSize, limit: Int)
    case badLayer(node: String, reason: String)

    public var description: String {
        switch self {
        case .noSinks: "nothing takes the frames: connect a sink, as in `picture --> Y4MFile(\"out.y4m\")`"
        case .unconnected(let node): "\(node) has no input: connect one with `source --> \(node)`"
        case .cycle(let nodes): "the graph runs in a circle: \((nodes + nodes.prefix(1)).joined(separator: " --> "))"
        case .emptyCompositor(let node): "\(node) has no canvas size and no layer to take one from"
        case .badSize(let node, let size):
            "\(node): a size of \(size) cannot be drawn; width and height must be 1 or more"
        case .tooLarge(let node, let size, let limit):
            "\(node): \(size) is larger than this machine's OpenGL ES can draw; the limit is \(limit)x\(limit)"
        case .badLayer(let node, let reason): "\(node): \(reason)"
        }
    }
}

extension Graph {
    /// Checks that everything is connected, that nothing runs in a circle, and that sizes and looks make sense.
    public func validate() throws(GraphError) {
        guard !sinks.isEmpty else { throw .noSinks }
        var finished: Set<NodeID> = []
        for sink in sinks {
            var path: [NodeID] = []
            try visit(sink, path: &path, finished: &finished)
        }
    }

    private func visit(_ id: NodeID, path: inout [NodeID], finished: inout Set<NodeID>) throws(GraphError) {
        if finished.contains(id) { return }
        if let start = path.firstIndex(of: id) { throw .cycle(nodes: path[start...].reversed().map(label)) }
        path.append(id)
        defer { path.removeLast() }
        switch self[id] {
        case .filter(_, nil), .sink(_, nil), nil: throw .unconnected(node: label(of: id))
        case .compositor(let composition): try check(composition, label: label(of: id))
        default: break
        }
        for input in inputs(of: id) { try visit(input, path: &path, finished: &finished) }
        finished.insert(id)
    }

    private func check(_ composition: Composition, label: String) throws(GraphError) {
        if let canvas = composition.canvas {
            guard canvas.width > 0, canvas.height > 0 else { throw .badSize(node: label, size: canvas) }
        } else if composition.layers.isEmpty {
            throw .emptyCompositor(node: label)
        }
        for layer in composition.layers {
            let look = layer.look
            guard look.opacity >= 0, look.opacity <= 1 else {
                throw .badLayer(node: label, reason: "a layer's opacity is \(look.opacity), but must be 0 to 1")
            }
            guard look.cornerRadius >= 0, look.cornerRadius.isFinite, (look.border?.width ?? 0) >= 0,
                (look.shadow?.blur ?? 0) >= 0
            else {
                throw .badLayer(node: label, reason: "a layer's corner radius, border and shadow must not be negative")
            }
            for length in [layer.placement.width, layer.placement.height] {
                switch length {
                case .pixels(let pixels)? where pixels < 1 || pixels > 65536:
                    throw .badLayer(node: label, reason: "a layer of \(pixels) pixels cannot be drawn")
                case .fraction(let fraction)? where !(fraction > 0 && fraction <= 16):
                    throw .badLayer(node: label, reason: "a layer of \(fraction * 100) % of the canvas cannot be drawn")
                default: continue
                }
            }
            if let crop = layer.placement.crop, crop.isEmpty || crop.x < 0 || crop.y < 0 {
                throw .badLayer(node: label, reason: "a crop of \(crop) shows nothing")
            }
        }
    }
}
