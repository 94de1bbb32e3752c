import Foundation
import PipTestSupport
import Testing

#if !DEBUG
/// Counts the heap allocations for each frame after the warm-up of a session.
///
/// The test exists only in optimized builds, because unoptimized code allocates more.
@Suite("The frame path's allocations")
struct AllocationTests {
    private static let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Allocations/count.c")
    private static let fewFrames = 200
    private static let manyFrames = 1200
    /// The tolerated allocations in 100 frames, for logs and statistics, which allocate now and then.
    private static let toleratedPerHundredFrames = 10

    @Test(
        "of pip-compose and Swift's runtime are none for each frame",
        .enabled(if: SharedLibrary.canCompile, "needs a C compiler"))
    func frames() async throws {
        let folder = try TemporaryFolder()
        let library = folder.path("count.so")
        try await SharedLibrary.compile(Self.source.path, to: library)
        // The first run fills the shader caches.
        _ = try await allocations(in: Self.fewFrames, library, folder)
        let few = try await allocations(in: Self.fewFrames, library, folder)
        let many = try await allocations(in: Self.manyFrames, library, folder)
        let frames = Self.manyFrames - Self.fewFrames
        #expect((many - few) * 100 <= Self.toleratedPerHundredFrames * frames, "\(many - few) in \(frames) frames")
    }

    /// Returns the number of heap allocations in a whole run; those of drivers and other libraries do not count.
    private func allocations(in frames: Int, _ library: String, _ folder: TemporaryFolder) async throws -> Int {
        let run = try await CommandProcess(
            [
                "--main", "pattern:scene?size=320x180", "--inset", "pattern:scene?size=320x180&seed=1",
                "--effect", "main:vignette=0.4", "--effect", "inset:gaussian-blur=2",
                "--layout", "top-right,width=25%,radius=8", "--output", "null:?format=nv12", "--fps", "max",
                "--frames", "\(frames)",
            ], in: folder.url, environment: ["LD_PRELOAD": library])
        try #require(run.status == 0, "\(run.errors)")
        let match = try #require(run.errors.firstMatch(of: #/allocations ([0-9]+) others [0-9]+/#), "\(run.errors)")
        return try #require(Int(match.1))
    }
}
#endif
