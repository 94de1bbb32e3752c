import PipCapture
import PipEffects
import PipFrames
import PipPressure
import PipTestSupport

@testable import PipCompose

/// Performs a session state's actions as the session's pipeline does, on sets instead of devices and files.
struct SessionMachine {
    /// The inputs of the drawn picture.
    struct Picture: Equatable {
        var sources: Set<NodeID> = []
        var sinks: Set<NodeID> = []
        var layers: [LayerRecord] = []
        var gone: Set<NodeID> = []
        var effects = EffectQuality.full
    }

    var state: SessionState
    /// The graph that the nodes' handles change, and its version.
    var wiring: (graph: Graph, version: Int)
    private(set) var sources: Set<NodeID> = []
    private(set) var outputs: Set<NodeID> = []
    /// The settings of the open cameras.
    private(set) var settings: [NodeID: CameraSetup] = [:]
    /// The settings last requested from the open cameras, as the registry of sources records them.
    private(set) var requested: [NodeID: CameraSetup] = [:]
    /// The cameras whose changes are pending: neither kept nor taken back yet.
    private var changedCameras: Set<NodeID> = []
    private(set) var picture = Picture()
    /// The relief that cameras and outputs follow.
    private(set) var relief = PressureRelief()
    private(set) var reports = 0
    /// The sources that deliver no frames.
    var gone: Set<NodeID> = []
    /// Chooses the actions that fail; nil lets all actions succeed.
    var faults: Dice?
    private(set) var hasEnded = false

    init(_ graph: Graph, root: NodeID?) {
        wiring = (graph, 1)
        state = SessionState(root: root)
    }

    mutating func edit(to graph: Graph) { wiring = (graph, wiring.version + 1) }

    mutating func handle(_ event: SessionState.Event) throws {
        for action in state.apply(event) { try perform(action) }
    }

    mutating func propose(_ graph: Graph, _ origin: SessionState.Origin, _ style: MotionStyle? = nil) throws {
        do {
            try handle(.proposed(graph, origin, style))
        } catch {
            try handle(.failed(SessionState.Failure(error)))
            throw error
        }
        try handle(.drawn)
    }

    mutating func redraw() {
        guard !state.isClosing else { return }
        try? propose(wiring.graph, .wiring(version: wiring.version))
    }

    /// Draws a graph as a draft, and commits the draft; a draft that cannot be drawn is abandoned.
    ///
    /// `editedMeanwhile` is another change of the wiring during the drawing.
    mutating func commit(_ graph: Graph, _ style: MotionStyle?, editedMeanwhile: Graph? = nil) {
        do {
            try propose(graph, .draft, style)
            if let editedMeanwhile {
                edit(to: editedMeanwhile)
                try propose(graph, .draft, style)
            }
            edit(to: graph)
            try handle(.committed)
        } catch {
            try? handle(.abandoned)
        }
    }

    /// Reports the end of all motions, as the render loop does after the last frame of each motion.
    mutating func endMotions() {
        try? handle(.motionsEnded(Set(state.motions.tracks.values.map(\.number))))
        redraw()
    }

    /// Reports that the GPU's context is lost.
    mutating func loseContext(at time: Timestamp) {
        do { try handle(.contextLost(at: time)) } catch { hasEnded = true }
    }

    private mutating func perform(_ action: SessionState.Action) throws {
        switch action {
        case .openSources: try openSources()
        case .setCameras: try setCameras()
        case .draw: try draw()
        case .keepCameras:
            for id in changedCameras { requested[id] = settings[id] }
            changedCameras = []
        case .restoreCameras:
            for id in changedCameras { settings[id] = requested[id] }
            changedCameras = []
        case .close(let wantedSources, let wantedOutputs):
            sources.formIntersection(wantedSources)
            outputs.formIntersection(wantedOutputs)
            settings = settings.filter { wantedSources.contains($0.key) }
            requested = requested.filter { wantedSources.contains($0.key) }
        case .relieve: relief = state.relief
        case .redraw: redraw()
        case .drop(let failure):
            var graph = wiring.graph
            graph.remove(failure.id)
            edit(to: graph)
        case .undo:
            guard let failed = state.proposal?.graph, let accepted = state.accepted else { return }
            var graph = wiring.graph
            graph.undo(failed, to: accepted)
            edit(to: graph)
            try handle(.undone(version: wiring.version))
        case .report: reports += 1
        case .replaceContext:
            try handle(.contextReplaced)
            try propose(wiring.graph, .newContext)
        case .finishSoon: break
        case .end(let error): throw error
        }
    }

