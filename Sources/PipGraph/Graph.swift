package import PipEffects
public import PipFrames

/// A source in the graph, of which this module needs only the name and the merging of changes.
///
/// The modules above implement cameras, files and patterns.
package protocol SourceSpecification: Sendable {
    /// The name in messages and plans, such as `/dev/video0` or `pattern:bars`.
    var label: String { get }

    /// Merges two changes of this source. Where both have changed the same property, `own` wins.
    func merging(_ own: any SourceSpecification, _ other: any SourceSpecification) -> any SourceSpecification
}

extension SourceSpecification {
    /// Returns `own`, because most sources never change.
    package func merging(
        _ own: any SourceSpecification, _ other: any SourceSpecification
    ) -> any SourceSpecification { own }
}

/// A sink in the graph, with its name and its destination.
public protocol SinkSpecification: Sendable {
    /// The name in messages and statistics, such as `out.y4m`.
    var label: String { get }
    /// The destination that the sink writes to; nil for a destination that several sinks may share.
    ///
    /// Only one sink can be connected to any other destination.
    var destination: SinkDestination? { get }
}

extension SinkSpecification {
    /// Nil: several sinks of this kind may be connected.
    public var destination: SinkDestination? { nil }
}

/// The destination that a sink writes to: a path or an address, or an object in memory.
public enum SinkDestination: Hashable, Sendable {
    /// A file, a pattern of files, a device, a screen, or the address of a stream.
    case path(String)
    /// An object in memory, such as a stream of frames.
    case object(ObjectIdentifier)
}

/// The nodes of a session and the edges between them, as a value.
///
/// Read a graph to learn how an app has connected its nodes.
public struct Graph: Sendable {
    /// The nodes in the order in which they were added to this graph.
    package private(set) var order: [NodeID] = []
    private var records: [NodeID: Record] = [:]

    /// The kind of a node, with its properties.
    package enum Record: Sendable {
        case source(any SourceSpecification)
        case filter(FilterRecord)
        case compositor(Composition)
        case blend(BlendMode, BlendInputs)
        case sink(SinkRecord)
    }

    package init() {}

    /// The record of a node; nil when the node is not in the graph.
    package subscript(id: NodeID) -> Record? { records[id] }

    /// Adds or replaces a node.
    package mutating func set(_ record: Record, for id: NodeID) {
        if records.updateValue(record, forKey: id) == nil { order.append(id) }
    }

    package mutating func remove(_ id: NodeID) {
        records[id] = nil
        order.removeAll { $0 == id }
    }

    mutating func remove(_ ids: Set<NodeID>) {
        for id in ids { records[id] = nil }
        order.removeAll(where: ids.contains)
    }

    /// Adds the nodes of another graph, replacing nodes with the same IDs.
    package mutating func merge(_ other: Graph) {
        for id in other.order {
            if let record = other.records[id] { set(record, for: id) }
        }
    }
}

/// The properties of a sink in the graph: its input, and the size and rate of its frames.
package struct SinkRecord: Sendable {
    /// The sink's name and destination.
    package let specification: any SinkSpecification
    /// The node whose frames the sink takes; nil while the sink is not connected.
    package internal(set) var input: NodeID?
    /// The size of the sink's frames; nil takes the size that the sink requests, or else the picture's.
    package let size: PixelSize?
    /// The highest rate at which the sink gets frames; nil gives it all frames.
    package let frameRate: FrameRate?
    /// The time from one frame of the sink to the next; nil gives the sink the frames of ``frameRate``.
    package let interval: Duration?
    /// True while the sink is paused and gets no frames.
    package var isPaused = false

    package init(
        _ specification: any SinkSpecification, input: NodeID?, size: PixelSize? = nil, frameRate: FrameRate? = nil,
        interval: Duration? = nil
    ) {
        self.specification = specification
        self.input = input
        self.size = size
        self.frameRate = frameRate
        self.interval = interval
    }
}

// MARK: - Queries

extension Graph {
    /// The nodes whose frames a node takes, in order.
    ///
    /// A node may occur several times.
    public func inputs(of id: NodeID) -> [NodeID] {
        switch self[id] {
        case .filter(let filter): filter.input.map { [$0] } ?? []
        case .sink(let sink): sink.input.map { [$0] } ?? []
        case .compositor(let composition): composition.layers.map(\.input)
        case .blend(_, let inputs): [inputs.base, inputs.overlay] + (inputs.mask.map { [$0] } ?? [])
        case .source, nil: []
        }
    }

    /// The sinks, in the order in which they were added to this graph.
    public var sinks: [NodeID] { order.filter { sink($0) != nil } }

    /// The record of a sink; nil when the node is not a sink.
    package func sink(_ id: NodeID) -> SinkRecord? { if case .sink(let sink)? = self[id] { sink } else { nil } }

    /// The sources that sinks take frames from, directly or through other nodes, in the order in which they were added
    /// to this graph.
    public var sources: [NodeID] { sources(below: sinks) }

    /// The sources among the given nodes, and those that the nodes take frames from, directly or through other nodes.
    ///
    /// The order is that in which the sources were added to this graph.
    package func sources(below nodes: [NodeID]) -> [NodeID] {
        let used = reachable(from: nodes)
        return order.filter { id in
            guard case .source? = self[id] else { return false }
            return used.contains(id)
        }
    }

    /// The given nodes, together with all nodes that they take frames from, directly or through other nodes.
    package func reachable(from nodes: some Sequence<NodeID>) -> Set<NodeID> {
        var seen: Set<NodeID> = []
        var waiting = Array(nodes)
        while let id = waiting.popLast() {
            if seen.insert(id).inserted { waiting += inputs(of: id) }
        }
        return seen
    }

    /// The name of a node in messages, such as a file's path or an effect's title.
    ///
    /// `unknown node` when the node is not in the graph.
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
    /// Sets a filter's input; does nothing for other nodes.
    mutating func connect(_ id: NodeID, to input: NodeID) {
        guard case .filter(var filter)? = self[id] else { return }
        filter.input = input
        set(.filter(filter), for: id)
    }

    /// Removes a connected filter from the graph.
    ///
    /// The filter's consumers then take their frames from the filter's input.
    package mutating func bypass(_ id: NodeID) {
        guard case .filter(let filter)? = self[id], let input = filter.input else { return }
        remove(id)
        redirect(id, to: input)
    }

    /// Removes a connected filter from its chain, but keeps it in the graph without an input.
    mutating func detach(_ id: NodeID) {
        guard case .filter(var filter)? = self[id], let input = filter.input else { return }
        filter.input = nil
        set(.filter(filter), for: id)
        redirect(id, to: input)
    }

    /// Makes all consumers of a node, except `kept`, take frames from another node.
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
