import PipCapture
import PipEffects
import PipFrames
import PipPressure
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("The state of a session")
struct SessionStateTests {
    private typealias State = SessionState

    private static let small = CameraWish(size: PixelSize(320, 240))
    private static let first = SessionGraphs.graph(cameras: [small])
    private static let second = SessionGraphs.graph(cameras: [small, small], sinks: 2)
    private static let prepare: [SessionState.Action] = [.openSources, .setCameras, .draw]
    private static let style = MotionStyle(duration: .seconds(1), easing: .linear, transition: .fade)
    private static let error = SessionError.ended("a test")
    private static let output = OutputFailure(
        id: SessionGraphs.sinks[1], error: SinkError("a sink", "open", .invalidOptions, "it is a test"))

    /// The state after drawing the first graph, with version 1 of the wiring.
    private static func drawn() -> SessionState {
        var state = SessionState(root: SessionGraphs.picture)
        for (origin, _) in [(State.Origin.start, 0), (.wiring(version: 1), 1)] {
            _ = state.apply(.proposed(first, origin))
            _ = state.apply(.installed(sources: Set(state.sources(of: first))))
            _ = state.apply(.drawn)
        }
        return state
    }

    private static func close(allBut graph: Graph) -> SessionState.Action {
        .close(
            exceptSources: Set(graph.sources(below: [SessionGraphs.picture])), exceptOutputs: Set(graph.sinks))
    }

    /// A row of the transition table.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The events after the first graph was drawn and before `event`.
        var before: [SessionState.Event] = []
        var event: SessionState.Event
        var actions: [SessionState.Action]

