#if Media
import Foundation
import PipCapture
import PipCompose
import PipConcurrency
import PipFrames
import PipSinks
import PipSound
import PipTestSupport
import Testing

@testable import PipMedia

/// `PIP_CLIP_SECONDS=3600` records an hour with a thousand moments.
@Suite("Clips of two cameras at random moments, in virtual time", .timeLimit(.minutes(30)))
struct RandomClipsTests {
    private static let size = PixelSize(64, 48)
    private static let period = Duration.milliseconds(40)
    /// The longest difference between a clip's ends and the requested times: one frame.
    private static let frame = 0.0401
    private static let seconds = ProcessInfo.processInfo.environment["PIP_CLIP_SECONDS"].flatMap { Int($0) } ?? 40

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// An output of clips, by the beginning of its files' names.
    private struct Kind {
        let name: String
        let window: ClipWindow
        let before: Double
        let after: Double

        init(_ name: String, _ before: Int, _ after: Int) {
            self.name = name
            window = ClipWindow(before: .seconds(before), after: .seconds(after))
            (self.before, self.after) = (Double(before), Double(after))
        }

        static let all = [Kind("long", 15, 10), Kind("both", 2, 1), Kind("road", 2, 1), Kind("driver", 2, 1)]
    }

    /// A finished recording; all times are in seconds of the virtual clock.
    private struct Recorded {
        /// The time of the cameras' frame 0.
        var start = 0.0
        var marks: [Double] = []
        var statistics: [OutputStatistics] = []
        /// The process's memory after each eighth of the recording, in MiB.
        var memory: [Int] = []
    }

    /// A clip as its file shows it.
    private struct Clip {
        /// The numbers of the cameras' frames, as the decoded pictures show them.
        let numbers: [Int]
        let path: String
    }

    // MARK: The burnt-in number

    /// A JPEG picture that shows a number in black and white squares.
    private static func picture(_ number: Int) -> [UInt8] {
        TestJPEG.encode(
            size, .s420, luma: { x, y in number >> (x / 8 + y / 8 * 8) & 1 == 1 ? 220 : 30 },
            chroma: { _, _ in (128, 128) })
    }

    /// Reads the numbers that the left side of a file's decoded pictures shows.
    private func numbers(_ path: String) throws -> [Int] {
        let raw = "\(path).gray"
        defer { try? FileManager.default.removeItem(atPath: raw) }
        try runProgram([
            "ffmpeg", "-v", "error", "-xerror", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-vf",
            "crop=64:48:0:0", "-pix_fmt", "gray", "-f", "rawvideo", raw,
        ])
        let bytes = try Data(contentsOf: URL(filePath: raw))
        return stride(from: 0, to: bytes.count, by: Self.size.area).map { frame in
            (0..<48).reduce(0) { number, bit in
                let place = frame + (bit / 8 * 8 + 4) * Self.size.width + bit % 8 * 8 + 4
                return number | (bytes[place] > 125 ? 1 << bit : 0)
            }
        }
    }

    // MARK: Recording

