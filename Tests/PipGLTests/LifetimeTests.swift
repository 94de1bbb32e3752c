import Foundation
import PipConcurrency
import PipFrames
import Testing

@testable import PipGL

@Suite("Objects")
struct LifetimeTests {
    /// Carries objects from the render thread to another thread, which may only release them.
    private final class Crate: @unchecked Sendable {
        // Safe, because the render thread fills the arrays before one other thread empties them.
        var objects: [AnyObject] = []
        var fences: [FenceBox] = []
    }

    private final class FenceBox {
        let fence: Fence
        init(_ fence: consuming Fence) { self.fence = fence }
    }

    @Test("objects are all deleted when their owners are released on another thread")
    func otherThread() async throws {
        try await RenderContext.with { gpu in
            let crate = try await gpu.perform { gpu in
                let crate = Crate()
                let texture = try Texture(size: PixelSize(4, 4), format: .rgba8, on: gpu)
                let target = try RenderTarget([texture], on: gpu)
                let program = try Program.test(Program.solid, on: gpu)
                DrawState(program, into: target).draw(on: gpu)
                crate.objects = [texture, target, program, try ReadbackBuffer(byteCount: 64, on: gpu)]
                crate.fences = [FenceBox(try Fence(on: gpu)), FenceBox(try Fence(on: gpu))]
                return crate
            }
            var counts = ObjectCounts()
            (counts.textures, counts.framebuffers, counts.programs) = (1, 1, 1)
            (counts.buffers, counts.fences) = (1, 2)
            #expect(gpu.objectCounts == counts)
            await withCheckedContinuation { continuation in
                Thread {
                    crate.objects = []
                    crate.fences = []
                    continuation.resume()
                }.start()
            }
            #expect(gpu.objectCounts == counts)
            await gpu.perform { gpu in gpu.deletePending() }
            #expect(gpu.objectCounts.total == 0)
            #expect(await gpu.perform { gpu in gpu.takeError() } == nil)
        }
    }

    @Test("objects whose creation fails leave nothing behind")
    func failures() async throws {
        try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let small = try Texture(size: PixelSize(4, 4), format: .rgba8, on: gpu)
                let large = try Texture(size: PixelSize(8, 4), format: .rgba8, on: gpu)
                #expect(throws: GLError.self) { _ = try RenderTarget([small, large], on: gpu) }
                #expect(throws: GLError.self) { _ = try RenderTarget([], on: gpu) }
                #expect(throws: GLError.self) { _ = try ReadbackBuffer(byteCount: 1 << 60, on: gpu) }
                gpu.deletePending()
                #expect(gpu.objectCounts.total == 2)
                #expect(gpu.objectCounts.textures == 2)
                withExtendedLifetime((small, large)) {}
            }
        }
    }

    @Test("a read-back's memory stays readable after its context is released")
    func readbackOutlivesContext() async throws {
        let pixels = noise(64)
        var gpu: RenderContext? = try await RenderContext()
        let executor = try #require(gpu).executor
        var buffer: ReadbackBuffer? = try await gpu?.perform { gpu in
            let target = try RenderTarget([Texture(size: PixelSize(4, 4), format: .rgba8, pixels, on: gpu)], on: gpu)
            let buffer = try ReadbackBuffer(byteCount: 64, on: gpu)
            try buffer.read(
                from: target, region: target.size.bounds, format: .rgba8, strideInBytes: 16, on: gpu)
            gpu.finish()
            return buffer
        }
        gpu = nil
        let bytes = unsafe buffer?.mappedBytes.map { unsafe [UInt8]($0) }
        #expect(bytes == nil || bytes == pixels)
        buffer = nil
        await executor.stopped()
    }
}

/// The process's resources, as counted by the kernel.
private struct Holdings: Equatable, CustomStringConvertible {
    var descriptors: Int
    var threads: Int
    var mappings: Int

    static var now: Holdings {
        Holdings(
            descriptors: Folder.entries(of: "/proc/self/fd").count,
            threads: Folder.entries(of: "/proc/self/task").count,
            mappings: (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8))?.split(separator: "\n").count
                ?? 0)
    }

    var description: String { "\(descriptors) descriptors, \(threads) threads, \(mappings) mappings" }
}

@Suite("Contexts")
struct ContextLifetimeTests {
    private static func useContext() async throws {
        try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let size = PixelSize(64, 64)
                let target = try RenderTarget([Texture(size: size, format: .rgba8, on: gpu)], on: gpu)
                DrawState(try Program.test(Program.solid, on: gpu), into: target).draw(on: gpu)
                _ = try target.bytes(on: gpu)
            }
        }
    }

    @Test("a hundred contexts leave descriptors, threads and mappings as they were")
    func hundred() async throws {
        // The test runs in a separate process, where no other test opens anything.
        await #expect(processExitsWith: .success) {
            // The first contexts load the driver and fill the allocator's caches.
            for _ in 0..<10 { try await Self.useContext() }
            // Blocking tasks start all threads of the cooperative pool now, so that no thread starts during the count.
            await withTaskGroup { group in
                for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { group.addTask { usleep(200_000) } }
            }
            let before = Holdings.now
            for _ in 0..<100 { try await Self.useContext() }
            // The kernel takes a moment to remove a thread that has ended.
            let deadline = MonotonicClock().now.nanoseconds + 10_000_000_000
            while Holdings.now.threads > before.threads, MonotonicClock().now.nanoseconds < deadline {
                await Task.yield()
            }
            let after = Holdings.now
            #expect(after.descriptors == before.descriptors)
            #expect(after.threads <= before.threads)
            // The difference allows for mappings of the memory allocator.
            #expect(after.mappings <= before.mappings + 8)
        }
    }

    @Test("contexts do not break each other when one ends")
    func sideBySide() async throws {
        try await RenderContext.with { survivor in
            for _ in 0..<3 { try await Self.useContext() }
            try await survivor.perform { gpu in
                let target = try RenderTarget([Texture(size: PixelSize(1, 1), format: .r8, on: gpu)], on: gpu)
                let program = try Program.test(Program.solid, on: gpu)
                program.set(try #require(program.location("paint")), SIMD4<Float>(1, 0, 0, 0), on: gpu)
                DrawState(program, into: target).draw(on: gpu)
                let bytes = try target.bytes(on: gpu)
                #expect(bytes == [255])
            }
        }
    }

    @Test("contexts can be made and used at the same time")
    func concurrently() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await Self.useContext() } }
            try await group.waitForAll()
        }
    }

    @Test("contexts do not crash a process that ends before them", arguments: 0..<8)
    func exit(round: Int) async throws {
        await #expect(processExitsWith: .success) {
            var contexts: [RenderContext] = []
            for _ in 0..<24 {
                let gpu = try await RenderContext()
                try await gpu.perform { gpu in
                    let size = PixelSize(64, 64)
                    let target = try RenderTarget([Texture(size: size, format: .rgba8, on: gpu)], on: gpu)
                    DrawState(try Program.test(Program.solid, on: gpu), into: target).draw(on: gpu)
                    _ = try target.bytes(on: gpu)
                }
                contexts.append(gpu)
            }
            // All contexts begin to end at once, and the process does not wait for them.
            contexts = []
            Foundation.exit(0)
        }
    }
}
