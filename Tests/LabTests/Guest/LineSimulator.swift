import Foundation

/// A GPIO chip of the kernel's gpio-sim, whose lines a test pulls.
///
/// Source: the kernel's "Configfs GPIO Simulator".
struct LineSimulator {
    private static let folder = "/sys/kernel/config/gpio-sim/pip"

    /// Runs a function with a chip of 8 lines, with a label.
    static func with<R>(label: String, _ body: (LineSimulator) async throws -> R) async throws -> R {
        // The module stays: Linux 6.1 does not release it when a chip goes away while a line is requested.
        try runProgram(["modprobe", "gpio-sim"])
        try FileManager.default.createDirectory(atPath: "\(folder)/bank", withIntermediateDirectories: true)
        defer { for path in ["\(folder)/bank", folder] { _ = unsafe rmdir(path) } }
        let simulator = LineSimulator()
        try simulator.write("8", to: "bank/num_lines")
        try simulator.write(label, to: "bank/label")
        try simulator.plug()
        defer { try? simulator.unplug() }
        return try await body(simulator)
    }

    func plug() throws { try write("1", to: "live") }

    func unplug() throws { try write("0", to: "live") }

    /// Pulls a line up or down.
    func pull(_ line: Int, up isUp: Bool) throws {
        let device = try read("dev_name")
        let chip = try read("bank/chip_name")
        try Data((isUp ? "pull-up" : "pull-down").utf8).write(
            to: URL(filePath: "/sys/devices/platform/\(device)/\(chip)/sim_gpio\(line)/pull"))
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(Self.folder)/\(name)"))
    }

    private func read(_ name: String) throws -> String {
        try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8).trimmingCharacters(in: .newlines)
    }
}
