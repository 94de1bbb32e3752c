#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipSound
import PipTestSupport
import Testing

@testable import PipMedia

@Suite(
    "PulseAudio", .serialized, .timeLimit(.minutes(2)),
    .enabled(
        if: FileManager.default.fileExists(atPath: "/usr/bin/pulseaudio"),
        "pulseaudio is not installed: make test installs it"))
struct PulseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var server: String { "unix:\(folder.path("native"))" }

    /// Starts a sound server with a virtual card, whose playback can be recorded.
    ///
    /// - Parameter name: The name of the server's folder. Another server needs another folder, because a killed server
    ///   leaves a lock.
    /// - Returns: The shell that waits for the server.
    /// - Throws: The error of a server that does not start.
    private func startServer(_ name: String = "first") throws -> Process {
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.environment = [
            "HOME": folder.path("home"), "XDG_RUNTIME_DIR": folder.path(name), "PATH": "/usr/bin:/bin",
            "SOCKET": folder.path("native"), "PID": folder.path("pid"),
        ]
        // A shell waits for the server: the server closes all inherited descriptors, which Foundation would take for
        // its end.
        //
        // Without clients, the server exits by itself, in case this test does not end it.
        let command = """
            pulseaudio -n --daemonize=no --exit-idle-time=20 -L 'module-null-sink sink_name=null rate=48000' \
              -L "module-native-protocol-unix auth-anonymous=1 socket=$SOCKET" & echo $! > "$PID"; wait
            """
        process.arguments = ["-c", command]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func kill(_ process: Process) {
        let text = (try? String(contentsOfFile: folder.path("pid"), encoding: .utf8)) ?? ""
        if let pid = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) { Glibc.kill(pid, SIGKILL) }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder.path("native"))
    }

    private func waitForServer() async throws {
        let limit = MonotonicClock().now.advanced(by: .seconds(20))
        while !FileManager.default.fileExists(atPath: folder.path("native")), MonotonicClock().now < limit {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Plays a beep at each whole second of `CLOCK_MONOTONIC`.
    private func play() throws -> Pipeline {
        // The player must start before its first samples are due.
        let start = MonotonicClock().now.advanced(by: .milliseconds(700))
        let rest = Double(start.nanoseconds % 1_000_000_000) / 1e9
        try writeWAV(folder.path("played.wav"), seconds: 40, .stereo) { beep($0 + rest + 1) }
        let player = try Pipeline(
            """
            filesrc name=file ! wavparse ! audioconvert ! audioresample \
            ! pulsesink name=out device=null buffer-time=40000 latency-time=10000
            """)
        player.set("location", of: "file", to: folder.path("played.wav"))
        player.set("server", of: "out", to: server)
        try player.play(base: start)
        return player
    }

    @Test("sound that is played live is recorded within 50 ms of its time, with a spread of 10 ms")
    func moments() async throws {
        let process = try startServer()
        defer { kill(process) }
        try await waitForServer()
        let player = try play()
        defer { player.stop() }
        let mixer = AudioMixer()
        mixer.add(Microphone(.pulse("null.monitor", server: server), label: "null"))
        let times = Monitor<[Timestamp]>([])
        let picture = Compositor { Layer(CustomSource("flash") { FlashProvider(frames: 600) }) }
        picture --> MovieFile(folder.path("a.mp4"), sound: [mixer])
        picture --> CustomSink("clock") { FrameClock(times) }
        let session = try await Session(picture)
        try await session.run(frames: 510)
        let start = Double(try #require(times.read { $0.first }).nanoseconds) / 1e9
        // The player needs some seconds to measure the server's delay, and corrects it by some milliseconds a second.
        let beeps = try HeardFile(folder.path("a.mp4")).beeps.filter { $0 > 12.5 }.map { $0 + start }
        #expect(beeps.count >= 3)
        let errors = beeps.map { $0 - $0.rounded() }
        #expect(errors.allSatisfy { abs($0) < 0.050 }, "\(errors)")
        #expect((errors.max() ?? 1) - (errors.min() ?? 0) < 0.010, "\(errors)")
    }

    @Test("a killed sound server leaves silence, and is recorded again when it returns")
    func killed() async throws {
        var process = try startServer()
        defer { kill(process) }
        try await waitForServer()
        let mixer = AudioMixer()
        let input = mixer.add(Microphone(.pulse("null.monitor", server: server), label: "null"))
        let picture = Compositor { Layer(CustomSource("flash") { FlashProvider(frames: 2000) }) }
        let movie = picture --> MovieFile(folder.path("a.mkv"), sound: [mixer])
        let session = try await Session(picture)
        async let run: Void = session.run()
        func wait(for state: AudioStatus.State, returns: Int) async throws -> Bool {
            let limit = MonotonicClock().now.advanced(by: .seconds(20))
            while MonotonicClock().now < limit {
                if input.status.state == state, input.status.returns == returns { return true }
                try await Task.sleep(for: .milliseconds(20))
            }
            return false
        }
        #expect(try await wait(for: .sounding, returns: 0))
        kill(process)
        #expect(try await wait(for: .missing, returns: 0))
        process = try startServer("second")
        #expect(try await wait(for: .sounding, returns: 1), "\(input.status)")
        session.stop()
        try await run
        #expect(movie.statistics.error == nil && movie.statistics.drops.total == 0)
        // The sound is as long as the picture, silence included.
        let probe = try Probe(folder.path("a.mkv"))
        let length = Double(try HeardFile(folder.path("a.mkv")).samples.count) / 48_000
        #expect(abs(length - Double(probe.frames) / 30) < 0.06)
    }
}
#endif
