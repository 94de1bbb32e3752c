import PipCapture
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@Suite("Frames in the driver's memory")
struct PixelFormatTests {
    private static let size = PixelSize(32, 16)

    /// Delivers a buffer of ascending bytes, and takes the frame.
    private func frame(_ fake: FakeCamera) async throws -> (Frame, Rig) {
        let rig = try Rig(fake, wish: CameraWish(size: Self.size))
        try rig.start()
        rig.produce(FakeFrame(.data((0..<8192).map { UInt8(truncatingIfNeeded: $0 / 32) })))
        return (try rig.take(), rig)
    }

    @Test(
        "planes of single-buffer formats lie where V4L2 places them",
        arguments: PixelFormat.allCases, [1, 64])
    func single(format: PixelFormat, strideStep: Int) async throws {
        var fake = FakeCamera(formats: [.init(format.fourCC.description, 32, 16)])
        fake.strideStep = strideStep
        let (frame, rig) = try await frame(fake)
        #expect(frame.layout.format == format)
        for (index, plane) in frame.layout.planes.enumerated() {
            #expect(plane.strideInBytes >= plane.rowBytes)
            // The value of the bytes increases every 32 bytes, so that a plane's first byte reveals the plane's offset.
            #expect(Rig.bytes(frame, plane: index, count: 1) == [UInt8(truncatingIfNeeded: plane.offset / 32)])
        }
        await rig.camera.stop()
    }

    @Test(
        "planes of multi-buffer formats lie in their own buffers",
        arguments: [("NM12", PixelFormat.nv12), ("NM21", .nv21), ("NM16", .nv16), ("YM12", .i420), ("YM21", .yv12)])
    func separate(fourCC: String, format: PixelFormat) async throws {
        let (frame, rig) = try await frame(.multiPlanar([.init(fourCC, 32, 16)]))
        #expect(frame.layout.format == format)
        #expect(frame.layout.planes.allSatisfy { $0.offset == 0 })
        for plane in 0..<format.planeCount { #expect(Rig.bytes(frame, plane: plane, count: 1) == [0]) }
        #expect(rig.kernel.mappingCount == 5 * format.planeCount)
        await rig.camera.stop()
    }

    @Test("frames begin at the driver's data offset", arguments: ["YUYV", "NV12", "NM12", "YM12"])
    func dataOffset(fourCC: String) async throws {
        var fake = FakeCamera.multiPlanar([.init(fourCC, 32, 16)])
        fake.dataOffset = 128
        let (frame, rig) = try await frame(fake)
        // The fake driver writes the picture from offset 128 on.
        #expect(Rig.bytes(frame, count: 1) == [0])
        #expect(frame.layout.planes[0].offset == 128)
        #expect(rig.camera.format.layout.planes[0].offset == 0)
        await rig.camera.stop()
    }

    @Test("a multi-planar buffer without data after its offset is too short")
    func shortBehindOffset() async throws {
        var fake = FakeCamera.multiPlanar([.init("YUYV", 32, 16)])
        fake.dataOffset = 128
        let rig = try Rig(fake, wish: CameraWish(size: Self.size))
        try rig.start()
        var short = FakeFrame()
        short.bytesUsed = 1024
        rig.produce(short)
        #expect(rig.camera.statistics.dropped[.short] == 1)
        await rig.camera.stop()
    }
}
