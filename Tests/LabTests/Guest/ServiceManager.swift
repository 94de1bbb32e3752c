import Foundation
import Testing

/// The guest's service manager, a systemd in namespaces of its own.
final class ServiceManager {
    /// The output of the services.
    static let log = "/run/pip-lab-service.log"
    private static let units = "/run/systemd/system"
    private let starter: Background
    private let process: String

    /// Starts systemd with the packaged `pip-compose@.service` and the program that is built beside the tests.
    init() throws {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "pip-compose").path
        // The service cannot access a user's folder, but a file that is mounted elsewhere.
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

    /// Starts a service that composes a configuration.
    ///
    /// - Parameters:
    ///   - name: The instance of the service, `pip-compose@NAME`.
    ///   - configuration: The text of `/etc/pip-compose/NAME.yaml`.
    ///   - lines: Additional lines for the service's unit.
    /// - Throws: ``ProgramFailure`` when systemd refuses it.
    func define(_ name: String, _ configuration: String, _ lines: String...) throws {
        try Self.write(configuration, to: "/etc/pip-compose/\(name).yaml")
        let folder = "\(Self.units)/pip-compose@\(name).service.d"
        try runProgram(["mkdir", "-p", folder])
        // The guest has no other services to depend on, and no journal.
        let text = ["[Unit]", "DefaultDependencies=no", "[Service]", "StandardError=append:\(Self.log)"]
        try Self.write((text + lines).joined(separator: "\n") + "\n", to: "\(folder)/lab.conf")
        try control("daemon-reload")
    }

    /// Replaces the configuration of a service, as an editor does.
    func edit(_ name: String, _ configuration: String) throws {
        try Self.write(configuration, to: "/etc/pip-compose/\(name).yaml")
    }

    /// Runs systemctl.
    @discardableResult
    func control(_ words: String...) throws -> String { try enter(["systemctl", "--no-pager"] + words) }

    /// Runs a program among the services' processes.
    @discardableResult
    func enter(_ words: [String]) throws -> String {
        try runProgram(["nsenter", "--target", process, "--pid", "--mount"] + words)
    }

    /// A property of a service, by systemd.
    func property(_ property: String, of name: String) throws -> String {
        try control("show", "--property=\(property)", "--value", "pip-compose@\(name).service")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits for a condition, for a minute at most.
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
