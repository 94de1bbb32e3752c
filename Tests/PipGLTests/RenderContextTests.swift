import Foundation
import PipConcurrency
import PipFrames
import Synchronization
import Testing

@testable import PipGL

@Suite("A render context")
struct RenderContextTests {
    @Test("a context is made without a display, and reports the driver's capabilities")
    func capabilities() async throws {
        try await RenderContext.with { gpu in
            let capabilities = try #require(gpu.capabilities)
            #expect((capabilities.majorVersion, capabilities.minorVersion) >= (3, 1))
            #expect(!capabilities.vendor.isEmpty)
            #expect(!capabilities.renderer.isEmpty)
            #expect(
                capabilities.version.contains("OpenGL ES \(capabilities.majorVersion).\(capabilities.minorVersion)"))
            #expect(capabilities.maxTextureSize >= 2048)
            #expect(capabilities.maxViewportWidth >= 2048)
            #expect(capabilities.maxTextureUnits >= 16)
            #expect(capabilities.maxDrawBuffers >= 4)
            #expect(
                capabilities.renderer.contains("llvmpipe")
                    == (capabilities.isSoftware && capabilities.vendor.contains("Mesa")))
        }
    }

    @Test("runs its functions on its own thread, also in the recurring function")
    func thread() async throws {
        try await RenderContext.with { gpu in
            #expect(await gpu.perform { gpu in gpu.takeError() } == nil)
            let answer: Bool = await withCheckedContinuation { continuation in
                gpu.executor.callRepeatedly(from: Timestamp(nanoseconds: 0)) {
                    continuation.resume(returning: gpu.onThread { gpu in gpu.takeError() == nil })
                    return nil
                }
            }
            #expect(answer)
        }
    }

    @Test("stops a thread that is not its own")
    func wrongThread() async {
        await #expect(processExitsWith: .failure) {
            let gpu = try await RenderContext()
            gpu.onThread { gpu in gpu.flush() }
        }
    }

    @Test("logs the driver's messages of high severity")
    func log() async throws {
        let heard = Mutex<[String]>([])
        try await RenderContext.with(log: { message in heard.withLock { $0.append(message) } }) { gpu in
            try await gpu.perform { gpu in
                let target = try RenderTarget([Texture(size: PixelSize(1, 1), format: .rgba8, on: gpu)], on: gpu)
                let buffer = try ReadbackBuffer(byteCount: 64, on: gpu)
                // The driver refuses to read 8-bit components as floats, and reports an error.
                #expect(throws: GLError.self) {
                    try buffer.read(
                        from: target, region: target.size.bounds, format: .r32f, strideInBytes: 4, on: gpu)
                }
            }
        }
        // The message of Mesa names the call, and the message of NVIDIA's driver names the error code.
        #expect(heard.withLock { $0.contains { $0.contains("glReadPixels") || $0.contains("GL_INVALID_OPERATION") } })
    }

    @Test("row 39: a context on a GPU that was not reset is not lost")
    func isNotLost() async throws {
        try await RenderContext.with { gpu in #expect(await !gpu.isLost) }
    }
}

@Suite("The ladder of displays")
struct DisplayLadderTests {
    @Test("refuses an unknown name with the possible names")
    func unknownName() throws {
        let error = #expect(throws: GLError.self) { try DisplayLadder(choice: "vulkan") }
        #expect(
            error?.description
                == "cannot open an EGL display: getenv: PIP_EGL is \"vulkan\", but must be one of gbm, device, surfaceless, default"
        )
    }

    @Test(
        "leads to a context by each rung that the machine has", .enabled(if: isMesa, "needs Mesa"),
        arguments: ["device", "surfaceless"])
    func rungs(name: String) throws {
        let context = try DisplayLadder(choice: name).climb(log: nil)
        #expect(context.platform.description.hasPrefix(name))
        #expect(Capabilities(of: context).majorVersion == 3)
    }

    private static var isMesa: Bool { EGLLibrary.clientExtensions.contains("EGL_MESA_platform_surfaceless") }

    private static var hasGBM: Bool { EGLLibrary.clientExtensions.contains("EGL_KHR_platform_gbm") }

    @Test("row 40: without a render node, the error says so, and what to install", .enabled(if: hasGBM, "needs GBM"))
    func noNode() throws {
        let error = #expect(throws: GLError.self) {
            try DisplayLadder(choice: "gbm", nodeFolder: "/nonexistent").climb(log: nil)
        }
        #expect(
            error?.description == """
                cannot open an EGL display: eglGetPlatformDisplay: gbm: no render node in /nonexistent; \
                install the GPU's driver, or the packages libegl1 and libgl1-mesa-dri to draw without a GPU
                """)
    }

    @Test("row 40: the error names a render node that does not work, and the reason", .enabled(if: hasGBM, "needs GBM"))
    func brokenNode() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pip-dri-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appending(path: "renderD128"))
        let error = #expect(throws: GLError.self) {
            try DisplayLadder(choice: "gbm", nodeFolder: folder.path).climb(log: nil)
        }
        #expect(
            error?.description.contains("\(folder.path)/renderD128: cannot make a GBM device: gbm_create_device: ")
                == true)
    }
}

@Suite("The software rasteriser")
struct SoftwareRendererTests {
    @Test("gets the requested number of threads, unless the user's environment sets another")
    func threads() async {
        await #expect(processExitsWith: .success) {
            unsafe unsetenv("LP_NUM_THREADS")
            Environment.configureSoftwareRenderer(threads: 0)
            #expect(Environment.value("LP_NUM_THREADS") == "0")
            Environment.configureSoftwareRenderer(threads: 3)
            #expect(Environment.value("LP_NUM_THREADS") == "0")
        }
    }
}
