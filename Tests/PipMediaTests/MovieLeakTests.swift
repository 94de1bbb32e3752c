#if Media
import Foundation
import PipCompose
import PipFrames
import PipSinks
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("What a hundred movies leave")
struct MovieLeakTests {
    @Test("is nothing: descriptors, threads and memory are as they were")
    func leaveNothing() async {
        await #expect(processExitsWith: .success) {
            let files = try MovieFiles()
            let path = try files.numbered("a.mp4", 30)
            func play(_ count: Int) throws {
                for index in 0..<count {
                    let reader = try MovieReader(path: path, .init(loops: true))
                    for frame in 0..<(index % 40) { _ = try reader.next(index: frame) }
                    if index % 3 != 0 { reader.close() }
                }
            }
            try play(20)
            let before = Holdings.now
            try play(100)
            let bound = Holdings(
                // The engine's pools of threads have some of their own.
                descriptors: before.descriptors + 4, threads: before.threads, kibibytes: before.kibibytes + 16384)
            // Threads that have ended are not gone at once.
            for _ in 0..<500 where !Holdings.now.isWithin(bound) { try await Task.sleep(for: .milliseconds(10)) }
            #expect(Holdings.now.isWithin(bound), "\(before), then \(Holdings.now)")
        }
    }
}

/// What the process has.
struct Holdings {
    let descriptors: Int
    let threads: Int
    let kibibytes: Int

    func isWithin(_ bound: Holdings) -> Bool {
        descriptors <= bound.descriptors && threads <= bound.threads && kibibytes <= bound.kibibytes
    }

    static var now: Holdings {
        func count(_ path: String) -> Int { (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0 }
        let memory = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return Holdings(
            descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"),
            kibibytes: (memory?.dropFirst().first.flatMap { Int($0) } ?? 0) * 4)
    }
}
#endif
