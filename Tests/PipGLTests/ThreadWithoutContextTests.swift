import Foundation
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipGL

@Suite("A render thread without OpenGL ES")
struct ThreadWithoutContextTests {
    @Test("a thread without a context has no capabilities, and reports neither a loss nor a failure")
    func nothing() async {
        let gpu = RenderContext(clock: MonotonicClock(), resetStatus: { 1 })
        #expect(gpu.capabilities == nil)
        #expect(await !gpu.isLost)
        #expect(await gpu.takeError() == nil)
        await gpu.perform { gpu in
            gpu.finish()
            gpu.flush()
            gpu.deletePending()
        }
        #expect(gpu.objectCounts.total == 0)
    }

    @Test("makes no objects, and the error says why")
    func objects() async throws {
        let gpu = RenderContext(clock: MonotonicClock())
        await gpu.perform { gpu in
            let makers: [() throws -> Void] = [
                { _ = try Texture(size: PixelSize(4, 4), format: .rgba8, on: gpu) },
                {
                    let texels = ImportedTexels(
                        size: PixelSize(4, 4), format: .r8, offset: 0, strideInBytes: 4)
                    _ = try Texture(importing: texels, of: 0, on: gpu)
                },
                { _ = try RenderTarget([], on: gpu) }, { _ = try ReadbackBuffer(byteCount: 4, on: gpu) },
                { _ = try Fence(on: gpu) }, { _ = try Program.test(Program.solid, on: gpu) },
                { _ = try Program(label: "sum", compute: [], on: gpu) },
                { _ = try ProgramCache(folder: nil).program(label: "sum", compute: [], on: gpu) },
            ]
            for make in makers {
                let error = #expect(throws: GLError.self) { try make() }
                #expect(error?.description.hasSuffix("no OpenGL ES context is open") == true)
            }
        }
    }

    @Test("opens a context once, and draws from then on")
    func opens() async throws {
        let gpu = RenderContext(clock: MonotonicClock())
        try await gpu.open()
        let capabilities = try #require(gpu.capabilities)
        try await gpu.open()
        #expect(gpu.capabilities == capabilities)
        let bytes = try await gpu.perform { gpu in
            let target = try RenderTarget([Texture(size: PixelSize(1, 1), format: .rgba8, on: gpu)], on: gpu)
            target.clear(to: SIMD4(1, 0, 1, 1), on: gpu)
            return try target.bytes(on: gpu)
        }
        #expect(bytes == [255, 0, 255, 255])
    }

    @Test("loads nothing of OpenGL", .enabled(if: !isSanitized, "a sanitizer loads libraries of its own"))
    func loadsNothing() async {
        await #expect(processExitsWith: .success) {
            func loaded() throws -> [String] {
                // A file of /proc has no size, so it is read to its end.
                let bytes = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd()
                let maps = String(decoding: try #require(bytes), as: UTF8.self)
                return ["libEGL.so", "libGLESv2.so", "libgbm.so"].filter(maps.contains)
            }
            let gpu = RenderContext(clock: MonotonicClock())
            await gpu.perform { gpu in gpu.finish() }
            #expect(try loaded() == [])
            try await gpu.open()
            #expect(try loaded().prefix(2) == ["libEGL.so", "libGLESv2.so"])
        }
    }

    private static var isSanitized: Bool { ProcessInfo.processInfo.environment["LD_PRELOAD"] != nil }
}

@Suite("The devices of GPUs")
struct GPUDevicesTests {
    private func areUsable(_ files: [String]) throws -> Bool {
        let folder = try TemporaryFolder()
        for file in files {
            let url = folder.url.appending(path: file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url)
        }
        return GPUDevices.areUsable(in: folder.url.path)
    }

    @Test(
        "GPUs have render nodes or NVIDIA's devices, and a display-only device is no GPU",
        arguments: [
            ([], false), (["dri/renderD128"], true), (["dri/card0"], false), (["dri/card0", "dri/renderD129"], true),
            (["nvidiactl"], true),
        ] as [([String], Bool)])
    func kinds(_ files: [String], _ expected: Bool) throws {
        #expect(try areUsable(files) == expected)
    }
}
