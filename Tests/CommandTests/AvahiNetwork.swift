import Foundation
import PipTestSupport
import Testing

/// A local network of this machine alone, in which Avahi announces services, with a message bus of its own.
struct AvahiNetwork {
    /// The reason why there can be no such network: a program is missing, or a daemon runs already, which is the
    /// machine's only one.
    static let obstacle: String? = {
        let programs = [
            "/usr/sbin/avahi-daemon", "/usr/bin/avahi-browse", "/usr/bin/dbus-daemon", "/usr/bin/setpriv",
        ]
        guard programs.allSatisfy(FileManager.default.isExecutableFile) else {
            return "needs avahi-daemon and avahi-utils: `make test-setup` installs them"
        }
        guard geteuid() == 0 else { return "needs root, for Avahi's own folder in /run" }
        guard let text = try? String(contentsOfFile: "/run/avahi-daemon/pid", encoding: .utf8),
            let number = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)),
            // The file may be that of a killed daemon; a zombie has no command line.
            let command = try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8),
            command.contains("avahi-daemon")
        else { return nil }
        return "avahi-daemon runs already (process \(number))"
    }()

    /// The variables by which programs find the message bus.
    let environment: [String: String]
    private let folder: TemporaryFolder
    private let bus: MediaServer
    private let daemon: MediaServer

    /// Starts the message bus, without the daemon.
    init(in folder: TemporaryFolder) async throws {
        self.folder = folder
        let socket = folder.path("bus")
        environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(socket)"]
        let rules = """
            <busconfig>
            <type>system</type><listen>unix:path=\(socket)</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
            <allow send_type="method_call"/><allow send_type="signal"/><allow receive_type="method_call"/>
            <allow receive_type="method_return"/><allow receive_type="error"/><allow receive_type="signal"/></policy>
            </busconfig>
            """
        try folder.write(Array(rules.utf8), to: "bus.conf")
        let settings = """
            [server]
            host-name=board
            allow-interfaces=lo
            use-ipv6=no
            [publish]
            """
        try folder.write(Array((settings + "\n").utf8), to: "avahi.conf")
        bus = MediaServer(
            ["dbus-daemon", "--config-file", folder.path("bus.conf"), "--nofork", "--nopidfile"], in: folder.url)
        // The daemon closes the descriptor by which Foundation knows that a child lives: a shell keeps it, and the
        // daemon dies with the shell. The next one takes a killed daemon, which is a zombie for a while, for running.
        let command = "/usr/sbin/avahi-daemon --no-drop-root --no-chroot --no-rlimits --no-proc-title -f avahi.conf"
        daemon = MediaServer(
            ["env", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=\(socket)", "sh", "-c"]
                + ["rm -f /run/avahi-daemon/pid; setpriv --pdeathsig KILL \(command) & wait"], in: folder.url)
        try bus.start()
        try await waitUntil { FileManager.default.fileExists(atPath: socket) }
    }

    /// Starts the daemon.
    func start() throws { try daemon.start() }

    /// Kills the daemon, and waits until it has left the bus, where the next one takes its name.
    func stop() async throws {
        daemon.kill()
        try await waitUntil { try await browse("_rtsp._tcp").status != 0 }
    }

    /// Announces a service by Avahi's own program, until it is killed.
    func publish(_ name: String, _ type: String, port: Int) throws -> MediaServer {
        let program = MediaServer(
            ["env"] + environment.map { "\($0)=\($1)" } + [
                "avahi-publish-service", "--no-fail", name, type, "\(port)",
            ],
            in: folder.url)
        try program.start()
        return program
    }

    /// The lines of the services of a type that answer now, as `avahi-browse` prints them; none without a daemon.
    func services(_ type: String) async throws -> [String] {
        try await browse(type).text.split(separator: "\n").filter { $0.hasPrefix("=") }.map(String.init)
    }

    private func browse(_ type: String) async throws -> CommandProcess {
        try await CommandProcess(
            ["avahi-browse", "--resolve", "--parsable", "--terminate", type], of: URL(filePath: "/usr/bin/env"),
            in: folder.url, environment: environment)
    }
}
