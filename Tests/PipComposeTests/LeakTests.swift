import Foundation
import PipCompose
import PipPatterns
import Testing

@Suite("A hundred sessions in one process")
struct LeakTests {
    // In a process of its own: other tests open and close things, too.
    @Test("leave descriptors, threads, mappings and GL objects as they were")
    func leaveNothing() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<5 { try await LeakTests.runSession() }
            let before = Belongings.settled(below: nil)
            for _ in 0..<100 { try await LeakTests.runSession() }
            let after = Belongings.settled(below: before)
            guard after.descriptors <= before.descriptors, after.threads <= before.threads,
                after.mappings <= before.mappings + 8
            else {
                FileHandle.standardError.write(Data("\(before), then \(after)\n".utf8))
                exit(1)
            }
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
        options.clock = .maximum
        let session = try await Session(picture, options: options)
        try await session.run(frames: 3)
        guard session.statistics.output.frames == 3 else { exit(2) }
    }
}

/// The resources that a process has open.
private struct Belongings: CustomStringConvertible {
    var descriptors: Int
    var threads: Int
    var mappings: Int

    var description: String { "\(descriptors) descriptors, \(threads) threads, \(mappings) mappings" }

    private static var now: Belongings {
        func entries(_ folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
        }
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        return Belongings(
            descriptors: entries("/proc/self/fd"), threads: entries("/proc/self/task"),
            mappings: maps.split(separator: "\n").count)
    }

    /// The least within twenty seconds: threads of a session that has ended may take a moment to go.
    static func settled(below limit: Belongings?) -> Belongings {
        var least = now
        for _ in 0..<2000 {
            if let limit, least.descriptors <= limit.descriptors, least.threads <= limit.threads { break }
            Thread.sleep(forTimeInterval: 0.01)
            let next = now
            least.descriptors = min(least.descriptors, next.descriptors)
            least.threads = min(least.threads, next.threads)
            least.mappings = min(least.mappings, next.mappings)
        }
        return least
    }
}
