import Foundation

/// Runs udev, which names devices, sets their groups and sends events, as on a normal system.
enum Udev {
    private static let daemon = "/lib/systemd/systemd-udevd"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: daemon) }

    /// Runs a function while udev runs in the guest.
    static func running<R>(_ body: () async throws -> R) async throws -> R {
        let program = try Background([daemon])
        defer {
            _ = try? runProgram(["udevadm", "control", "--exit"])
            program.stop()
            // Other tests must not take the leftover socket for a running udev.
            for folder in ["/run/udev", "/dev/v4l"] { try? FileManager.default.removeItem(atPath: folder) }
        }
        for _ in 0..<500 where !FileManager.default.fileExists(atPath: "/run/udev/control") {
            try await Task.sleep(for: .milliseconds(10))
        }
        try runProgram(["udevadm", "control", "--ping", "--timeout=10"])
        return try await body()
    }

    /// Waits until udev has processed all events.
    static func settle() throws { try runProgram(["udevadm", "settle", "--timeout=10"]) }
}
