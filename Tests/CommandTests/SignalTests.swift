import Foundation
import PipCompose
import PipTestSupport
import Testing

/// Tests runs during which the process is signalled, stopped or killed.
@Suite("Signals", .serialized, .timeLimit(.minutes(5)))
struct SignalTests {
    private static let frameBytes = 64 * 32 * 3 / 2
    private static let scene = ["--main", "pattern:bars?size=64x32", "--quiet"]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a composition with an output to a pipe that nobody reads.
    ///
    /// - Returns: The run, and the time from the end of `act` to the end of the process.
    private func hanging(
        _ act: @escaping @Sendable (RunningCommand) async throws -> Void
    ) async throws -> (run: CommandProcess, took: Duration) {
        _ = try folder.pipe("pipe.y4m")
        let clock = ContinuousClock()
        let told = Monitor(clock.now)
        let run = try await CommandProcess(
            Self.scene + ["--output", "out.i420", "--output", "pipe.y4m"], in: folder.url
        ) { process in
            try await wait(for: "out.i420", 5 * Self.frameBytes)
            try await act(process)
            told.update { $0 = clock.now }
        }
        return (run, told.read { $0.duration(to: clock.now) })
    }

    /// Waits until a file of the run has at least this number of bytes.
    private func wait(for name: String, _ bytes: Int) async throws {
        while folder.size(name) < bytes { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test(
        "row 52: the run ends within 3 s of a signal though an output's pipe has no reader, and its file is whole",
        arguments: [SIGINT, SIGTERM])
    func hangingOutput(_ signal: Int32) async throws {
        let (run, took) = try await hanging { $0.send(signal) }
        // The program waits two seconds for the pipe. The longer limit allows for a busy machine.
        #expect(took < .seconds(10))
        #expect(run.status == 74)
        #expect(run.errors.contains("the time for finishing ended before the frame was written"))
        #expect(folder.size("out.i420") % Self.frameBytes == 0)
        FaultReport.record(
            row: 52, figures: "\(signal == SIGINT ? "SIGINT" : "SIGTERM"), a pipe without a reader: \(took.text)")
    }

    @Test("row 52: a second signal ends it at once with 128 and its number", arguments: [SIGINT, SIGTERM])
    func secondSignal(_ signal: Int32) async throws {
        let (run, took) = try await hanging { process in
            process.send(signal)
            // The kernel merges equal pending signals, so the second signal is sent only after the program has received
            // the first.
            while isPending(signal, of: process.identifier) { try await Task.sleep(for: .milliseconds(1)) }
            process.send(signal)
        }
        #expect(run.status == 128 + signal)
        FaultReport.record(row: 52, figures: "the second: \(took.text)")
    }

    @Test("the thread that takes signals blocks them: no crash handler stops it with SIGUSR1, which splits files")
    func blocked() async throws {
        let run = try await CommandProcess(Self.scene + ["--output", "out.i420"], in: folder.url) { process in
            try await wait(for: "out.i420", Self.frameBytes)
            let tasks = "/proc/\(process.identifier)/task"
            let thread = try #require(
                try FileManager.default.contentsOfDirectory(atPath: tasks).first { task in
                    try String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8) == "pip-signals\n"
                })
            let status = try String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") })
            let mask = try #require(UInt64(line.dropFirst("SigBlk:\t".count), radix: 16))
            for signal in [SIGINT, SIGTERM, SIGUSR1, SIGUSR2] { #expect(mask & 1 << (signal - 1) != 0, "\(signal)") }
            process.send(SIGTERM)
        }
        #expect(run.status == 0)
    }

    @Test("the first signal ends the wait for a pipe's writer, with 128 and its number, and no complaint of the pipe")
    func whileWaitingForWriter() async throws {
        _ = try folder.pipe("pipe.y4m")
        let error = try await errorWhenStopped(opening: "pipe.y4m")
        #expect(error.hasSuffix("reading was stopped before the header came"), "\(error)")
    }

    #if Media
    @Test(
        "the first signal ends the wait for the writer of a pipe of sound, before anything is written",
        arguments: ["pipe.wav", "./pipe", "-"], [SIGINT, SIGTERM])
    func whileWaitingForSound(_ source: String, _ signal: Int32) async throws {
        let pipe = try folder.pipe(source == "-" ? "input" : source)
        // Opened for reading and writing, the pipe has a writer that writes nothing.
        let input = source == "-" ? " <> '\(pipe)'" : ""
        let command = [
            "'\(CommandProcess.program.path)'", "--main pattern:bars?size=64x32 --audio \(source) --quiet",
            "--output a.wav --output a.mkv --stats s.json",
        ]
        let run = try await CommandProcess(
            ["-c", "exec \(command.joined(separator: " "))\(input)"], of: URL(filePath: "/bin/bash"), in: folder.url
        ) { process in
            try await waitUntilOpening(process)
            process.send(signal)
        }
        #expect(run.status == 128 + signal && run.errors.isEmpty, "\(run.status): \(run.errors)")
        let error = try #require(try folder.object("s.json")["error"] as? String)
        #expect(error.hasSuffix("reading was stopped before the header came"), "\(error)")
        for name in ["a.wav", "a.mkv"] {
            #expect(!FileManager.default.fileExists(atPath: folder.path(name)), "\(name)")
        }
    }
    #endif

    /// Stops a run while the run opens its source.
    ///
    /// - Returns: The error in the run's statistics.
    private func errorWhenStopped(opening source: String) async throws -> String {
        let arguments = ["--main", source, "--output", "null:", "--stats", "s.json"]
        let run = try await CommandProcess(arguments, in: folder.url) { process in
            try await waitUntilOpening(process)
            process.send(SIGINT)
        }
        #expect(run.status == 128 + SIGINT)
        #expect(run.errors.isEmpty, "\(run.errors)")
        return try #require(try folder.object("s.json")["error"] as? String)
    }

    /// Waits until a thread of the run opens a source.
    private func waitUntilOpening(_ process: RunningCommand) async throws {
        let tasks = "/proc/\(process.identifier)/task"
        try await waitUntil {
            try FileManager.default.contentsOfDirectory(atPath: tasks).contains { task in
                let name = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
                return name?.hasPrefix("pip-opening") == true
            }
        }
    }

    #if Media
    @Test("a signal ends the wait for a stream that is opened, with 128 and its number, and no complaint of the stream")
    func whileOpening() async throws {
        let error = try await errorWhenStopped(opening: "udp://127.0.0.1:\(try FreePort.udp())")
        #expect(error.hasSuffix("it was stopped before its first frame came"), "\(error)")
    }
    #endif

    @Test("SIGUSR2 takes the pictures of --still, which say when; without --still it says so, and ends nothing")
    func stills() async throws {
        let scene = Self.scene.filter { $0 != "--quiet" }
        let arguments = scene + ["--still", "n%02d.jpg", "--still", "main:latest.png", "--output", "out.i420"]
        let run = try await CommandProcess(arguments, in: folder.url) { process in
            try await wait(for: "out.i420", 5 * Self.frameBytes)
            for name in ["n01.jpg", "n02.jpg"] {
                process.send(SIGUSR2)
                while folder.size(name) <= 0 { try await Task.sleep(for: .milliseconds(10)) }
            }
            while folder.size("latest.png") <= 0 { try await Task.sleep(for: .milliseconds(10)) }
            process.send(SIGINT)
        }
        #expect(run.status == 0, "\(run.errors)")
        let probe = try await CommandProcess(
            ["ffprobe", "-v", "error", "-show_frames", "n02.jpg"], of: URL(filePath: "/usr/bin/env"), in: folder.url)
        #expect(probe.text.contains("width=64"), "\(probe.status) \(probe.errors)")
        // FFmpeg 9 writes the tag's directory before its name.
        #expect(probe.text.contains("DateTimeOriginal=20"))
        #expect(probe.text.contains("TAG:Software=pip-compose"))

        let none = try await CommandProcess(scene + ["--output", "none.i420"], in: folder.url) { process in
            try await wait(for: "none.i420", 5 * Self.frameBytes)
            process.send(SIGUSR2)
            while isPending(SIGUSR2, of: process.identifier) { try await Task.sleep(for: .milliseconds(1)) }
            let written = folder.size("none.i420")
            try await wait(for: "none.i420", written + 5 * Self.frameBytes)
            process.send(SIGINT)
        }
        #expect(none.status == 0)
        #expect(none.errors.contains("add --still FILE"), "\(none.errors)")
    }

    @Test("row 53: a reader that has had enough of the standard output ends the run with 0, and no message")
    func closedOutput() async throws {
        let run = try await CommandProcess(
            shell: "\(Self.scene.joined(separator: " ")) --output - | head -c 10000 >head; exit ${PIPESTATUS[0]}",
            in: folder.url)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(folder.size("head") == 10000)
    }

    @Test("row 53: the other outputs go on when the standard output's reader has left")
    func closedBeside() async throws {
        let line =
            "\(Self.scene.joined(separator: " ")) --frames 90 --output - --output out.i420 | head -c 100 >head; exit ${PIPESTATUS[0]}"
        let run = try await CommandProcess(shell: line, in: folder.url)
        #expect(run.status == 0)
        let frames = folder.size("out.i420") / Self.frameBytes
        #expect(frames > 60 && folder.size("out.i420") % Self.frameBytes == 0)
        FaultReport.record(row: 53, figures: "the file beside the pipe: \(frames) of 90 frames")
    }

    @Test("row 53: a terminal that goes away finishes the file and ends with 0")
    func hangup() async throws {
        let run = try await CommandProcess(Self.scene + ["--output", "out.i420"], in: folder.url) { process in
            try await wait(for: "out.i420", 5 * Self.frameBytes)
            process.send(SIGHUP)
        }
        #expect(run.status == 0)
        #expect(folder.size("out.i420") % Self.frameBytes == 0)
    }

    @Test("row 50: what a killed run leaves is whole: pictures under their names, frames but for the last")
    func killed() async throws {
        let run = try await CommandProcess(
            Self.scene + ["--output", "out.y4m", "--output", "out.i420", "--output", "f/%d.png"], in: folder.url
        ) { process in
            try await wait(for: "out.i420", 20 * Self.frameBytes)
            process.send(SIGKILL)
        }
        #expect(run.status == -SIGKILL)
        let stream = try folder.read("out.y4m")
        let header = try #require(stream.firstIndex(of: UInt8(ascii: "\n"))) + 1
        let frames = (stream.count - header) / (Self.frameBytes + 6)
        #expect(frames >= 10)
        for frame in 0..<frames {
            #expect(stream[(header + frame * (Self.frameBytes + 6))...].starts(with: "FRAME\n".utf8))
        }
        let pictures = try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/f")
            .filter { !$0.hasPrefix(".") }
        #expect(pictures.count >= 10)
        for name in pictures { #expect(try folder.read("f/\(name)").suffix(8).starts(with: "IEND".utf8)) }
        // The file can be read up to its last complete frame.
        let again = try await folder.run("--main out.y4m --output again.i420 --fps max --quiet")
        #expect([0, 65].contains(again.status))
        #expect(folder.size("again.i420") == frames * Self.frameBytes)
        FaultReport.record(row: 50, figures: "\(frames) frames and \(pictures.count) pictures, all whole")
    }

    @Test("row 38: a process that was stopped goes on, leaves out what was due meanwhile, and its books balance")
    func stopped() async throws {
        let clock = ContinuousClock()
        let goesOn = Monitor(Duration.zero)
        let run = try await CommandProcess(
            Self.scene + ["--output", "out.i420", "--frames", "60", "--stats", "s.json"], in: folder.url
        ) { process in
            try await wait(for: "out.i420", 20 * Self.frameBytes)
            process.send(SIGSTOP)
            try await Task.sleep(for: .seconds(3))
            process.send(SIGCONT)
            let continued = clock.now
            try await wait(for: "out.i420", folder.size("out.i420") + Self.frameBytes)
            goesOn.update { $0 = continued.duration(to: clock.now) }
        }
        #expect(run.status == 0)
        let object = try folder.object("s.json")
        let output = try #require(object["output"] as? [String: Any])
        let missed = try #require(output["missed"] as? Int)
        #expect(missed >= 80, "90 moments passed while it stood still")
        // The file may have more frames: under pressure on a busy machine, the program writes a frame again in place of
        // each frame that is not drawn.
        #expect(folder.size("out.i420") >= 60 * Self.frameBytes)
        #expect(folder.size("out.i420") % Self.frameBytes == 0)
        FaultReport.record(
            row: 38,
            figures: "3 s: \(missed) moments left out, no burst; the next frame after \(goesOn.read { $0 }.text)")
    }

    /// True while a signal to a process is pending.
    private func isPending(_ signal: Int32, of process: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("ShdPnd:") }),
            let pending = UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16)
        else { return false }
        return pending & (1 << UInt64(signal - 1)) != 0
    }
}

extension Duration {
    /// The duration in seconds for the report, such as `1.25 s`.
    fileprivate var text: String { String(format: "%.2f s", self / .seconds(1)) }
}
