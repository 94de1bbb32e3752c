import ArgumentParser
import PipCompose
import PipInputs
import PipRig

/// `pip-compose devices`: lists the cameras, the microphones or the devices of triggers, and assigns roles to cameras.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract:
            "List the cameras, their formats, sizes and rates, and how to name each; or the microphones, or the keys, GPIO lines, accelerometers and CAN buses.",
        usage: HelpPage.usage("pip-compose devices [--audio | --inputs] [--json] [--set ROLE=CAMERA]..."))

    @Flag(help: "List the microphones, each with the camera that it is built into.")
    var audio = false

    @Flag(
        help:
            "List the keys, GPIO lines and accelerometers that triggers (--on) can read, and the CAN buses of --telemetry."
    )
    var inputs = false

    @Flag(help: "Print JSON, for programs.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Save which camera is the front, back or external one, or the default: front=camera:1, front=none. As root: for all users and services.",
            valueName: "ROLE=CAMERA"),
        transform: { try RoleAssignment($0) })
    var set: [RoleAssignment] = []

    func validate() throws {
        if audio, inputs { throw ValidationError("--audio and --inputs are two lists; ask for one of them") }
    }

    func run() throws {
        if !set.isEmpty {
            let path = try RoleAssignment.save(set, CameraDirectory())
            Terminal.standardError.write("written to \(path)\n")
        }
        let (document, text) = try lists
        Terminal.standardOutput.write((json ? document.pretty : text) + "\n")
    }

    private var lists: (JSON, String) {
        get throws {
            if audio {
                let report = try MicrophoneReport(AudioDirectory(), cameras: CameraDirectory())
                return (report.document, report.text)
            }
            if inputs {
                let report = InputReport(survey: InputSurvey())
                return (report.document, report.text)
            }
            let report = DeviceReport(CameraDirectory(), asksPortal: true)
            return (report.document, report.text)
        }
    }
}
