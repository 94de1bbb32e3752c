#if Media
import Foundation
import Glibc
import PipConcurrency
import PipFrames
import PipTestSupport

/// A desktop for one test: a message bus, on which a portal may run, and PipeWire with cameras.
///
/// The desktop's programs end when the object is released.
final class DesktopSession {
    /// The portal's answer to a request for cameras.
    enum Answer: String {
        case granted = "0"
        case refused = "1"
        case ended = "2"
        case never
    }

    /// The address of the message bus.
    let address: String
    private let folder: TemporaryFolder
    private var processes: [Process] = []

    private static let program = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Python/camera-portal.py").path

    /// Starts a message bus without services.
    init() throws {
        folder = try TemporaryFolder()
        let output = Pipe()
        let bus = Process()
        bus.executableURL = URL(filePath: "/usr/bin/env")
        bus.arguments = ["dbus-daemon", "--session", "--nofork", "--print-address"]
        bus.standardOutput = output
        bus.standardError = FileHandle.nullDevice
        try bus.run()
        processes.append(bus)
        var said = Data()
        while !said.contains(UInt8(ascii: "\n")) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            said += more
        }
        address = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit { for process in processes.reversed() { Self.end(process) } }

    /// Starts a portal, and waits until the portal owns its name on the bus.
    ///
    /// - Parameters:
    ///   - answer: The portal's answer to a request for cameras.
    ///   - hasPipeWire: True when the portal's connections lead to this desktop's PipeWire; false when they lead
    ///     nowhere.
    /// - Throws: The error of the portal's program.
    func startPortal(_ answer: Answer, hasPipeWire: Bool = false) throws {
        // Only the system's Python has the bindings to GLib.
        try start(
            ["/usr/bin/python3", Self.program, address, answer.rawValue]
                + (hasPipeWire ? [folder.path("pipewire-0")] : []), says: "portal")
        try wait("the portal") { calls.first == "ready" }
    }

    /// The lines that the portal has printed: `ready`, the calls that it has received, and the connections that closed.
    var calls: [String] {
        let said = (try? String(contentsOfFile: folder.path("portal"), encoding: .utf8)) ?? ""
        return said.split(separator: "\n").map(String.init)
    }

    /// Starts PipeWire and its session manager, which ignores the devices of this machine.
    func startPipeWire() throws {
        let settings = folder.url.appending(path: "wireplumber")
        for (name, monitors) in [("main", ["alsa", "v4l2", "libcamera"]), ("bluetooth", ["bluez"])] {
            let place = settings.appending(path: "\(name).lua.d")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try monitors.map { "\($0)_monitor.enabled = false\n" }.joined()
                .write(to: place.appending(path: "89-no-devices.lua"), atomically: true, encoding: .utf8)
        }
        try start(["pipewire"], says: "pipewire.log")
        try wait("PipeWire") { FileManager.default.fileExists(atPath: folder.path("pipewire-0")) }
        try start(["wireplumber"], says: "wireplumber.log")
    }

    /// Plugs in a camera whose pictures show `pattern`, and waits until PipeWire lists the camera.
    func plugIn(_ name: String, pattern: String) throws -> Process {
        let source = "videotestsrc is-live=true pattern=\(pattern) ! video/x-raw,format=I420,width=320,height=240,"
        let words =
            source.split(separator: " ").map(String.init)
            + ["!", "pipewiresink", "mode=provide", "client-name=\(name)"]
            + ["stream-properties=p,media.class=Video/Source,media.role=Camera"]
        let camera = try start(
            ["gst-launch-1.0", "-q"] + words.map { $0.hasSuffix(",") ? "\($0)framerate=30/1" : $0 }, says: "\(name).log"
        )
        let list = ["env", "XDG_RUNTIME_DIR=\(folder.url.path)", "pw-cli", "ls", "Node"]
        try wait(name) { (try? runProgram(list))?.contains("node.name = \"\(name)\"") == true }
        return camera
    }

    /// Unplugs a camera, by killing the process that provides it.
    func unplug(_ camera: Process) { Self.end(camera) }

    @discardableResult
    private func start(_ words: [String], says file: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging([
            "XDG_RUNTIME_DIR": folder.url.path, "XDG_CONFIG_HOME": folder.url.path, "HOME": folder.url.path,
            "DBUS_SESSION_BUS_ADDRESS": address,
        ]) { $1 }
        try Data().write(to: URL(filePath: folder.path(file)))
        let output = try FileHandle(forWritingTo: URL(filePath: folder.path(file)))
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        processes.append(process)
        return process
    }

    private static func end(_ process: Process) {
        guard process.isRunning else { return }
        // A process of the test may ignore SIGTERM, and its children inherit this.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// The error of a wait whose condition did not hold in time.
struct NothingCame: Error, CustomStringConvertible {
    let description: String
}

/// Waits until a condition holds, for at most a minute.
func wait(_ what: String, until condition: () -> Bool) throws {
    let end = MonotonicClock().now.advanced(by: .seconds(60))
    while !condition() {
        guard MonotonicClock().now < end else { throw NothingCame(description: "\(what) did not come within a minute") }
        Thread.sleep(forTimeInterval: 0.01)
    }
}
#endif
