import Foundation
import PipTestSupport
import Testing

@Suite("The service's unit")
struct ServiceUnitTests {
    private static let name = "pip-compose@.service"
    private let folder: TemporaryFolder
    private let text: String

    init() throws {
        folder = try TemporaryFolder()
        text = try Place.text("systemd/\(Self.name)")
    }

    @Test("systemd accepts every line of the unit", .needs("systemd-analyze"))
    func isUnderstood() async throws {
        // systemd-analyze requires that the program of the unit exists.
        let unit = text.replacing("/usr/bin/pip-compose", with: Place.program.path)
        try folder.write(Array(unit.utf8), to: Self.name)
        let verification = try await Tool(["systemd-analyze", "verify", "--man=no", folder.path(Self.name)])
        #expect(verification.status == 0)
        #expect(verification.said.isEmpty)
    }

    @Test("systemd-analyze rates the unit's exposure at 2.0 or less", .needs("systemd-analyze"))
    func isHardened() async throws {
        let path = Place.packaging.appending(path: "systemd/\(Self.name)").path
        let security = try await Tool(["systemd-analyze", "security", "--offline=true", "--threshold=20", path])
        #expect(security.status == 0, "\(security.said)")
    }

    @Test(
        "the unit has the settings that the service depends on",
        arguments: [
            "Type=notify", "WatchdogSec=10s", "DynamicUser=yes", "SupplementaryGroups=video render audio",
            "ProtectSystem=strict", "Restart=on-failure", "RestartPreventExitStatus=64 78",
            "ExecStart=/usr/bin/pip-compose run /etc/pip-compose/%i.yaml", "ExecReload=/bin/kill -HUP $MAINPID",
        ])
    func promises(_ line: String) { #expect(text.split(separator: "\n").contains(Substring(line))) }
}