    private static var memory: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 >> 8 } ?? 0
    }

    /// Two fake cameras, and the outputs of their session.
    private struct Cameras {
        static let paths = ["/dev/video0", "/dev/video1"]
        let kernel: FakeKernel
        let picture: Compositor
        let outputs: [Output]

        init(_ clock: MonotonicClock, _ folder: TemporaryFolder) {
            kernel = FakeKernel(clock: clock)
            for path in Self.paths { kernel.add(path, FakeCamera(formats: [FakeCamera.Format("MJPG", 64, 48)])) }
            let road = CameraSource(.path(Self.paths[0]))
            let driver = CameraSource(.path(Self.paths[1]))
            let picture = Compositor(canvas: PixelSize(128, 48)) {
                Layer(road).placed(x: 0, y: 0, width: 64, height: 48)
                Layer(driver).placed(x: 64, y: 0, width: 64, height: 48)
            }
            let mixer = AudioMixer()
            mixer.add(FakeMicrophone(clock: clock))
            func path(_ kind: Kind) -> String { folder.path("\(kind.name)-%05d.mp4") }
            let kinds = Kind.all
            let long = picture --> MovieFile(path(kinds[0]), sound: [mixer], clips: kinds[0].window)
            let both = picture --> MovieFile(path(kinds[1]), sound: [mixer], clips: kinds[1].window)
            let own = road --> MovieFile(path(kinds[2]), clips: kinds[2].window)
            let other = driver --> MovieFile(path(kinds[3]), clips: kinds[3].window)
            self.picture = picture
            outputs = [long, both, own, other]
        }

        func deliver(_ number: Int) {
            for path in Self.paths {
                kernel.produce(path, .compressed(RandomClipsTests.picture(number)))
                // The scripted kernel keeps each call until it is asked.
                _ = kernel.takeTrace(of: path)
            }
        }
    }

    /// Records two cameras and their composite, and marks moments at random times.
    private func record(_ seconds: Int, _ marks: [Double]) async throws -> Recorded {
        let folder = folder
        return try await VirtualTime.run { clock, _ in
            let cameras = Cameras(clock, folder)
            var options = SessionOptions()
            options.time = clock
            options.clock = .rate(FrameRate(25))
            options.pressure.policy = .off
            options.closingTime = .seconds(60)
            let session = try await Session(
                cameras.picture, options: options, cameras: CameraDirectory(calls: cameras.kernel))
            async let run: Void = session.run()
            // Each camera frame comes shortly before an output frame.
            try await clock.sleep(for: .microseconds(13_500))
            var recorded = Recorded()
            let start = clock.now.advanced(by: Self.period)
            recorded.start = Double(start.nanoseconds) / 1e9
            var left = marks[...]
            for number in 0..<seconds * 25 {
                let due = start.advanced(by: Self.period * number)
                while let next = left.first, next < start.duration(to: due).inSeconds {
                    left.removeFirst()
                    try await clock.sleep(for: clock.now.duration(to: start.advanced(by: .seconds(next))))
                    recorded.marks.append(Double(clock.now.nanoseconds) / 1e9)
                    #expect(session.mark("m\(recorded.marks.count)", reason: "random") == 4)
                }
                try await clock.sleep(for: clock.now.duration(to: due))
                cameras.deliver(number)
                if (number + 1).isMultiple(of: seconds * 25 / 8) { recorded.memory.append(Self.memory) }
            }
            try await clock.sleep(for: Self.period)
            session.stop()
            try await run
            recorded.statistics = cameras.outputs.map(\.statistics)
            return recorded
        }
    }

    // MARK: The test

    @Test("each moment is in a whole clip of each output, which begins and ends at its times by the burnt-in clock")
    func moments() async throws {
        var dice = Dice(40)
        let seconds = Self.seconds
        let marks = (0..<max(6, seconds * 1000 / 3600)).map { _ in
            Double.random(in: 1..<Double(seconds) - 0.5, using: &dice)
        }.sorted()
        let recorded = try await record(seconds, marks)
        #expect(recorded.marks.count == marks.count)
        #expect(recorded.statistics.allSatisfy { $0.error == nil && $0.drops.total == 0 }, "\(recorded.statistics)")
        for kind in Kind.all {
            let clips = try folder.names.filter { $0.hasPrefix(kind.name) }.sorted().map { name in
                Clip(numbers: try numbers(folder.path(name)), path: folder.path(name))
            }
            check(clips, kind, recorded, end: recorded.start + Double(seconds))
            if kind.name == "both" { try checkSound(clips, recorded) }
        }
        if seconds >= 600 {
            print("memory after each eighth: \(recorded.memory) MiB")
            #expect(recorded.memory[7] < recorded.memory[1] + 32, "\(recorded.memory)")
        }
    }

    /// Checks that clips have all their pictures, begin and end at the times of moments, and cover each moment.
    private func check(_ clips: [Clip], _ kind: Kind, _ recorded: Recorded, end: Double) {
        let starts = recorded.marks.map { max($0 - kind.before, recorded.start) }
        let ends = recorded.marks.map { min($0 + kind.after, end) }
        var spans: [(Double, Double)] = []
        for clip in clips {
            let steps = zip(clip.numbers, clip.numbers.dropFirst()).map { $1 - $0 }
            #expect(steps.allSatisfy { $0 == 1 }, "\(clip.path): \(clip.numbers)")
            guard let first = clip.numbers.first, let last = clip.numbers.last else { continue }
            let span = (recorded.start + Double(first) * 0.04, recorded.start + Double(last + 1) * 0.04)
            #expect(starts.contains { abs($0 - span.0) <= Self.frame }, "\(clip.path) begins at \(span.0): \(starts)")
            #expect(ends.contains { abs($0 - span.1) <= Self.frame }, "\(clip.path) ends at \(span.1): \(ends)")
            spans.append(span)
        }
        for (start, end) in zip(starts, ends) {
            let isThere = spans.contains { $0.0 <= start + Self.frame && $0.1 >= end - Self.frame }
            #expect(isThere, "\(kind.name): \(start) to \(end) is in no clip")
        }
    }

    /// Checks that the beeps of the microphone, at whole seconds, are heard within 20 ms of the burnt-in clock.
    private func checkSound(_ clips: [Clip], _ recorded: Recorded) throws {
        var count = 0
        for clip in clips.prefix(40) {
            guard let first = clip.numbers.first else { continue }
            let begin = recorded.start + Double(first) * 0.04
            let beeps = try HeardFile(clip.path).beeps.filter { $0 > 0.2 }.map { $0 + begin }
            #expect(beeps.allSatisfy { abs($0 - $0.rounded()) <= 0.02 }, "\(clip.path): \(beeps)")
            count += beeps.count
        }
        #expect(count >= 2 * min(clips.count, 40))
    }
}
#endif