    private mutating func openSources() throws {
        guard let graph = state.proposal?.plannedGraph else { return }
        for id in state.sources(of: graph) where !sources.contains(id) {
            if fails() { throw SessionError.ended("a source") }
            sources.insert(id)
            settings[id] = graph.camera(id)
            requested[id] = graph.camera(id)
        }
    }

    private mutating func setCameras() throws {
        guard let graph = state.proposal?.graph else { return }
        let changed = requested.filter { id, setup in graph.camera(id).map { $0 != setup } ?? false }
        if !changed.isEmpty && fails() { throw SessionError.ended("a camera") }
        for id in changed.keys { settings[id] = graph.camera(id) }
        changedCameras = Set(changed.keys)
    }

    private mutating func draw() throws {
        guard let proposal = state.proposal else { return }
        if fails() { throw SessionError.ended("the plan") }
        for id in proposal.graph.sinks where !outputs.contains(id) {
            if fails() {
                throw OutputFailure(id: id, error: SinkError("a sink", "open", .invalidOptions, "it is a test"))
            }
            outputs.insert(id)
        }
        let drawn = Set(state.sources(of: proposal.plannedGraph))
        let layers = proposal.plannedGraph.order.compactMap { id -> Composition? in
            if case .compositor(let composition)? = proposal.plannedGraph[id] { composition } else { nil }
        }
        let next = Picture(
            sources: drawn, sinks: Set(proposal.graph.sinks), layers: layers.flatMap(\.layers),
            gone: gone.intersection(drawn), effects: state.relief.effects)
        guard next != picture || !state.isInstalled(drawn) else { return }
        picture = next
        try handle(.installed(sources: drawn))
    }

    private mutating func fails() -> Bool { faults?.isOne(in: 6) ?? false }
}

/// The graphs between which the tests change.
enum SessionGraphs {
    static let cameras = [NodeID(), NodeID()]
    static let file = NodeID()
    static let picture = NodeID()
    static let layers = [NodeID(), NodeID(), NodeID()]
    static let sinks = [NodeID(), NodeID(), NodeID()]

    struct File: SourceSpecification {
        var label: String { "file" }
    }

    struct Sink: SinkSpecification {
        var label: String { "sink" }
        var destination: SinkDestination?
    }

    /// A graph with a compositor of some cameras and a file, connected to some sinks.
    static func graph(
        cameras: [CameraWish], hasFile: Bool = true, sinks: Int = 1, opacity: Double = 1,
        destination: SinkDestination? = nil
    ) -> Graph {
        var graph = Graph()
        var inputs: [NodeID] = []
        if hasFile {
            graph.set(.source(File()), for: file)
            inputs.append(file)
        }
        for (index, wish) in cameras.enumerated() {
            let id = Self.cameras[index]
            let setup = CameraSetup(.path("/dev/video\(index)"), wish: wish)
            graph.set(.source(CameraSpecification(label: "camera \(index)", setup: setup)), for: id)
            inputs.append(id)
        }
        let layers = inputs.enumerated().map { index, input in
            var layer = LayerRecord(input, id: Self.layers[index])
            layer.look.opacity = index == 0 ? 1 : opacity
            return layer
        }
        graph.set(.compositor(Composition(canvas: PixelSize(64, 48), layers: layers)), for: picture)
        for id in Self.sinks.prefix(sinks) {
            graph.set(.sink(SinkRecord(Sink(destination: destination), input: picture)), for: id)
        }
        return graph
    }

    /// Graphs with different sources, camera settings, layers and sinks.
    static let all: [Graph] = {
        var graphs: [Graph] = []
        let (small, large) = (CameraWish(size: PixelSize(320, 240)), CameraWish(size: .hd720))
        for cameras in [[], [small], [large], [small, large], [large, small]] {
            for hasFile in [true, false] where hasFile || !cameras.isEmpty {
                for sinks in 1...2 {
                    for opacity in [0.25, 1] {
                        graphs.append(graph(cameras: cameras, hasFile: hasFile, sinks: sinks, opacity: opacity))
                    }
                }
            }
        }
        return graphs
    }()
}

extension Dice {
    /// True with a probability of 1 in `count`.
    mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