        init(
            _ name: String, after before: [SessionState.Event] = [], _ event: SessionState.Event,
            _ actions: [SessionState.Action]
        ) {
            (testDescription, self.before, self.event, self.actions) = (name, before, event, actions)
        }
    }

    static let rows: [Row] = {
        let edit = State.Event.proposed(second, .wiring(version: 2))
        let draft = State.Event.proposed(second, .draft)
        var blurred = PressureRelief()
        blurred.effects = .reduced
        var paused = PressureRelief()
        paused.isPaused = true
        let copies = SessionGraphs.graph(cameras: [], sinks: 2, destination: .path("a file"))
        let copyError = SinkError(
            "sink", "be written twice", .invalidOptions, "another output writes to the same destination")
        let gpuError = GLError("go on drawing", call: "glGetGraphicsResetStatus", reason: .contextLost)
        return [
            Row("an edit is prepared", edit, prepare),
            Row(
                "an edit that is drawn keeps its cameras, and what it has no more is closed", after: [edit], .drawn,
                [.keepCameras, close(allBut: second), .relieve]),
            Row(
                "a source stays open until its layer has left",
                after: [draft, .drawn, .proposed(first, .draft, style)],
                .drawn,
                [
                    .keepCameras,
                    .close(
                        exceptSources: Set(second.sources(below: [SessionGraphs.picture])),
                        exceptOutputs: Set(first.sinks)), .relieve,
                ]),
            Row(
                "an edit that cannot be drawn is undone", after: [edit], .failed(.other(error)),
                [.restoreCameras, .undo(error), close(allBut: first), .report(error)]),
            Row(
                "an output that cannot be opened goes alone", after: [edit], .failed(.output(output)),
                [.restoreCameras, .drop(output), .redraw]),
            Row(
                "a graph that was drawn before is not undone: the machine is to blame",
                after: [.proposed(first, .wiring(version: 1))], .failed(.other(error)),
                [.restoreCameras, .report(error)]),
            Row(
                "an undone edit that cannot be drawn either is not undone again",
                after: [edit, .failed(.other(error)), .undone(version: 3), .proposed(first, .wiring(version: 3))],
                .failed(.other(error)), [.restoreCameras, .report(error)]),
            Row(
                "an undone edit that others have edited meanwhile is undone again",
                after: [edit, .failed(.other(error)), .undone(version: nil), .proposed(first, .wiring(version: 4))],
                .failed(.other(error)), [.restoreCameras, .undo(error), close(allBut: first), .report(error)]),
            Row(
                "of two outputs that write the same the second goes", .proposed(copies, .wiring(version: 2)),
                [.drop(OutputFailure(id: SessionGraphs.sinks[1], error: copyError)), .redraw]),
            Row("a draft is prepared", draft, prepare),
            Row(
                "a draft that cannot be drawn is its author's", after: [draft], .failed(.other(error)),
                [.restoreCameras]),
            Row(
                "a draft's output that cannot be opened is, too", after: [draft], .failed(.output(output)),
                [.restoreCameras]),
            Row(
                "after a draft that was given up the wiring is drawn", after: [draft, .failed(.other(error))],
                .abandoned, [.redraw]),
            Row(
                "a drawn draft that was given up is taken back to the graph before it",
                after: [draft, .drawn, .abandoned, .proposed(second, .wiring(version: 2))], .failed(.other(error)),
                [.restoreCameras, .undo(error), close(allBut: first), .report(error)]),
            Row(
                "a draft that was committed needs nothing else", after: [draft, .drawn], .committed,
                []),
            Row(
                "a committed draft is what the next edit is undone to",
                after: [draft, .drawn, .committed, .proposed(first, .wiring(version: 3))], .failed(.other(error)),
                [.restoreCameras, .undo(error), close(allBut: second), .report(error)]),
            Row("a relief that effects do not feel takes no plan", .relieved(paused), [.relieve]),
            Row("a relief of effects takes a plan", .relieved(blurred), [.relieve, .redraw]),
            Row("the same relief asks cameras again", after: [.relieved(blurred)], .relieved(blurred), [.relieve]),
            Row("a lost context is replaced", .contextLost(at: Timestamp(nanoseconds: 10)), [.replaceContext]),
            Row(
                "the third lost context of a minute ends the session",
                after: [
                    .contextLost(at: Timestamp(nanoseconds: 0)),
                    .contextLost(at: Timestamp(nanoseconds: 30_000_000_000)),
                ], .contextLost(at: Timestamp(nanoseconds: 60_000_000_000)),
                [.end(.gpu(gpuError))]),
            Row(
                "contexts that were lost a minute ago do not count",
                after: [
                    .contextLost(at: Timestamp(nanoseconds: 0)),
                    .contextLost(at: Timestamp(nanoseconds: 30_000_000_000)),
                ], .contextLost(at: Timestamp(nanoseconds: 90_000_000_001)),
                [.replaceContext]),
            Row(
                "a new context that draws nothing ends the session, with the graph as it is",
                after: [.contextReplaced, .proposed(first, .newContext)], .failed(.other(error)), [.restoreCameras]),
            Row("a stop lets the last frames be drawn", .stopRequested, []),
            Row("a stop after the last frame hurries the files", after: [.ended], .stopRequested, [.finishSoon]),
            Row("after the last frame nothing is opened", after: [.ended], edit, []),
            Row(
                "what is not opened any more is no mistake of the graph's", after: [edit, .ended],
                .failed(.other(error)), [.restoreCameras]),
        ]
    }()

    @Test("each event leads to the listed actions", arguments: rows)
    func transition(_ row: Row) {
        var state = Self.drawn()
        for event in row.before { _ = state.apply(event) }
        #expect(state.apply(row.event) == row.actions)
    }

    @Test("the same plan is installed again only during a motion or on a new context")
    func installation() {
        var state = Self.drawn()
        let sources = Set(state.sources(of: Self.first))
        _ = state.apply(.proposed(Self.first, .wiring(version: 2)))
        #expect(state.isInstalled(sources))
        #expect(!state.isInstalled([]))
        let moved = SessionGraphs.graph(cameras: [Self.small], opacity: 0.25)
        _ = state.apply(.proposed(moved, .draft, Self.style))
        #expect(!state.isInstalled(sources))
        _ = state.apply(.installed(sources: sources))
        _ = state.apply(.drawn)
        #expect(state.installed == nil)
        #expect(!state.motions.isEmpty)
        _ = state.apply(.motionsEnded(Set(state.motions.tracks.values.map(\.number))))
        #expect(state.motions.isEmpty)
        _ = state.apply(.proposed(moved, .wiring(version: 3)))
        #expect(!state.isInstalled(sources))
        _ = state.apply(.installed(sources: sources))
        #expect(state.installed == sources)
        _ = state.apply(.contextReplaced)
        #expect(state.installed == nil)
    }

    @Test("after any events, the state equals that of a new session with the last graph", arguments: 0..<100)
    func sequences(seed: Int) throws {
        var dice = Dice(seed)
        for _ in 0..<1000 {
            var machine = SessionMachine(Self.first, root: SessionGraphs.picture)
            try machine.propose(machine.wiring.graph, .start)
            for _ in 0..<Int.random(in: 1...6, using: &dice) where !machine.hasEnded { step(&machine, &dice) }
            // A session that has ended with its third lost context draws nothing more.
            if machine.hasEnded { continue }
            machine.faults = nil
            machine.redraw()
            machine.endMotions()
            var other = SessionMachine(machine.wiring.graph, root: SessionGraphs.picture)
            other.gone = machine.gone
            try other.handle(.relieved(machine.state.relief))
            try other.propose(other.wiring.graph, .start)
            try #require(difference(machine, other) == nil, "seed \(seed)")
        }
    }

    private func step(_ machine: inout SessionMachine, _ dice: inout Dice) {
        machine.faults = dice.isOne(in: 2) ? Dice(Int(truncatingIfNeeded: dice.next())) : nil
        let graph = SessionGraphs.all.randomElement(using: &dice) ?? Graph()
        switch Int.random(in: 0..<8, using: &dice) {
        case 0, 1:
            machine.edit(to: graph)
            machine.redraw()
        case 2: machine.commit(graph, nil)
        case 3: machine.commit(graph, Self.style)
        case 4: machine.commit(graph, Self.style, editedMeanwhile: SessionGraphs.all.randomElement(using: &dice))
        case 5:
            machine.gone.formSymmetricDifference([SessionGraphs.cameras[Int.random(in: 0...1, using: &dice)]])
            machine.redraw()
        case 6:
            var relief = PressureRelief()
            relief.effects = [.full, .reduced].randomElement(using: &dice) ?? .full
            relief.insetIsOff = dice.isOne(in: 2)
            try? machine.handle(.relieved(relief))
        default:
            if dice.isOne(in: 2) { machine.endMotions() }
            machine.loseContext(at: Timestamp(nanoseconds: Int64.random(in: 0..<300_000_000_000, using: &dice)))
        }
    }

    /// The first difference between two machines in words; nil if they are equal.
    private func difference(_ machine: SessionMachine, _ other: SessionMachine) -> String? {
        let graph = machine.wiring.graph
        if machine.state.drawn?.order != graph.order { return "the graph that is drawn" }
        if machine.state.accepted?.order != graph.order { return "the graph to return to" }
        if machine.state.version != machine.wiring.version { return "the version" }
        if machine.state.proposal != nil { return "a graph that is still being prepared" }
        if !machine.state.motions.isEmpty || !machine.state.motions.leaving.isEmpty { return "motions" }
        if machine.state.installed != other.state.installed { return "the installed sources" }
        if machine.picture != other.picture { return "the picture" }
        if machine.sources != other.sources { return "the open sources" }
        if machine.settings != other.settings { return "the cameras' settings" }
        if machine.requested != other.requested { return "the settings that were requested" }
        if machine.outputs != other.outputs { return "the open outputs" }
        if machine.relief != other.relief { return "the relief" }
        return nil
    }
}
