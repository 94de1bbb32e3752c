import Foundation
import PipCompose
import PipTestSupport
import Testing

@testable import PipRig
@testable import pip_compose

/// Tests the messages to a service manager, which a socket of the test replaces.
@Suite("As a service", .serialized, .timeLimit(.minutes(2)))
struct ServiceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("messages reach the manager's socket, with a file or without", arguments: [true, false])
    func sends(_ hasFile: Bool) throws {
        let manager =
            try hasFile ? Manager(file: folder.url.path + "/notify") : Manager(abstract: "pip-\(UUID().uuidString)")
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": manager.name])
        notifier.isReady("64x32\nat 30")
        notifier.tell("camera lost")
        notifier.isStopping()
        #expect(
            manager.take() == [
                "READY=1\nSTATUS=64x32 at 30", "STATUS=camera lost", "STOPPING=1\nSTATUS=finishing the files",
            ])
    }

    @Test("signs of life are sent twice in the watchdog's time, however often the loop comes round")
    func paces() throws {
        let manager = try Manager(file: folder.url.path + "/notify")
        let notifier = ServiceNotifier(
            environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "42"], process: 42)
        #expect(notifier.hasWatchdog)
        for frame in 0..<90 { notifier.live(Timestamp(nanoseconds: Int64(frame) * 33_333_333)) }
        #expect(manager.take() == Array(repeating: "WATCHDOG=1", count: 6))
    }

    @Test("a watchdog that is meant for another process, or is none, gets no signs", arguments: ["43", "0", "x"])
    func otherProcess(_ value: String) {
        let environment = value == "43" ? ["WATCHDOG_USEC": "1000", "WATCHDOG_PID": value] : ["WATCHDOG_USEC": value]
        #expect(ServiceNotifier.watchdogInterval(environment, 42) == nil)
    }

    @Test("names that are no socket are ignored", arguments: ["", "/", "notify", String(repeating: "/x", count: 60)])
    func ignores(_ name: String) {
        #expect(ServiceNotifier.socketAddress(of: name) == nil)
        ServiceNotifier(environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000"]).isStopping()
    }

    @Test("row 66: a run is ready with its first frame, gives signs of life, and says that it stops")
    func runs() async throws {
        let manager = try Manager(file: folder.url.path + "/notify")
        let run = try await CommandProcess(
            ["--main", "pattern:bars?size=64x32", "--output", "null:", "--quiet"], in: folder.url,
            environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "100000"]
        ) { process in
            #expect(await manager.wait { $0.contains { $0.hasPrefix("READY=1\nSTATUS=64x32") } })
            #expect(await manager.wait { $0.count { $0 == "WATCHDOG=1" } >= 5 })
            process.send(SIGTERM)
            #expect(await manager.wait { $0.contains { $0.hasPrefix("STOPPING=1") } })
        }
        #expect(run.status == 0)
    }

    @Test("row 67: a service is ready without its camera, unless it is to refuse that", arguments: [false, true])
    func startsWithoutCamera(_ requiresBoth: Bool) async throws {
        let manager = try Manager(file: folder.url.path + "/notify")
        let run = try await CommandProcess(
            [
                "--main", "pattern:bars?size=64x32", "--inset", "/dev/video987", "--output", "null:", "--frames", "3",
                "--quiet",
            ] + (requiresBoth ? ["--require-both"] : []),
            in: folder.url, environment: ["NOTIFY_SOCKET": manager.name])
        #expect(run.status == (requiresBoth ? 66 : 0))
        #expect(manager.heard.contains { $0.hasPrefix("READY=1") } != requiresBoth)
    }

    @Test("row 66: a frame loop that is stuck gives no sign of life")
    func stuck() async throws {
        let manager = try Manager(file: folder.url.path + "/notify")
        _ = try folder.pipe("pipe.y4m")
        // The pipe has no reader and the output may not drop frames, so the render loop blocks for good.
        _ = try await CommandProcess(
            ["--main", "pattern:bars?size=64x32", "--output", "pipe.y4m", "--fps", "max", "--quiet"], in: folder.url,
            environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "100000"]
        ) { process in
            #expect(await manager.wait { $0.contains { $0.hasPrefix("READY=1") } })
            // The loop blocks only once the queue of the output is full.
            var before = -1
            var quiet = 0
            while quiet < 3 {
                try await Task.sleep(for: .milliseconds(250))
                let signs = manager.heard.count { $0 == "WATCHDOG=1" }
                quiet = signs == before ? quiet + 1 : 0
                before = signs
            }
            FaultReport.record(row: 66, figures: "stuck for 0.75 s of a watchdog's 0.1: no sign of life")
            process.send(SIGKILL)
        }
    }
}

/// A fake service manager: a datagram socket and the messages that it has received.
private final class Manager: Sendable {
    /// The value of `NOTIFY_SOCKET`.
    let name: String
    private let socket: Int32
    private let messages = Monitor<[String]>([])

    convenience init(file: String) throws { try self.init(name: file) }

    convenience init(abstract name: String) throws { try self.init(name: "@\(name)") }

    private init(name: String) throws {
        self.name = name
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let address = try #require(ServiceNotifier.socketAddress(of: name))
        let bound = unsafe address.withUnsafeBytes { raw in
            unsafe bind(socket, raw.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
        }
        guard bound == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit { close(socket) }

    /// All messages received so far.
    var heard: [String] {
        let arrived = take()
        return messages.update { all in
            all += arrived
            return all
        }
    }

    /// Takes the messages that have arrived since the previous call.
    func take() -> [String] {
        var messages: [String] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count >= 0 else { return messages }
            messages.append(String(decoding: bytes.prefix(count), as: UTF8.self))
        }
    }

    /// Waits until the messages meet a condition.
    ///
    /// - Returns: False if a minute passes first.
    func wait(for condition: ([String]) -> Bool) async -> Bool {
        for _ in 0..<6000 {
            if condition(heard) { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}
