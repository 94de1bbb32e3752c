/// The graph that a session draws, and the reasons for it: a value that only events change.
///
/// ``apply(_:)`` makes the next value, and returns the actions that the session's pipeline performs, in order. Facts
/// of an object (which sources are open, whether a camera delivers) stay with it, and are no part of the state.
struct SessionState: Sendable {
    /// The reason for drawing a graph, which decides the consequences of a failure.
    enum Origin: Sendable, Equatable {
        /// The first graph of the run. Its failure ends the session.
        case start
        /// A new GPU context. A failure ends the session.
        case newContext
        /// A draft, which becomes the wiring's graph once it is drawn.
        case draft
        /// The wiring's graph in a version. What cannot be drawn is undone there.
        case wiring(version: Int)
    }

    /// A graph that is being prepared, to be drawn in place of another.
    struct Proposal: Sendable {
        let graph: Graph
        let origin: Origin
        /// The motions from the drawn graph to this one, and the motions that go on.
        let motions: MotionSchedule
        /// The graph with the layers that are leaving: it is drawn in place of ``graph``.
        let plannedGraph: Graph
    }

    /// The node whose picture decides which source is the main one.
    private let root: NodeID?
    /// The graph that is drawn; nil before the first.
    private(set) var drawn: Graph?
    /// The graph to return to when another cannot be drawn.
    ///
    /// Differs from ``drawn`` while a draft is drawn that is not the wiring's yet.
    private(set) var accepted: Graph?
    /// The wiring's version of ``drawn``; nil while that is unknown.
    private(set) var version: Int?
    private(set) var proposal: Proposal?
    private(set) var motions = MotionSchedule()
    /// The relief in force.
    private(set) var relief = PressureRelief()
    /// The sources of the installed plan.
    ///
    /// Nil when even the same plan must be installed: nothing is installed, or a layer moves.
    private(set) var installed: Set<NodeID>?
    /// True when somebody has asked the session to stop.
    private(set) var isHurried = false
    /// True once the last frame was handed over.
    ///
    /// Nothing is opened or drawn any more.
    private(set) var isClosing = false
    /// The times of the GPU's resets within ``lossPeriod``.
    private var losses: [Timestamp] = []

    private static let mostLosses = 3
    private static let lossPeriod = Duration.seconds(60)

    init(root: NodeID? = nil) { self.root = root }

    /// The source that the output keeps time with.
    func main(of graph: Graph) -> NodeID? { graph.mainSource(of: root) }

    /// The sources that are open for a graph: those of its outputs, and those of its main picture, drawn or not.
    func sources(of graph: Graph) -> [NodeID] { graph.sources(below: graph.sinks + (root.map { [$0] } ?? [])) }

    /// True when the installed plan has these sources, and nothing moves before or after the proposal is drawn.
    func isInstalled(_ sources: Set<NodeID>) -> Bool { installed == sources && proposal?.motions.isEmpty == true }
}

// MARK: - Events

extension SessionState {
    /// An event that changes what a session draws.
    enum Event: Sendable {
        /// Somebody proposes a graph. Layers change from the drawn graph to it in the motion style; nil changes them at
        /// once.
        case proposed(Graph, Origin, MotionStyle? = nil)
        /// The render loop has taken over the proposal's plan, which draws some of these sources.
        case installed(sources: Set<NodeID>)
        /// All actions for the proposal were performed: it is drawn.
        case drawn
        /// The proposal cannot be drawn.
        case failed(Failure)
        /// The draft that is drawn has become the wiring's graph.
        case committed
        /// A draft was given up, drawn or not.
        case abandoned
        /// The failed proposal was undone in the wiring. The version is nil when others have edited it meanwhile.
        case undone(version: Int?)
        /// The motions with these numbers are over.
        case motionsEnded(Set<Int>)
        /// Pressure calls for another relief, or a camera is due for another attempt.
        case relieved(PressureRelief)
        /// The GPU was reset.
        case contextLost(at: Timestamp)
        /// The executors and the render loop have another GPU context.
        case contextReplaced
        case stopRequested
        /// The last frame was handed over.
        case ended
    }

    /// The reason why a proposal cannot be drawn.
    enum Failure: Sendable, Equatable {
        case output(OutputFailure)
        case other(SessionError)

        init(_ error: any Error) {
            self = if let error = error as? OutputFailure { .output(error) } else { .other(SessionError(any: error)) }
        }
    }

    /// A step of the session's pipeline.
    enum Action: Sendable, Equatable {
        /// Opens the proposal's sources that are not open. May fail.
        case openSources
        /// Changes the running cameras as the proposal says, all or none. May fail.
        case setCameras
        /// Plans the proposal, opens its outputs, and draws it from the next frame on. May fail.
        case draw
        /// Keeps the changes of cameras.
        case keepCameras
        /// Takes the changes of cameras back.
        case restoreCameras
        /// Closes all sources and outputs but these.
        case close(exceptSources: Set<NodeID>, exceptOutputs: Set<NodeID>)
        /// Makes cameras and outputs follow the relief in force.
        case relieve
        /// Proposes the wiring's graph as it is now.
        case redraw
        /// Removes an output that cannot be opened from the wiring, and reports that.
        case drop(OutputFailure)
        /// Takes the changes of the failed proposal back in the wiring.
        case undo(SessionError)
        /// Reports a change that was not made.
        case report(SessionError)
        /// Replaces the GPU context, and proposes the wiring's graph there. May fail.
        case replaceContext
        /// Gives all outputs a short time to be finished.
        case finishSoon
        /// Ends the session with an error.
        case end(SessionError)
    }
}

// MARK: - Transitions

extension SessionState {
    /// Goes over to the next state.
    ///
    /// - Returns: The actions to perform, in order. When an action fails, the rest is left out, and the failure is the
    ///   next event.
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
            // What takes no time comes first.
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
                graph.label(of: copy), "be written twice", .invalidOptions, "another output writes it already")
            return [.drop(OutputFailure(id: copy, error: error)), .redraw]
        }
        // A draft is drawn before the wiring has a version of it.
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
            // The output goes alone; the other changes are tried without it.
            self.proposal = nil
            return [.restoreCameras, .drop(failure), .redraw]
        case .other(let error):
            // When the session closes, nothing is opened any more: the graph is not to blame.
            guard !isClosing else {
                self.proposal = nil
                return [.restoreCameras]
            }
            // Without a change since it was drawn, the machine is to blame: the graph is right as it is.
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

    /// Makes another context, unless the GPU is reset so often that another would not last.
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
