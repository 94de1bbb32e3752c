import Foundation
import PipPatterns
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("A hundred sessions in one process")
struct LeakTests {
    // The sessions run in a separate process, because other tests open and close descriptors, too.
    @Test("a hundred sessions leave descriptors, threads, mappings and GL objects as they were")
    func leaveNothing() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<5 { try await LeakTests.runSession() }
            let before = Belongings.settled()
            for _ in 0..<100 { try await LeakTests.runSession() }
            let after = Belongings.settled(within: before.bound)
            #expect(after.isWithin(before.bound), "\(before), then \(after)")
        }
    }

    private static func runSession() async throws {
        let main = PatternSource(.bars, size: PixelSize(64, 48))
        let inset = PatternSource(.noise, size: PixelSize(64, 48))
        let picture = Compositor {
            Layer(main --> Vignette(strength: 0.5))
            Layer(inset --> GaussianBlur(radius: 2)).placed(.topRight, width: 0.5).faded(to: 0.5)
        }
        picture --> NullSink(.nv12)
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(picture, options: options)
        try await session.run(frames: 3)
        guard session.statistics.output.frames == 3 else { exit(2) }
    }
}

@Suite("A thousand outputs of one session")
struct OutputLeakTests {
    @Test("outputs that begin and end at random leave descriptors, threads, memory and GL objects as they were")
    func leaveNothing() async {
        await #expect(processExitsWith: .success) {
            var churn = try await OutputChurn(seed: 1)
            try await churn.play(until: 200)
            let (before, objectsBefore) = (Belongings.settled(), await churn.objects)
            try await churn.play(until: 1200)
            var bound = before.bound
            // The session keeps the counts of ended outputs; an output's name takes most of that memory.
            bound.residentKibibytes = before.residentKibibytes + 2048
            let (after, objectsAfter) = (Belongings.settled(within: bound), await churn.objects)
            try await churn.end()
            #expect(after.isWithin(bound), "\(before), then \(after)")
            #expect(objectsAfter.programs <= objectsBefore.programs)
            // Frames are still being drawn, and the texture pool keeps the largest number of textures used at one time.
            #expect(objectsAfter.total <= objectsBefore.total + 16, "\(objectsBefore), then \(objectsAfter)")
        }
    }
}

@Suite("A hundred files in one session")
struct SourceLeakTests {
    @Test("files that come and go leave descriptors and threads as they were, and the files' counts stay")
    func leaveNothing() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let below = try folder.gray(60)
            let picture = Compositor(canvas: smallSize) { Layer(below) }
            picture --> NullSink(.nv12)
            let session = try await Session(picture, options: .live(500))
            let run = started(session)
            guard await waitUntil({ session.statistics.output.frames > 0 }) else { throw CancellationError() }
            func play(_ count: Int) async throws {
                for _ in 0..<count {
                    let file = try folder.gray(90)
                    let layer = try await session.configure { picture.add(Layer(file)) }
                    try await session.configure { try layer.remove() }
                }
            }
            try await play(5)
            let before = Belongings.settled()
            try await play(100)
            let after = Belongings.settled(within: before.bound)
            #expect(after.isWithin(before.bound), "\(before), then \(after)")
            #expect(session.statistics.sources.count == 106)
            session.stop()
            if let error = await run.value { throw error }
        }
    }
}

/// Outputs of one running session that begin and end at random.
private struct OutputChurn {
    private let folder: TemporaryFolder
    private let picture: Compositor
    private let session: Session
    private let run: Task<SessionError?, Never>
    private var dice: Dice
    private var outputs: [Output] = []
    private var starts = 0

    init(seed: Int) async throws {
        folder = try TemporaryFolder()
        dice = Dice(seed)
        picture = Compositor(canvas: smallSize) { Layer(PatternSource(.noise, size: smallSize)) }
        picture --> NullSink(.nv12)
        session = try await Session(picture, options: .live(500))
        run = started(session)
    }

