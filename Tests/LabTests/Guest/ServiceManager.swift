import Foundation
import Testing

/// systemd as the guest's service manager, in namespaces of its own, with `pip-compose@.service` as it is packaged and
/// the program that is built beside the tests.
final class ServiceManager {
    /// What the services print.
    static let log = "/run/pip-lab-service.log"
    private static let units = "/run/systemd/system"
    private let starter: Background
    private let process: String

    init() throws {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "pip-compose").path
        // A folder of the user's is closed to the service; a file that is mounted elsewhere is not.
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
        for _ in 0..<200 where (try? control("list-units")) == nil { usleep(50_000) }
    }

    deinit {
        starter.stop()
        _ = try? runProgram(["umount", "--lazy", "/usr/bin/pip-compose"])
    }

    /// Lets a service of this name run `pip-compose` with other arguments, and says what else is other.
    func define(_ name: String, _ arguments: String, _ lines: String...) throws {
        try Self.write("what it composes is on its command line\n", to: "/etc/pip-compose/\(name).yaml")
        let folder = "\(Self.units)/pip-compose@\(name).service.d"
        try runProgram(["mkdir", "-p", folder])
        let text = [
            "[Unit]", "DefaultDependencies=no", "[Service]", "ExecStart=",
            "ExecStart=/usr/bin/pip-compose \(arguments)",
            "StandardError=append:\(Self.log)",
        ]
        try Self.write((text + lines).joined(separator: "\n") + "\n", to: "\(folder)/lab.conf")
        try control("daemon-reload")
    }

    /// Runs systemctl.
    @discardableResult
    func control(_ words: String...) throws -> String { try enter(["systemctl", "--no-pager"] + words) }

    /// Runs a program among the services' processes.
    @discardableResult
    func enter(_ words: [String]) throws -> String {
        try runProgram(["nsenter", "--target", process, "--pid", "--mount"] + words)
    }

    /// What systemd says of a service.
    func property(_ property: String, of name: String) throws -> String {
        try control("show", "--property=\(property)", "--value", "pip-compose@\(name).service")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits for a minute at most for what is to come about.
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
