import Foundation
import PipCompose
import PipTestSupport
import Testing

@Suite("Values on the command line", .timeLimit(.minutes(2)))
struct TelemetryRunTests {
    private static let frameBytes = 160 * 96 * 3 / 2
    private static let scene = ["--main", "pattern:ramp?size=160x96&fps=30", "--quiet"]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The number of whole frames in a file.
    private func frames(_ name: String) -> Int {
        let size = try? FileManager.default.attributesOfItem(atPath: folder.path(name))[.size] as? Int
        return (size ?? 0) / Self.frameBytes
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    /// Writes a line to a pipe once the program reads it.
    private func send(_ line: String, to pipe: String) async throws {
        try await Task.detached {
            let file = try #require(FileHandle(forWritingAtPath: pipe))
            try file.write(contentsOf: Data("\(line)\n".utf8))
            try file.close()
        }.value
    }

    /// The whole frames of a file.
    private func pictures(_ name: String) throws -> [ArraySlice<UInt8>] {
        let bytes = try [UInt8](Data(contentsOf: folder.url.appending(path: name)))
        return stride(from: 0, through: bytes.count - Self.frameBytes, by: Self.frameBytes).map {
            bytes[$0..<$0 + Self.frameBytes]
        }
    }

    @Test("a value is drawn as the same text without it, and a dash before it comes")
    func drawn() async throws {
        let look = "top-left,margin=0,size=24"
        for text in ["87 km/h", "– km/h"] {
            let run = try await CommandProcess(
                Self.scene + ["--text", "\(text),\(look)", "--frames", "1", "--output", "\(text.count).i420"],
                in: folder.url)
            try #require(run.status == 0, "\(run.errors)")
        }
        let pipe = try folder.pipe("values")
        let arguments = ["--telemetry", "json:values,valid=1h", "--text", "{speed:%.0f} km/h,\(look)"]
        let run = try await CommandProcess(
            Self.scene + arguments + ["--output", "out.i420"], in: folder.url
        ) { process in
            try await waitUntil { frames("out.i420") > 3 }
            try await send(#"{"speed": 87.2}"#, to: pipe)
            let now = frames("out.i420")
            try await waitUntil { frames("out.i420") > now + 30 }
            process.send(SIGTERM)
        }
        #expect(run.status == 0, "\(run.errors)")
        let drawn = try pictures("out.i420")
        // The ramp moves, so that only pictures of the same place in time can be equal: the text's rows are.
        let (first, last) = (try #require(drawn.first), try #require(drawn.last))
        #expect(try Self.letters(first) == Self.letters(#require(try pictures("6.i420").first)))
        #expect(try Self.letters(last) == Self.letters(#require(try pictures("7.i420").first)))
    }

    /// The places of white samples, which only letters have.
    private static func letters(_ picture: ArraySlice<UInt8>) -> [Bool] {
        picture.prefix(160 * 32).map { $0 >= 234 }
    }

    @Test(
        "the way driven is a GPX file that another program reads, and all values are in a CSV file",
        .enabled(if: PythonPackages.areInstalled, "needs the Python packages that `make test-setup` installs"))
    func tracks() async throws {
        let pipe = try folder.pipe("values")
        let places = [(48.1173, 11.5167, 36.0), (48.1183, 11.5177, 72.0), (48.1193, 11.5187, 90.0)]
        let begun = Date()
        let run = try await CommandProcess(
            Self.scene + [
                "--telemetry", "json:values", "--track", "drive-%Y.gpx", "--track", "all.csv", "--output", "null:",
            ], in: folder.url
        ) { process in
            for (latitude, longitude, speed) in places {
                let line =
                    #"{"latitude": \#(latitude), "longitude": \#(longitude), "altitude": 540, "speed": \#(speed), "#
                    + #""driver": "Anna, \"A\""}"#
                try await send(line, to: pipe)
                let speed = ",speed,\(speed)"
                try await waitUntil { (try? text("all.csv").contains(speed)) == true }
            }
            // No shutdown: the file is whole at any time.
            process.send(SIGKILL)
        }
        #expect(run.status == -SIGKILL)
        let name = try #require(folder.names.first { $0.hasSuffix(".gpx") })
        let read = try await PythonPackages.run(
            "python3", [PythonPackages.scripts.appending(path: "read-gpx.py").path, name], in: folder.url)
        try #require(read.status == 0, "\(read.said)")
        let points = try read.said.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(points.map { $0["latitude"] as? Double } == places.map(\.0))
        #expect(points.map { $0["longitude"] as? Double } == places.map(\.1))
        #expect(points.map { $0["speed"] as? Double } == places.map { $0.2 / 3.6 })
        #expect(points.allSatisfy { $0["elevation"] as? Double == 540 && $0["segment"] as? Int == 0 })
        let times = points.compactMap { $0["time"] as? Double }
        #expect(times == times.sorted() && times.allSatisfy { abs($0 - begun.timeIntervalSince1970) < 100 })
        let lines = try text("all.csv").split(separator: "\n")
        #expect(lines.first == "time,name,value")
        #expect(lines.contains { $0.hasSuffix(#"Z,driver,"Anna, ""A""""#) })
    }

    @Test("an old picture shows the values of its track, each from its frame on")
    func recordedBefore() async throws {
        let look = "top-left,margin=0,size=24"
        for text in ["7 km/h", "8 km/h", "– km/h"] {
            let run = try await CommandProcess(
                Self.scene + ["--text", "\(text),\(look)", "--frames", "1", "--output", "\(text.prefix(1)).i420"],
                in: folder.url)
            try #require(run.status == 0, "\(run.errors)")
        }
        let letters = try ["–", "7", "8"].map { try Self.letters(#require(try pictures("\($0).i420").first)) }
        try folder.write(Array("seconds,speed\n0.5,7\n1,8\n".utf8), to: "old.csv")
        let old = try await CommandProcess(Self.scene + ["--frames", "60", "--output", "old.y4m"], in: folder.url)
        try #require(old.status == 0, "\(old.errors)")
        let run = try await CommandProcess(
            [
                "--quiet", "--main", "old.y4m", "--telemetry", "track:old.csv,valid=600ms", "--text",
                "{speed:%.0f} km/h,\(look)", "--output", "out.i420",
            ], in: folder.url)
        try #require(run.status == 0, "\(run.errors)")
        let shown = try pictures("out.i420").map(Self.letters)
        #expect(shown.count == 60)
        #expect(shown[..<15].allSatisfy { $0 == letters[0] })
        #expect(shown[15..<30].allSatisfy { $0 == letters[1] })
        #expect(shown[30..<48].allSatisfy { $0 == letters[2] })
    }

    #if Media
    @Test("the times of a track are those of the movie, which states its beginning")
    func dated() async throws {
        _ = try await CommandProcess(Self.scene + ["--frames", "60", "--output", "old.mkv"], in: folder.url)
        let tag = try await output([
            "ffprobe", "-v", "error", "-show_entries", "format_tags=creation_time", "-of", "csv=p=0", "old.mkv",
        ])
        let parser = ISO8601DateFormatter()
        parser.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let written = tag.trimmingCharacters(in: .newlines).replacing(/(\.\d{3})\d+Z/) { "\($0.1)Z" }
        let begin = try #require(parser.date(from: written), "\(tag)")
        let lines = [(1.0, 7), (1.5, 8)].map { "\(parser.string(from: begin + $0)),\($1)\n" }
        try folder.write(Array("time,speed\n\(lines.joined())".utf8), to: "old.csv")
        let run = try await CommandProcess(
            [
                "--quiet", "--main", "old.mkv", "--telemetry", "track:old.csv", "--text",
                "{speed:%.0f},top-left,margin=0,size=48", "--output", "out.i420",
            ], in: folder.url)
        try #require(run.status == 0, "\(run.errors)")
        let shown = try pictures("out.i420").map(Self.letters)
        let changes = zip(shown, shown.dropFirst()).enumerated().filter { $1.0 != $1.1 }.map { $0.offset + 1 }
        #expect(changes == [30, 45], "\(changes)")
    }

    @Test("a recording has a track of the values, which ffprobe lists and FFmpeg extracts, also after kill -9")
    func recorded() async throws {
        let pipe = try folder.pipe("values")
        let run = try await CommandProcess(
            Self.scene + ["--telemetry", "json:values,valid=1h", "--output", "drive.mp4?values=on"], in: folder.url
        ) { process in
            try await send(#"{"speed": 87.25, "driver": "Anna"}"#, to: pipe)
            try await waitUntil { try await values().filter { $0.contains(#""speed": 87.25"#) }.count > 10 }
            process.send(SIGKILL)
        }
        #expect(run.status == -SIGKILL)
        let streams = try await output([
            "ffprobe", "-v", "error", "-show_entries", "stream=codec_type,codec_name", "-of", "csv=p=0", "drive.mp4",
        ])
        #expect(streams == "h264,video\nmov_text,subtitle\n")
        #expect(try await values().contains(#"{"driver": "Anna", "speed": 87.25}"#))
    }

    /// The output of another program.
    private func output(_ words: [String]) async throws -> String {
        try await CommandProcess(words, of: URL(filePath: "/usr/bin/env"), in: folder.url).text
    }

    /// The texts of the recording's track, as far as it is written.
    private func values() async throws -> [String] {
        let texts = try await output(["ffmpeg", "-v", "quiet", "-i", "drive.mp4", "-map", "0:s:0", "-f", "srt", "-"])
        return texts.split(separator: "\n").compactMap { line in
            guard let first = line.firstIndex(of: "{"), let last = line.lastIndex(of: "}") else { return nil }
            return String(line[first...last])
        }
    }
    #endif

    /// A sentence of NMEA 0183 with its checksum.
    private static func sentence(_ body: String) -> String {
        let sum = String(Int(body.utf8.reduce(0, ^)) | 0x100, radix: 16, uppercase: true)
        return "$\(body)*\(sum.suffix(2))\r\n"
    }

    /// The sentences of a receiver that moves north, one hundredth of a minute each fifth of a second.
    private static func sentences(_ number: Int) -> String {
        let time = "12\(pad(number / 300, 2))\(pad(number / 5 % 60, 2)).\(number % 5 * 2)0"
        let place = "4807.\(pad(number, 2))00,N,01131.0000,E"
        return sentence("GPRMC,\(time),A,\(place),022.4,000.0,010326,,,A")
            + sentence("GPGGA,\(time),\(place),1,08,0.9,545.4,M,46.9,M,,")
    }

    private static func pad(_ number: Int, _ width: Int) -> String { String(format: "%0\(width)d", number) }

    private static let gpsd = "/usr/sbin/gpsd"

    @Test(
        "gpsd's receiver gives places and speeds",
        .enabled(
            if: PythonPackages.areInstalled && FileManager.default.isExecutableFile(atPath: gpsd),
            "needs gpsd, which `make test-setup` installs where there is a package"))
    func receiver() async throws {
        let (line, port) = (try SerialLine(), try FreePort.tcp())
        // gpsd gives up the rights of root before it opens its devices.
        #expect(unsafe chmod(line.path, 0o666) == 0)
        let daemon = Process()
        daemon.executableURL = URL(filePath: Self.gpsd)
        daemon.arguments = ["-N", "-n", "-S", "\(port)", line.path]
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        defer {
            kill(daemon.processIdentifier, SIGKILL)
            daemon.waitUntilExit()
        }
        let run = try await CommandProcess(
            Self.scene + ["--telemetry", "gpsd:127.0.0.1:\(port)", "--track", "drive.gpx", "--output", "null:"],
            in: folder.url
        ) { process in
            var number = 0
            while try places().count < 3, number < 500 {
                line.send(Self.sentences(number % 100))
                number += 1
                try await Task.sleep(for: .milliseconds(200))
            }
            process.send(SIGTERM)
        }
        #expect(run.status == 0, "\(run.errors)")
        let found = try places()
        #expect(found.count >= 3, "\(run.errors)")
        // 48°07.00' to 48°07.99' north, 11°31' east; 22.4 knots.
        for (latitude, longitude, speed) in found {
            let minutes = (latitude - 48) * 6000 - 700
            #expect((-0.01...99.01).contains(minutes) && abs(minutes - minutes.rounded()) < 0.01, "\(latitude)")
            #expect(abs(longitude - 11.516_667) < 1e-5)
            #expect(speed.map { abs($0 - 11.5236) < 0.01 } ?? true)
        }
    }

    /// The places in the track, as far as it is written.
    private func places() throws -> [(latitude: Double, longitude: Double, speed: Double?)] {
        guard let text = try? text("drive.gpx") else { return [] }
        return text.matches(of: /lat="([0-9.]+)" lon="([0-9.]+)".*?(?:<e:speed>([0-9.]+)|<\/trkpt>)/).compactMap {
            match in
            guard let latitude = Double(match.1), let longitude = Double(match.2) else { return nil }
            return (latitude, longitude, match.3.flatMap { Double($0) })
        }
    }

    @Test("a track that exists is kept, and the new one has a number")
    func kept() async throws {
        try folder.write(Array("old".utf8), to: "all.csv")
        let pipe = try folder.pipe("values")
        let run = try await CommandProcess(
            Self.scene + ["--telemetry", "json:values", "--track", "all.csv", "--output", "null:"], in: folder.url
        ) { process in
            try await send(#"{"a": 1}"#, to: pipe)
            try await waitUntil { (try? text("all-2.csv").contains(",a,1.0")) == true }
            process.send(SIGTERM)
        }
        #expect(run.status == 0)
        #expect(try text("all.csv") == "old")
    }

    @Test(
        "values that nobody gives, and wrong sources, end it with 64 and what to write",
        arguments: [
            (["--text", "{speed} km/h"], "add one such as --telemetry gpsd"),
            (["--on", "speed>130,do=run:true"], "add one such as --telemetry gpsd"),
            (["--output", "a.mp4?values=on"], "add one such as --telemetry gpsd"),
            (["--telemetry", "track:none.gpx", "--text", "{speed}"], "none.gpx: cannot read the file"),
            (["--telemetry", "gps"], "write gpsd"), (["--track", "drive.gpx"], "--telemetry gpsd"),
            (["--telemetry", "gpsd", "--track", "drive.txt"], "drive.csv"),
            (["--telemetry", "gpsd", "--text", "{speed"], "{{ and }}"),
        ])
    func refused(_ arguments: [String], _ part: String) async throws {
        let run = try await CommandProcess(Self.scene + arguments + ["--output", "null:"], in: folder.url)
        #expect(run.status == 64)
        #expect(run.errors.contains(part), "\(run.errors)")
    }
}
