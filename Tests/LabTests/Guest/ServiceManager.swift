import Foundation
import Testing

/// A systemd that runs in the guest, in its own process and mount namespaces.
final class ServiceManager {
    /// The file to which the services print.
    static let log = "/run/pip-lab-service.log"
    private static let units = "/run/systemd/system"
    private let starter: Background
    private let process: String

    /// Starts systemd with the packaged `pip-compose@.service`, and with the program that was built with the tests.
    init() throws {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "pip-compose").path
        // The unit denies access to users' folders, so the program is mounted at `/usr/bin`.
        try Self.write("", to: "/usr/bin/pip-compose")
        try runProgram(["mount", "--bind", program, "/usr/bin/pip-compose"])
        let unit = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Packaging/systemd/pip-compose@.service")
        try runProgram(["mkdir", "-p", Self.units, "/etc/pip-compose"])
        try runProgram(["cp", unit.path, Self.units])
        try Self.write("[Unit]\nDefaultDependencies=no\n", to: "\(Self.units)/lab.target")
        starter = try Background([
            "unshare", "--fork", "--kill-child", "--pid", "--mount-proc", "--mount", "--", "env", "container=lab",
            "/lib/systemd/systemd", "--system", "--unit=lab.target", "--log-target=null", "--show-status=no",
        ])
        var found = ""
        for _ in 0..<200 where found.isEmpty {
            usleep(50_000)
            found = (try? runProgram(["pgrep", "--full", "--newest", "^/lib/systemd/systemd --system"])) ?? ""
        }
        process = found.trimmingCharacters(in: .whitespacesAndNewlines)
        guard try wait(for: { (try? control("list-units")) != nil }) else {
            throw ProgramFailure(command: "systemd", said: "it does not answer")
        }
    }

    deinit {
        starter.stop()
        _ = try? runProgram(["umount", "--lazy", "/usr/bin/pip-compose"])
    }

    /// Installs a service that composes a configuration.
    ///
    /// - Parameters:
    ///   - name: The instance of the service, as in `pip-compose@NAME`.
    ///   - configuration: The text for `/etc/pip-compose/NAME.yaml`.
    ///   - lines: Further lines for the section `[Service]` of the unit.
    /// - Throws: ``ProgramFailure`` if systemd refuses the unit.
    func define(_ name: String, _ configuration: String, _ lines: String...) throws {
        try Self.write(configuration, to: "/etc/pip-compose/\(name).yaml")
        let folder = "\(Self.units)/pip-compose@\(name).service.d"
        try runProgram(["mkdir", "-p", folder])
        // The guest has no other services on which the unit could depend, and no journal.
        let text = ["[Unit]", "DefaultDependencies=no", "[Service]", "StandardError=append:\(Self.log)"]
        try Self.write((text + lines).joined(separator: "\n") + "\n", to: "\(folder)/lab.conf")
        try control("daemon-reload")
    }

    /// Replaces the configuration of a service, like a user with an editor.
    func edit(_ name: String, _ configuration: String) throws {
        try Self.write(configuration, to: "/etc/pip-compose/\(name).yaml")
    }

    /// Runs `systemctl`, and returns its output.
    @discardableResult
    func control(_ words: String...) throws -> String { try enter(["systemctl", "--no-pager"] + words) }

    /// Runs a program in the namespaces of the services, and returns its output.
    @discardableResult
    func enter(_ words: [String]) throws -> String {
        try runProgram(["nsenter", "--target", process, "--pid", "--mount"] + words)
    }

    /// The value of a property of a service, such as `MainPID`, as systemd reports it.
    func property(_ property: String, of name: String) throws -> String {
        try control("show", "--property=\(property)", "--value", "pip-compose@\(name).service")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits until a condition is true.
    ///
    /// Returns false if a minute passes first.
    func wait(for condition: () throws -> Bool) throws -> Bool {
        for _ in 0..<600 {
            if try condition() { return true }
            usleep(100_000)
        }
        return false
    }

    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
