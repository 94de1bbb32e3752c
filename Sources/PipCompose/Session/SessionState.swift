/// The graph that a session draws, the graph being prepared, and the relief in force.
///
/// Only events change this value.
///
/// ``apply(_:)`` makes the next state, and returns the actions that the session's pipeline performs, in order. Facts of
/// an object, such as which sources are open or whether a camera delivers, stay in that object.
struct SessionState: Sendable {
    /// The reason for drawing a graph, which decides the consequences of a failure.
    enum Origin: Sendable, Equatable {
        /// The first graph of the run. A failure ends the session.
        case start
        /// A new GPU context. A failure ends the session.
        case newContext
        /// A draft, which becomes the wiring's graph once it is drawn.
        case draft
        /// A version of the wiring's graph. Changes that cannot be drawn are undone in the wiring.
        case wiring(version: Int)
    }

    /// A graph that is being prepared, to replace the drawn graph.
    struct Proposal: Sendable {
        let graph: Graph
        let origin: Origin
        /// The motions from the drawn graph to this graph, and the motions in progress.
        let motions: MotionSchedule
        /// The graph with the layers that are leaving.
        ///
        /// The session draws this graph instead of ``graph``.
        let plannedGraph: Graph
    }

    /// The node whose picture decides which source is the main one; nil without sinks.
    private let root: NodeID?
    /// The graph that is drawn; nil before the first graph is drawn.
    private(set) var drawn: Graph?
    /// The graph to return to when another graph cannot be drawn.
    ///
    /// Differs from ``drawn`` while the drawn graph is a draft that is not yet the wiring's graph.
    private(set) var accepted: Graph?
    /// The wiring's version number of ``drawn``; nil while the version is unknown.
    private(set) var version: Int?
    private(set) var proposal: Proposal?
    private(set) var motions = MotionSchedule()
    /// The pressure relief in force.
    private(set) var relief = PressureRelief()
    /// The sources of the installed plan.
    ///
    /// Nil when even an equal plan must be installed: no plan is installed, or a layer moves or has keyframes.
    private(set) var installed: Set<NodeID>?
    /// True when the session was asked to stop.
    private(set) var isHurried = false
    /// True once the session closes: nothing is opened or drawn afterwards.
    private(set) var isClosing = false
    /// The times of the GPU resets within the last ``lossPeriod``.
    private var losses: [Timestamp] = []

    private static let mostLosses = 3
    private static let lossPeriod = Duration.seconds(60)

    init(root: NodeID? = nil) { self.root = root }

    /// The main source of a graph: the source of the bottom layer of the root's picture; nil without sources.
    func main(of graph: Graph) -> NodeID? { graph.mainSource(of: root) }

    /// The sources to keep open for a graph: all that its outputs and its main picture use, drawn or not.
    func sources(of graph: Graph) -> [NodeID] { graph.sources(below: graph.sinks + (root.map { [$0] } ?? [])) }

    /// True when the installed plan has exactly these sources, and no layer moves or has keyframes before or after the
    /// proposal.
    func isInstalled(_ sources: Set<NodeID>) -> Bool { installed == sources && proposal?.motions.isEmpty == true }
}

// MARK: - Events

extension SessionState {
    /// An event that changes what a session draws.
    enum Event: Sendable {
        /// A graph is proposed. Layers change from the drawn graph to the proposed one in the motion style; nil changes
        /// the layers at once.
        case proposed(Graph, Origin, MotionStyle? = nil)
        /// The render loop has installed the proposal's plan, with these sources.
        case installed(sources: Set<NodeID>)
        /// All actions for the proposal were performed, and the proposed graph is drawn.
        case drawn
        /// The proposal cannot be drawn.
        case failed(Failure)
        /// The draft that is drawn has become the wiring's graph.
        case committed
        /// A draft was abandoned, drawn or not.
        case abandoned
        /// The failed proposal was undone in the wiring. The version is nil when other edits have come in between.
        case undone(version: Int?)
        /// The motions with these IDs have ended.
        case motionsEnded(Set<Int>)
        /// The pressure policy demands a relief, perhaps the relief in force.
        case relieved(PressureRelief)
        /// The GPU was reset.
        case contextLost(at: Timestamp)
        /// The executors and the render loop use a new GPU context.
        case contextReplaced
        case stopRequested
        /// The session closes: the last frame was delivered, or the session has failed.
        case ended
    }

    /// The reason for which a proposal cannot be drawn.
    enum Failure: Sendable, Equatable {
        case output(OutputFailure)
        case other(SessionError)

        init(_ error: any Error) {
            self = if let error = error as? OutputFailure { .output(error) } else { .other(SessionError(any: error)) }
        }
    }

