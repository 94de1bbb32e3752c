import ArgumentParser
import Logging
import PipCompose
import PipRig

/// `pip-compose explain`: prints the plan and the predicted cost of a composition, and draws nothing.
struct ExplainCommand: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
        case dot
    }

    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Print what compose would draw, and run nothing.",
        usage: HelpPage.usage("pip-compose explain [--format text|json|dot] [the options of compose]"),
        discussion: discussion.text)

    private static let discussion: HelpPage = [
        .paragraph(
            """
            Write explain in front of the options of a composition. Its sources are opened and negotiated, but nothing \
            is drawn and no file is made.
            """),
        .paragraph("For Graphviz:"),
        .command("pip-compose explain --format dot … | dot -Tsvg"),
    ]

    @Option(help: ArgumentHelp("The format of the plan.", valueName: "text|json|dot"))
    var format = Format.text
    @OptionGroup(title: "Picture") var composition: CompositionOptions
    @OptionGroup(title: "Accepted, without effect here") var running: RunOptions
    @OptionGroup(title: "Heat, power and load") var pressure: PressureArgumentOptions
    @OptionGroup(title: "Report") var reporting: ReportOptions

    func run() async throws {
        var composition = composition
        let console = Console(reporting)
        console.takeEngineMessages()
        do {
            if composition.output.isEmpty {
                composition.output = [try SinkArgument("null:")]
                console.write("no --output: the plan is for null:, which discards all frames", .warning)
            }
            let (rig, note) = try composition.rig()
            if let note { console.write(note, .warning, event: "test-pattern") }
            composition.warnOfEffects(on: console)
            let response = try pressure.settings().options
            try PressureArgumentOptions.check(root: response.root)
            let environment = RunEnvironment(
                pressure: response, pace: .realTime, waitsForCameras: false,
                logger: console.logger(reporting.level))
            let session = try await EntryPoint.interrupts.cancelling {
                try await LiveRig(rig, options: environment.options).session
            }
            let expectation = try await Expectation(session, response.policy)
            Terminal.standardOutput.write(text(session, expectation) + "\n")
        } catch {
            if let status = EntryPoint.interrupts.exitStatus { throw ExitCode(status) }
            throw error
        }
    }

    private func text(_ session: Session, _ expectation: Expectation) -> String {
        switch format {
        case .text:
            return "drawn by \(session.renderer), \(session.outputRate) fps\n"
                + session.busLoads.map { "bus \($0)\n" }.joined() + session.plan.description(of: session.graph) + "\n"
                + expectation.text
        case .json:
            var document = session.plan.json(of: session.graph, renderer: session.renderer.description)
            expectation.add(to: &document)
            return document.pretty
        case .dot: return session.plan.dot(of: session.graph)
        }
    }
}
