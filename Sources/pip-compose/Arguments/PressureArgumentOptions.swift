import ArgumentParser
import FoundationEssentials
import Glibc
import PipCompose
import PipRig

/// The options `--pressure-…`, for the response to heat, power and load.
struct PressureArgumentOptions: ParsableArguments {
    static let rootHelp = ArgumentHelp("Read the sensors below this folder, in place of /.", valueName: "folder")

    @Option(
        help: ArgumentHelp(
            """
            What is given up under heat, low power or load, and in which order: balanced, keep-fps, keep-resolution, keep-both-cameras, off, \
            or a YAML file, which SIGHUP reads again.
            """, valueName: "name|file"),
        transform: { try PolicyArgument($0) })
    var pressurePolicy = PolicyArgument.preset(.balanced)

    @Flag(help: "When the machine is about to shut down for heat, wait and go on by itself instead of ending.")
    var pressureWait = false

    @Option(help: rootHelp)
    var pressureRoot = "/"

    @Option(
        help: ArgumentHelp(
            "Hold the pressure at nominal, fair, serious, critical or shutdown, to see what the policy does.",
            valueName: "level"),
        transform: { try PressureLevel(argument: $0) })
    var pressurePin: PressureLevel?

    /// The pressure settings that these options select.
    ///
    /// Reads the policy's file, if there is one.
    func settings() throws(ConfigurationError) -> RigFile.PressureSettings {
        var settings = RigFile.PressureSettings()
        settings.policy = try pressurePolicy.policy()
        if case .file(let path) = pressurePolicy { settings.policyPath = path }
        (settings.pinned, settings.waits, settings.root) = (pressurePin, pressureWait, pressureRoot)
        return settings
    }

    /// Throws ``UsageError`` for a `--pressure-root` that is not a readable folder.
    static func check(root: String) throws(UsageError) {
        guard FileManager.default.isReadableFile(atPath: root + "/.") else {
            throw UsageError("--pressure-root: \(root) is not a folder that can be read")
        }
    }
}