    /// The numbers of the session's GL objects.
    var objects: ObjectCounts { get async { await session.objectCounts } }

    /// Stops the session, and throws the session's error.
    func end() async throws {
        session.stop()
        if let error = await run.value { throw error }
    }

    /// Starts and ends outputs at random until `count` outputs have been started, and then ends all remaining ones.
    mutating func play(until count: Int) async throws {
        while starts < count {
            if outputs.count < 4, Bool.random(using: &dice) {
                outputs.append(picture --> sink())
                starts += 1
                // Some outputs get a frame before the next change, and some get none.
                if let output = outputs.last, Bool.random(using: &dice) {
                    guard await waitUntil({ output.statistics.written > 0 }) else { throw CancellationError() }
                }
            } else if let index = outputs.indices.randomElement(using: &dice) {
                try await change(index)
            }
        }
        for output in outputs { try await output.stop() }
        outputs = []
    }

    private mutating func change(_ index: Int) async throws {
        let output = outputs[index]
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: try output.pause()
        case 1: try output.resume()
        case 2:
            output.remove()
            outputs.remove(at: index)
        case 3:
            let sink = sink()
            let next = try await session.configure {
                output.remove()
                return picture --> sink
            }
            starts += 1
            outputs[index] = next
        default:
            try await output.stop()
            outputs.remove(at: index)
        }
    }

    private mutating func sink() -> any Sink {
        let path = folder.path("\(starts)")
        let sink: any Sink =
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: NullSink(.rgba)
            case 1: NullSink(.i420)
            case 2: RawFile(path, format: .nv12)
            default: Y4MFile(path)
            }
        return switch Int.random(in: 0..<4, using: &dice) {
        case 0: sink.scaled(to: PixelSize(32, 24))
        case 1: sink.limited(to: FrameRate(100))
        case 2: sink.scaled(to: PixelSize(32, 24)).limited(to: FrameRate(100))
        default: sink
        }
    }
}

/// The resources that a process has open.
private struct Belongings: CustomStringConvertible {
    var descriptors: Int
    var threads: Int
    var mappings: Int
    var residentKibibytes: Int

    var description: String {
        "\(descriptors) descriptors, \(threads) threads, \(mappings) mappings, \(residentKibibytes) KiB; "
            + "threads now: \(Self.ownThreads.joined(separator: ", "))"
    }

    /// The names of the threads, without those of libdispatch, which come and go with the tasks that wait.
    private static var ownThreads: [String] { threadNames.filter { !$0.contains("qos") }.sorted() }

    private static var now: Belongings {
        func entries(_ folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
        }
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let resident = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return Belongings(
            descriptors: entries("/proc/self/fd"), threads: ownThreads.count,
            mappings: maps.split(separator: "\n").count,
            residentKibibytes: resident.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
    }

    /// The most that may be open later if nothing has leaked.
    var bound: Belongings {
        Belongings(
            descriptors: descriptors, threads: threads, mappings: mappings + 8, residentKibibytes: .max)
    }

    func isWithin(_ bound: Belongings) -> Bool {
        descriptors <= bound.descriptors && threads <= bound.threads && mappings <= bound.mappings
            && residentKibibytes <= bound.residentKibibytes
    }

    /// The minimum of each count within two seconds; with a bound, within twenty seconds or until all counts fit the
    /// bound.
    ///
    /// Threads of ended sessions may take a moment to exit.
    static func settled(within bound: Belongings? = nil) -> Belongings {
        var least = now
        for _ in 0..<(bound == nil ? 200 : 2000) {
            if let bound, least.isWithin(bound) { break }
            Thread.sleep(forTimeInterval: 0.01)
            let next = now
            least.descriptors = min(least.descriptors, next.descriptors)
            least.threads = min(least.threads, next.threads)
            least.mappings = min(least.mappings, next.mappings)
            least.residentKibibytes = min(least.residentKibibytes, next.residentKibibytes)
        }
        return least
    }
}
