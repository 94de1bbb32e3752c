public import PipEffects
public import PipFrames

/// The reason for which a graph cannot be drawn, or a change of a graph is refused.
public enum GraphError: Error, Equatable, CustomStringConvertible {
    case noSinks
    case unconnected(node: String)
    case cycle(nodes: [String])
    case emptyCompositor(node: String)
    case badSize(node: String, size: PixelSize)
    case tooLarge(node: String, size: PixelSize, limit: Int)
    case badLayer(node: String, reason: String)
    case badEffect(EffectError)
    case unmeasurable(node: String)
    /// The effects need OpenGL ES, which is missing or not allowed.
    case undrawable(effects: [String])
    /// The node takes frames from a node of another session's graph.
    case foreignNode(node: String)
    /// The layer belongs to another compositor.
    case foreignLayer(node: String)
    case removedLayer(node: String)
    case insertedAtItself(node: String)
    /// Two sinks would write to the same destination. Carries the second sink's name.
    case duplicateSink(String)

    public var description: String {
        switch self {
        case .noSinks: "nothing takes the frames: connect a sink, as in `picture --> Y4MFile(\"out.y4m\")`"
        case .unconnected(let node): "\(node) has no input: connect one with `source --> \(node)`"
        case .cycle(let nodes):
            "the graph has a cycle; remove one connection: \((nodes + nodes.prefix(1)).joined(separator: " --> "))"
        case .emptyCompositor(let node): "\(node) has no canvas size and no layers: set a size or add a layer"
        case .badSize(let node, let size):
            "\(node): a size of \(size) cannot be drawn; width and height must be 1 or more"
        case .tooLarge(let node, let size, let limit):
            "\(node): \(size) is larger than the session can draw; the limit is \(limit)x\(limit)"
        case .badLayer(let node, let reason): "\(node): \(reason)"
        case .badEffect(let error): error.description
        case .unmeasurable(let node):
            "\(node) cannot be measured: this machine's OpenGL ES lacks EXT_color_buffer_float"
        case .undrawable(let effects):
            "\(effects.joined(separator: ", ")): not drawable without OpenGL ES, which is missing or was not allowed"
        case .foreignNode(let node):
            "\(node) takes frames from a node of another session: a node belongs to one session at a time"
        case .foreignLayer(let node):
            "the layer does not belong to \(node): use a handle from the `add` or `layers` of \(node)"
        case .removedLayer(let node): "the layer was removed from \(node): add the layer again"
        case .insertedAtItself(let node): "\(node) cannot be inserted before or after itself"
        case .duplicateSink(let sink):
            "another output writes to \(sink) already: stop that output first, or choose another name"
        }
    }
}

extension Graph {
    /// Checks the nodes that sinks take frames from: their connections, and their sizes, looks and parameters.
    ///
    /// Two sinks with the same destination, and a cycle, are errors.
    ///
    /// - Parameter needsSinks: True when a graph without sinks is an error, too.
    /// - Throws: ``GraphError`` for the first mistake found.
    public func validate(needsSinks: Bool = true) throws(GraphError) {
        let sinks = sinks
        guard !sinks.isEmpty || !needsSinks else { throw .noSinks }
        if let copy = duplicateSinks.first { throw .duplicateSink(label(of: copy)) }
        var finished: Set<NodeID> = []
        for sink in sinks {
            var path: [NodeID] = []
            try visit(sink, path: &path, finished: &finished)
        }
    }

    /// The sinks that would write to the same destination as an earlier sink.
    package var duplicateSinks: [NodeID] {
        var taken: Set<SinkDestination> = []
        return sinks.filter { id in
            guard let destination = sink(id)?.specification.destination else { return false }
            return !taken.insert(destination).inserted
        }
    }