    /// An action for the session's pipeline to perform.
    enum Action: Sendable, Equatable {
        /// Opens the proposal's sources, and the files that its outputs read, if they are not open yet. May fail.
        case openSources
        /// Applies the proposal's camera settings to the running cameras, all or none. May fail.
        case setCameras
        /// Plans the proposal, opens its outputs, and draws it from the next frame on. May fail.
        case draw
        /// Makes the cameras' new settings final.
        case keepCameras
        /// Restores the cameras' former settings.
        case restoreCameras
        /// Closes all sources and outputs except the listed ones.
        case close(exceptSources: Set<NodeID>, exceptOutputs: Set<NodeID>)
        /// Applies the relief in force to the outputs, the render loop and the cameras.
        case relieve
        /// Proposes the wiring's present graph.
        case redraw
        /// Removes an output that cannot be opened from the wiring, and reports its error.
        case drop(OutputFailure)
        /// Reverts the failed proposal's changes in the wiring.
        case undo(SessionError)
        /// Reports that a change was not made.
        case report(SessionError)
        /// Replaces the GPU context, and proposes the wiring's graph for the new one. May fail.
        case replaceContext
        /// Finishes all outputs, within the closing time at most.
        case finishSoon
        /// Ends the session with an error.
        case end(SessionError)
    }
}

// MARK: - Transitions

extension SessionState {
    /// Applies an event to the state.
    ///
    /// - Returns: The actions to perform, in order. When an action fails, the caller skips the later actions. The
    ///   failure of a proposal's action is the next event.
    mutating func apply(_ event: Event) -> [Action] {
        switch event {
        case .proposed(let graph, let origin, let style): return propose(graph, origin, style)
        case .installed(let sources): installed = proposal?.motions.isEmpty == true ? sources : nil
        case .drawn: return settle()
        case .failed(let failure): return refuse(failure)
        case .committed: accepted = drawn
        case .abandoned:
            version = nil
            return [.redraw]
        case .undone(let version): (self.version, proposal) = (version, nil)
        case .motionsEnded(let numbers): motions.forget(numbers)
        case .relieved(let relief):
            let needsPlan = relief.effects != self.relief.effects
            self.relief = relief
            // The relief takes effect before the plan, which takes longer.
            return needsPlan ? [.relieve, .redraw] : [.relieve]
        case .contextLost(let time): return lose(at: time)
        case .contextReplaced: installed = nil
        case .stopRequested:
            isHurried = true
            return isClosing ? [.finishSoon] : []
        case .ended: isClosing = true
        }
        return []
    }

    private mutating func propose(_ graph: Graph, _ origin: Origin, _ style: MotionStyle?) -> [Action] {
        proposal = nil
        guard !isClosing else { return [] }
        if case .wiring = origin, let copy = graph.duplicateSinks.first {
            let error = SinkError(
                graph.label(of: copy), "be written twice", .invalidOptions,
                "another output writes to the same destination")
            return [.drop(OutputFailure(id: copy, error: error)), .redraw]
        }
        // A draft is drawn before it has a version in the wiring.
        if origin == .draft { version = nil }
        var motions = motions
        motions.change(from: drawn, to: graph, style)
        proposal = Proposal(
            graph: graph, origin: origin, motions: motions, plannedGraph: motions.addingLeavingLayers(to: graph))
        return [.openSources, .setCameras, .draw]
    }

    private mutating func settle() -> [Action] {
        guard let proposal else { return [] }
        (drawn, motions) = (proposal.graph, proposal.motions)
        if proposal.origin != .draft { accepted = proposal.graph }
        if case .wiring(let version) = proposal.origin { self.version = version }
        self.proposal = nil
        return [.keepCameras, close(allBut: proposal.plannedGraph), .relieve]
    }

    private mutating func refuse(_ failure: Failure) -> [Action] {
        guard let proposal else { return [] }
        guard case .wiring(let version) = proposal.origin else {
            self.proposal = nil
            return [.restoreCameras]
        }
        switch failure {
        case .output(let failure):
            // Only the output is dropped; the other changes are tried again without it.
            self.proposal = nil
            return [.restoreCameras, .drop(failure), .redraw]
        case .other(let error):
            // While the session closes, sources fail to open whatever the graph is.
            guard !isClosing else {
                self.proposal = nil
                return [.restoreCameras]
            }
            // The graph has not changed since it was drawn: a failure of the machine is no reason to undo anything.
            guard let accepted, version != self.version else {
                self.proposal = nil
                return [.restoreCameras, .report(error)]
            }
            return [.restoreCameras, .undo(error), close(allBut: accepted), .report(error)]
        }
    }

    private func close(allBut graph: Graph) -> Action {
        .close(exceptSources: Set(sources(of: graph)), exceptOutputs: Set(graph.sinks))
    }

    /// Requests a new context, or ends the session at the third reset within a minute.
    private mutating func lose(at time: Timestamp) -> [Action] {
        losses.removeAll { $0.duration(to: time) > Self.lossPeriod }
        losses.append(time)
        guard losses.count < Self.mostLosses else {
            return [
                .end(.gpu(GLError("go on drawing", call: "glGetGraphicsResetStatus", reason: .contextLost)))
            ]
        }
        return [.replaceContext]
    }
}
