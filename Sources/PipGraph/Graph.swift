package import PipEffects
public import PipFrames

/// A source as the graph sees it: something that can be named.
///
/// Cameras, files and patterns are told apart above.
package protocol SourceSpecification: Sendable {
    /// The name in messages and plans: `/dev/video0`, `pattern:bars`.
    var label: String { get }

    /// Joins two changes of this one; where both have changed the same, `own` wins.
    func merging(_ own: any SourceSpecification, _ other: any SourceSpecification) -> any SourceSpecification
}

extension SourceSpecification {
    /// Itself: most sources stay what they were made as.
    package func merging(
        _ own: any SourceSpecification, _ other: any SourceSpecification
    ) -> any SourceSpecification { own }
}

/// A sink as the graph sees it.
public protocol SinkSpecification: Sendable {
    /// The name in messages and statistics: `out.y4m`.
    var label: String { get }
    /// Equal for two sinks that would write to the same place: only one of them can be connected at a time. Nil for a
    /// sink that any number can be like.
    var destination: SinkDestination? { get }
}

extension SinkSpecification {
    /// None: two sinks of this kind never collide.
    public var destination: SinkDestination? { nil }
}

/// The place that a sink writes to.
public enum SinkDestination: Hashable, Sendable {
    /// A file, a pattern of files, or a device.
    case path(String)
    /// An object in memory, such as a stream of frames.
    case object(ObjectIdentifier)
}

/// The user's wiring: nodes and the edges between them.
///
/// A value; the planner makes a plan of it.
public struct Graph: Sendable {
    /// The nodes in the order in which they were made.
    package private(set) var order: [NodeID] = []
    private var records: [NodeID: Record] = [:]

    /// One node.
    package enum Record: Sendable {
        case source(any SourceSpecification)
        case filter(FilterRecord)
        case compositor(Composition)
        case blend(BlendMode, BlendInputs)
        case sink(SinkRecord)
    }

    package init() {}

    /// The record of a node; nil for one that is not in the graph.
    package subscript(id: NodeID) -> Record? { records[id] }

    /// Adds or replaces a node.
    package mutating func set(_ record: Record, for id: NodeID) {
        if records.updateValue(record, forKey: id) == nil { order.append(id) }
    }

    package mutating func remove(_ id: NodeID) {
        records[id] = nil
        order.removeAll { $0 == id }
    }

    /// Removes nodes, if they are there.
    mutating func remove(_ ids: Set<NodeID>) {
        for id in ids { records[id] = nil }
        order.removeAll(where: ids.contains)
    }

    /// Takes in the nodes of another graph.
    package mutating func merge(_ other: Graph) {
        for id in other.order {
            if let record = other.records[id] { set(record, for: id) }
        }
    }
}

/// A sink with the node that it draws on, and the conditions under which it is given frames.
package struct SinkRecord: Sendable {
    /// The sink's description.
    package let specification: any SinkSpecification
    /// The node that it takes frames from; nil while it is not connected.
    package internal(set) var input: NodeID?
    /// The size of its frames; nil takes the sink's own, else the size of the picture.
    package let size: PixelSize?
    /// The most frames a second that it is given; nil gives it all.
    package let frameRate: FrameRate?
    /// True when it is given no frames for now.
    package var isPaused = false

    package init(
        _ specification: any SinkSpecification, input: NodeID?, size: PixelSize? = nil, frameRate: FrameRate? = nil
    ) {
        self.specification = specification
        self.input = input
        self.size = size
        self.frameRate = frameRate
    }
}

// MARK: - Asking

extension Graph {
    /// The nodes that a node takes frames from, in order; a node may occur twice.
    public func inputs(of id: NodeID) -> [NodeID] {
        switch self[id] {
        case .filter(let filter): filter.input.map { [$0] } ?? []
        case .sink(let sink): sink.input.map { [$0] } ?? []
        case .compositor(let composition): composition.layers.map(\.input)
        case .blend(_, let inputs): [inputs.base, inputs.overlay] + (inputs.mask.map { [$0] } ?? [])
        case .source, nil: []
        }
    }

    /// The sinks, in the order in which they were made.
    public var sinks: [NodeID] { order.filter { sink($0) != nil } }

    /// The sinks that are given frames, in the order in which they were made.
    package var activeSinks: [NodeID] { order.filter { sink($0)?.isPaused == false } }

    /// The record of a sink; nil for another node.
    package func sink(_ id: NodeID) -> SinkRecord? { if case .sink(let sink)? = self[id] { sink } else { nil } }

    /// The sources that sinks draw on, directly or not, in the order in which they were made.
    public var sources: [NodeID] { sources(below: sinks) }

    /// The sources that some nodes draw on, directly or not, in the order in which they were made.
    package func sources(below nodes: [NodeID]) -> [NodeID] {
        let used = reachable(from: nodes)
        return order.filter { id in
            guard case .source? = self[id] else { return false }
            return used.contains(id)
        }
    }

    /// Some nodes with all that they draw on.
    package func reachable(from nodes: some Sequence<NodeID>) -> Set<NodeID> {
        var seen: Set<NodeID> = []
        var waiting = Array(nodes)
        while let id = waiting.popLast() {
            if seen.insert(id).inserted { waiting += inputs(of: id) }
        }
        return seen
    }

    /// The name of a node in messages.
    public func label(of id: NodeID) -> String {
        switch self[id] {
        case .source(let source): source.label
        case .filter(let filter): filter.effect.title
        case .compositor(let composition): composition.canvas.map { "compositor \($0)" } ?? "compositor"
        case .blend(let mode, _): "\(mode.kind.rawValue) blend"
        case .sink(let sink): sink.specification.label
        case nil: "unknown node"
        }
    }
}

// MARK: - Rewiring

extension Graph {
    /// Connects a filter's input.
    mutating func connect(_ id: NodeID, to input: NodeID) {
        guard case .filter(var filter)? = self[id] else { return }
        filter.input = input
        set(.filter(filter), for: id)
    }

    /// Takes a filter out of its chain, and out of the graph: its consumers take frames from its input.
    package mutating func bypass(_ id: NodeID) {
        guard case .filter(let filter)? = self[id], let input = filter.input else { return }
        remove(id)
        redirect(id, to: input)
    }

    /// Takes a filter out of its chain, and keeps it in the graph, without an input.
    mutating func detach(_ id: NodeID) {
        guard case .filter(var filter)? = self[id], let input = filter.input else { return }
        filter.input = nil
        set(.filter(filter), for: id)
        redirect(id, to: input)
    }

    /// Makes all consumers of one node, but for `kept`, take frames from another.
    package mutating func redirect(_ old: NodeID, to new: NodeID, except kept: NodeID? = nil) {
        for id in order where id != kept {
            switch self[id] {
            case .filter(var filter) where filter.input == old:
                filter.input = new
                set(.filter(filter), for: id)
            case .sink(var sink) where sink.input == old:
                sink.input = new
                set(.sink(sink), for: id)
            case .blend(let mode, var inputs) where [inputs.base, inputs.overlay, inputs.mask].contains(old):
                if inputs.base == old { inputs.base = new }
                if inputs.overlay == old { inputs.overlay = new }
                if inputs.mask == old { inputs.mask = new }
                set(.blend(mode, inputs), for: id)
            case .compositor(var composition) where composition.layers.contains(where: { $0.input == old }):
                for index in composition.layers.indices where composition.layers[index].input == old {
                    composition.layers[index].input = new
                }
                set(.compositor(composition), for: id)
            default: continue
            }
        }
    }
}
