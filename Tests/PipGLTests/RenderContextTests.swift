import PipConcurrency
import PipFrames
import Testing

@testable import PipGL

@Suite("A render context")
struct RenderContextTests {
    @Test("is made without a display and says what the driver can do")
    func capabilities() async throws {
        try await RenderContext.with { gpu in
            let capabilities = gpu.capabilities
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

    @Test("cannot be made by a way that is not there, and says why")
    func missingWay() throws {
        let error = #expect(throws: GLError.self) { try DisplayLadder(choice: "vulkan") }
        #expect(error?.description.contains("PIP_EGL is \"vulkan\"") == true)
    }
}
