import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("Buffers that the GPU may read in place")
struct BufferExportTests {
    /// A camera on a platform bus, where the device itself writes frames to memory.
    private static func camera(_ formats: [FakeCamera.Format], exportLimit: Int = 32) -> FakeCamera {
        var camera = FakeCamera(formats: formats)
        camera.busInfo = "platform:csi0"
        camera.driver = "csi"
        camera.exportLimit = exportLimit
        return camera
    }

    @Test("buffers are exported once each, and closed with the camera and the last frame")
    func exported() async throws {
        let rig = try SlotRig(Self.camera([.init("NV12", 640, 480)]), wantsSharedBuffers: true)
        #expect(rig.slot.sharesBuffers && rig.kernel.exportCount == 6)
        try rig.start()
        rig.produce(1)
        var frame = rig.slot.frames.take()
        #expect(frame?.isShareable == true)
        // Both planes are in one dma-buf.
        #expect(frame.map { Set($0.buffer.descriptors).count } == 1 && frame?.buffer.descriptors.count == 2)
        await rig.slot.stop()
        #expect(rig.kernel.exportCount == 1, "what a frame shows is kept")
        frame = nil
        #expect(rig.kernel.exportCount == 0 && rig.kernel.openDescriptorCount == 0)
    }

    @Test("each plane has a dma-buf where the driver has a buffer for each plane")
    func separatePlanes() async throws {
        var camera = FakeCamera.multiPlanar([.init("NM12", 640, 480)])
        camera.busInfo = "platform:csi0"
        camera.exportLimit = 32
        let rig = try SlotRig(camera, wantsSharedBuffers: true)
        #expect(rig.slot.sharesBuffers && rig.kernel.exportCount == 12)
        await rig.slot.stop()
        #expect(rig.kernel.exportCount == 0)
    }

    @Test("buffers are not exported where nobody asks, or where the frames are decoded")
    func unwanted() async throws {
        let idle = try SlotRig(Self.camera([.init("NV12", 640, 480)]))
        #expect(!idle.slot.sharesBuffers && idle.kernel.exportCount == 0)
        await idle.slot.stop()
        let coded = try SlotRig(Self.camera([.init("MJPG", 640, 480)]), wantsSharedBuffers: true)
        #expect(!coded.slot.sharesBuffers && coded.kernel.exportCount == 0)
        await coded.slot.stop()
    }

    @Test("a camera whose driver exports no buffers, or only some, is used without export", arguments: [0, 3])
    func refused(exportLimit: Int) async throws {
        let camera = Self.camera([.init("NV12", 640, 480)], exportLimit: exportLimit)
        let rig = try SlotRig(camera, wantsSharedBuffers: true)
        #expect(!rig.slot.sharesBuffers)
        try rig.start()
        rig.produce(5)
        #expect(rig.newest() == 5)
        await rig.slot.stop()
        #expect(rig.kernel.exportCount == 0)
    }
}
