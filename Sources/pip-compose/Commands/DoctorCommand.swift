import ArgumentParser
import PipCompose
import PipRig

/// `pip-compose doctor`: checks this machine, and says how to mend its problems.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check this machine, and say how to mend what is missing.",
        usage: HelpPage.usage("pip-compose doctor [--measure] [--json] [options]"),
        discussion: discussion.text)

    private static let discussion: HelpPage = [
        .paragraph("The command ends with 0 when test patterns can be composed here, and with 69 when not.")
    ]

    @Flag(help: "Print JSON, for programs.")
    var json = false

    @Flag(help: "Run each camera for three seconds, too, to see whether it delivers what it promises.")
    var measure = false

    @Option(help: PressureArgumentOptions.rootHelp)
    var pressureRoot = "/"

    @Option(
        help: ArgumentHelp("The policy whose thresholds the temperatures are compared with.", valueName: "name|file"),
        transform: { try PolicyArgument($0) })
    var pressurePolicy = PolicyArgument.preset(.balanced)

    func run() async throws {
        try PressureArgumentOptions.check(root: pressureRoot)
        let sensors = PressureCheck(root: pressureRoot, thresholds: try pressurePolicy.policy().thresholds)
        let diagnosis = await Diagnosis.make(sensors, measuringRates: measure)
        Terminal.standardOutput.write((json ? diagnosis.document.pretty : diagnosis.text) + "\n")
        if !diagnosis.canCompose { throw ExitStatus.unavailable.code }
    }
}