    private func visit(_ id: NodeID, path: inout [NodeID], finished: inout Set<NodeID>) throws(GraphError) {
        if finished.contains(id) { return }
        if let start = path.firstIndex(of: id) { throw .cycle(nodes: path[start...].reversed().map(label)) }
        path.append(id)
        defer { path.removeLast() }
        switch self[id] {
        case .sink(let sink) where sink.input == nil: throw .unconnected(node: label(of: id))
        case nil: throw .foreignNode(node: path.dropLast().last.map(label) ?? label(of: id))
        case .compositor(let composition): try check(composition, label: label(of: id))
        case .filter(let filter):
            if filter.input == nil { throw .unconnected(node: label(of: id)) }
            do throws(EffectError) { try filter.effect.validate() } catch { throw .badEffect(error) }
        case .blend(let mode, _):
            do throws(EffectError) { try mode.validate() } catch { throw .badEffect(error) }
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
        for layer in composition.layers { try layer.check(label) }
    }
}

extension LayerRecord {
    /// Checks the layer's blend mode, look, placement and keyframes.
    ///
    /// - Parameter label: The compositor's name, for the error.
    /// - Throws: ``GraphError`` for the first mistake found.
    func check(_ label: String) throws(GraphError) {
        if let blend {
            do throws(EffectError) { try blend.validate() } catch { throw .badEffect(error) }
        }
        do throws(Reason) {
            try look.check()
            try placement.check()
            for frame in keyframes?.frames ?? [] { try frame.check() }
        } catch {
            throw .badLayer(node: label, reason: error.text)
        }
    }
}

/// The reason for which a layer is invalid, as a sentence without its full stop.
private struct Reason: Error {
    var text: String
}

/// The largest valid coordinate, in pixels.
///
/// No canvas is larger, so that a value beyond it must be a mistake.
private let farthest = 1 << 20

extension Keyframe {
    fileprivate func check() throws(Reason) {
        guard time >= .zero else { throw Reason(text: "a keyframe's time is \(time), but must be 0 or later") }
        try placement?.check()
        try look?.check()
        guard (0...1).contains(opacity ?? 1) else {
            throw Reason(text: "a keyframe's opacity is \(opacity ?? 1), but must be 0 to 1")
        }
    }
}

extension LayerLook {
    fileprivate func check() throws(Reason) {
        guard opacity >= 0, opacity <= 1 else {
            throw Reason(text: "a layer's opacity is \(opacity), but must be 0 to 1")
        }
        let lengths: [Double] = [cornerRadius, border?.width ?? 0, shadow?.blur ?? 0]
        guard lengths.allSatisfy({ $0 >= 0 && $0 <= Double(farthest) }) else {
            throw Reason(
                text: "a layer's corner radius, border width and shadow blur are "
                    + lengths.map { "\($0)" }.joined(separator: ", ") + " pixels, but must be 0 to \(farthest)")
        }
        guard let shadow else { return }
        guard abs(shadow.offset) <= Double(farthest) else {
            throw Reason(
                text: "a shadow's offset is \(shadow.offset) pixels, but must be between -\(farthest) and \(farthest)")
        }
        guard shadow.opacity >= 0, shadow.opacity <= 1 else {
            throw Reason(text: "a shadow's opacity is \(shadow.opacity), but must be 0 to 1")
        }
    }
}

extension Placement {
    fileprivate func check() throws(Reason) {
        for length in [width, height] {
            switch length {
            case .pixels(let pixels)? where pixels < 1 || pixels > 65536:
                throw Reason(text: "a layer's width or height is \(pixels) pixels, but must be 1 to 65536")
            case .fraction(let fraction)? where !(fraction > 0 && fraction <= 16):
                throw Reason(
                    text: "a layer's width or height is \(fraction * 100) % of the canvas, "
                        + "but must be more than 0 % and at most 1600 %")
            default: continue
            }
        }
        var distances = [margin]
        if case .at(let x, let y) = position { distances += [x, y] }
        if let distance = distances.first(where: { !(-farthest...farthest).contains($0) }) {
            throw Reason(
                text: "a layer cannot be placed at \(distance) pixels: "
                    + "positions and margins must be between -\(farthest) and \(farthest)")
        }
        if let crop,
            crop.isEmpty || crop.x < 0 || crop.y < 0
                || [crop.x, crop.y, crop.width, crop.height].contains(where: { $0 > farthest })
        {
            throw Reason(
                text: "a layer's crop is \(crop), but must lie within 0 to \(farthest) pixels and not be empty")
        }
    }
}
