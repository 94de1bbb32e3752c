import ArgumentParser
import PipCompose

/// `pip-compose devices`: the cameras.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the cameras, their formats, sizes and rates, and how to name each.")

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        let report = DeviceReport(CameraDirectory())
        Terminal.standardOutput.write((json ? report.document.pretty : report.text) + "\n")
    }
}
