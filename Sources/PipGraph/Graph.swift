public import PipEffects

/// What a source node is, as far as the graph cares: something that can be named.
///
/// Cameras, files and patterns are told apart above.
public protocol SourceSpecification: Sendable {
    /// How messages and plans refer to it: `/dev/video0`, `pattern:bars`.
    var label: String { get }
}

/// What a sink node is, as far as the graph cares.
public protocol SinkSpecification: Sendable {
    /// How messages and statistics refer to it: `out.y4m`.
    var label: String { get }
}

/// What the user wired: nodes and the edges between them.
///
/// A value; the planner makes a plan of it.
public struct Graph: Sendable {
    /// The nodes in the order in which they were made.
    public private(set) var order: [NodeID] = []
    private var records: [NodeID: Record] = [:]

    /// One node.
    public enum Record: Sendable {
        case source(any SourceSpecification)
        case filter(FilterRecord)
        case compositor(Composition)
        case blend(BlendMode, BlendInputs)
        case sink(any SinkSpecification, input: NodeID?)
    }

    package init() {}

    public subscript(id: NodeID) -> Record? { records[id] }

    /// Adds or replaces a node.
    package mutating func set(_ record: Record, for id: NodeID) {
        if records.updateValue(record, forKey: id) == nil { order.append(id) }
    }

    package mutating func remove(_ id: NodeID) {
        records[id] = nil
        order.removeAll { $0 == id }
    }

    /// Takes a filter out of its chain: what took frames from it takes them from where it did.
    package mutating func bypass(_ id: NodeID) {
        guard case .filter(let filter)? = records[id], let input = filter.input else { return }
        remove(id)
        redirect(id, to: input)
    }

    /// Whatever takes frames from one node takes them from another instead.
    package mutating func redirect(_ old: NodeID, to new: NodeID, except kept: NodeID? = nil) {
        for id in order where id != kept {
            switch records[id] {
            case .filter(var filter) where filter.input == old:
                filter.input = new
                records[id] = .filter(filter)
            case .sink(let sink, old): records[id] = .sink(sink, input: new)
            case .blend(let mode, let inputs):
                let mask = inputs.mask == old ? new : inputs.mask
                let (base, overlay) = (
                    inputs.base == old ? new : inputs.base, inputs.overlay == old ? new : inputs.overlay
                )
                records[id] = .blend(mode, BlendInputs(base: base, overlay: overlay, mask: mask))
            case .compositor(var composition):
                for index in composition.layers.indices where composition.layers[index].input == old {
                    composition.layers[index].input = new
                }
                records[id] = .compositor(composition)
            default: continue
            }
        }
    }

    /// Takes in the nodes of another graph.
    package mutating func merge(_ other: Graph) {
        for id in other.order {
            if let record = other.records[id] { set(record, for: id) }
        }
    }

    /// The nodes that a node takes frames from, in order; a node may occur twice.
    public func inputs(of id: NodeID) -> [NodeID] {
        switch records[id] {
        case .filter(let filter): filter.input.map { [$0] } ?? []
        case .sink(_, let input): input.map { [$0] } ?? []
        case .compositor(let composition): composition.layers.map(\.input)
        case .blend(_, let inputs): [inputs.base, inputs.overlay] + (inputs.mask.map { [$0] } ?? [])
        case .source, nil: []
        }
    }

    /// The sinks, in the order in which they were made.
    public var sinks: [NodeID] { order.filter { if case .sink = records[$0] { true } else { false } } }

    /// The sources that sinks draw on, directly or not, in the order in which they were made.
    public var sources: [NodeID] {
        var seen: Set<NodeID> = []
        var waiting = sinks
        while let id = waiting.popLast() {
            if seen.insert(id).inserted { waiting += inputs(of: id) }
        }
        return order.filter { id in
            guard case .source = records[id] else { return false }
            return seen.contains(id)
        }
    }

    /// How messages refer to a node.
    public func label(of id: NodeID) -> String {
        switch records[id] {
        case .source(let source): source.label
        case .filter(let filter): type(of: filter.effect).name
        case .compositor(let composition): composition.canvas.map { "compositor \($0)" } ?? "compositor"
        case .blend(let mode, _): "\(mode.kind.rawValue) blend"
        case .sink(let sink, _): sink.label
        case nil: "unknown node"
        }
    }
}
