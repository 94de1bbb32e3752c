import CV4L2
import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture

@Suite("Setting a camera's format")
struct NegotiationTests {
    @Test("follows the driver when it rounds the size")
    func roundedSize() throws {
        var fake = FakeCamera(formats: [
            .init(
                "YUYV",
                sizes: .stepwise(minimum: PixelSize(16, 16), maximum: PixelSize(1920, 1080), step: PixelSize(1, 1)))
        ])
        fake.sizeStep = PixelSize(16, 8)
        let rig = try Rig(fake, wish: CameraWish(size: PixelSize(1000, 700)))
        #expect(rig.camera.format.layout.size == PixelSize(1008, 704))
        #expect(rig.camera.format.mode.size == PixelSize(1008, 704))
    }

    @Test("follows the driver's stride", arguments: ["YUYV", "NV12", "YU12", "GREY", "RGB3", "XR24"])
    func stride(format: String) throws {
        var fake = FakeCamera(formats: [.init(format, 322, 242)])
        fake.strideStep = 256
        let layout = try Rig(fake).camera.format.layout
        #expect(layout.planes[0].strideInBytes % 256 == 0 && layout.planes[0].strideInBytes > layout.planes[0].rowBytes)
        if format == "NV12" {
            #expect(layout.planes[1].offset == layout.planes[0].strideInBytes * 242)
            #expect(layout.planes[1].strideInBytes == layout.planes[0].strideInBytes)
        }
        if format == "YU12" { #expect(layout.planes[1].strideInBytes == layout.planes[0].strideInBytes / 2) }
    }

    @Test("follows the driver when it sets another pixel format")
    func otherFormat() throws {
        var fake = FakeCamera(formats: [.init("NV12", 640, 480)])
        fake.forcedFormat = FourCC("UYVY")
        let rig = try Rig(fake)
        #expect(rig.camera.format.deviceFourCC == FourCC("UYVY"))
        #expect(rig.camera.format.layout.format == .uyvy)
    }

    @Test("refuses a format that the driver sets and nobody can read")
    func unreadableFormat() throws {
        var fake = FakeCamera(formats: [.init("NV12", 640, 480)])
        fake.forcedFormat = FourCC("MPG4")
        let error = try #require(throws: CaptureError.self) { try Rig(fake) }
        #expect(error.kind == .unsupported)
        #expect("\(error)".contains("the driver chose it in place of NV12"))
    }

    @Test("lists the available formats when the requested one is missing")
    func formatsOffered() throws {
        let fake = FakeCamera(formats: [.init("YUYV", 640, 480), .init("MPG4", 640, 480)])
        let error = try #require(throws: CaptureError.self) { try Rig(fake, wish: CameraWish(format: FourCC("MJPG"))) }
        #expect("\(error)" == "/dev/video0: cannot use the format MJPG: the camera offers YUYV, MPG4")
        let unread = try #require(throws: CaptureError.self) { try Rig(fake, wish: CameraWish(format: FourCC("MPG4"))) }
        #expect(unread.reason.contains("the format is unknown"))
    }

    @Test("refuses buffers that cannot hold a frame")
    func smallBuffers() throws {
        var fake = FakeCamera()
        fake.extraBytes = -1
        let error = try #require(throws: CaptureError.self) { try Rig(fake) }
        #expect(error.reason == "the driver's buffers have 614399 bytes, not 614400")
    }

    @Test("reads back the rate that the driver really set")
    func rate() throws {
        var fake = FakeCamera(formats: [
            .init("YUYV", sizes: .discrete([PixelSize(640, 480)]), rates: .discrete([FrameRate(30), FrameRate(15)]))
        ])
        fake.trueRates = [FrameRate(25, per: 2), FrameRate(50)]
        #expect(
            try Rig(fake, wish: CameraWish(frameRate: FrameRate(15))).camera.format.frameRate == FrameRate(25, per: 2))
    }

    @Test("does not set a rate where the driver cannot, and trusts the driver's list")
    func noRate() throws {
        var fake = FakeCamera()
        fake.canSetRate = false
        let rig = try Rig(fake)
        #expect(!rig.kernel.takeTrace(of: Rig.path).contains("VIDIOC_S_PARM"))
        #expect(rig.camera.format.frameRate == FrameRate(30))
    }

    @Test("uses an HDMI input's signal timings")
    func signal() throws {
        var fake = FakeCamera(formats: [.init("UYVY", sizes: .unlisted, rates: .unlisted)])
        fake.signal = (PixelSize(1920, 1080), FrameRate(60))
        fake.canSetRate = false
        let format = try Rig(fake).camera.format
        #expect(format.layout.size == PixelSize(1920, 1080))
        #expect(format.frameRate == FrameRate(60))
    }

    @Test("keeps the rate in the dark, unless the user wants otherwise", arguments: [(false, 0), (true, 1)])
    func dynamicFrameRate(isWished: Bool, value: Int) throws {
        var fake = FakeCamera()
        let id = UInt32(V4L2_CID_EXPOSURE_AUTO_PRIORITY)
        fake.controls = [.init(id, "Exposure, Dynamic Framerate", V4L2_CTRL_TYPE_BOOLEAN, 0...1, value: 1)]
        let wish = CameraWish(controls: isWished ? [("exposure_dynamic_framerate", 1)] : [])
        let rig = try Rig(fake, wish: wish)
        #expect(rig.kernel.controlValue(id, of: Rig.path) == value)
    }

    @Test("makes no call for a control that the camera does not have")
    func noControl() throws {
        #expect(!(try Rig().kernel.takeTrace(of: Rig.path).contains("VIDIOC_S_CTRL")))
    }

    @Test("makes the calls to the driver in a fixed order")
    func order() throws {
        let calls = try Rig().kernel.takeTrace(of: Rig.path).filter { !$0.hasPrefix("VIDIOC_ENUM") && $0 != "close" }
        #expect(
            calls == [
                "VIDIOC_QUERYCAP", "VIDIOC_SUBSCRIBE_EVENT", "VIDIOC_QUERY_DV_TIMINGS", "VIDIOC_S_FMT", "VIDIOC_G_PARM",
                "VIDIOC_S_PARM",
                "VIDIOC_QUERY_EXT_CTRL", "VIDIOC_QUERY_EXT_CTRL", "VIDIOC_REQBUFS",
            ] + Array(repeating: "VIDIOC_QUERYBUF", count: 5) + ["VIDIOC_QUERY_EXT_CTRL"])
    }

    @Test(
        "leaves nothing open, whatever call fails",
        arguments: [
            V4L2Request.queryCapabilities, .setFormat, .queryBuffer,
        ])
    func cleansUp(request: V4L2Request) throws {
        let kernel = FakeKernel()
        kernel.add("/dev/video0")
        let device = try CameraDirectory(calls: kernel).camera(matching: .index(0))
        kernel.fail(request, on: "/dev/video0", with: .ioError, skip: request == .queryBuffer ? 3 : 0, times: 2)
        let error = try #require(throws: CaptureError.self) { try Camera(device, calls: kernel) }
        #expect(error.call == request.name && error.errno == .ioError)
        #expect(kernel.openDescriptorCount == 0)
        #expect(kernel.mappingCount == 0)
    }

    @Test("leaves nothing mapped when memory cannot be mapped")
    func mappingFails() throws {
        let kernel = FakeKernel()
        kernel.add("/dev/video0", .multiPlanar([.init("NM12", 640, 480)]))
        let device = try CameraDirectory(calls: kernel).camera(matching: .index(0))
        kernel.failMapping(on: "/dev/video0", with: .noMemory)
        let error = try #require(throws: CaptureError.self) { try Camera(device, calls: kernel) }
        #expect(error.call == "mmap")
        #expect(kernel.openDescriptorCount == 0 && kernel.mappingCount == 0)
    }

    @Test("takes fewer buffers than requested, down to two")
    func fewBuffers() async throws {
        var fake = FakeCamera()
        fake.bufferLimit = 2
        let rig = try Rig(fake)
        try rig.start()
        for value in 1...5 { rig.produce(FakeFrame(.fill(UInt8(value)))) }
        #expect(Rig.bytes(try rig.take(), count: 1) == [5])
        #expect(rig.camera.statistics.dropped[.sequenceGap] == 0)
        await rig.camera.stop()
    }

    @Test("refuses to work with one buffer")
    func oneBuffer() throws {
        var fake = FakeCamera()
        fake.bufferLimit = 1
        let error = try #require(throws: CaptureError.self) { try Rig(fake) }
        #expect(error.reason == "the driver gave too few buffers: 1, but at least 2 are needed")
    }

    @Test("asks for buffers twice")
    func buffersRefusedOnce() throws {
        let kernel = FakeKernel()
        kernel.add("/dev/video0")
        let device = try CameraDirectory(calls: kernel).camera(matching: .index(0))
        kernel.fail(.requestBuffers, on: "/dev/video0", with: .invalidArgument)
        _ = try Camera(device, calls: kernel)
        kernel.fail(.requestBuffers, on: "/dev/video0", with: .invalidArgument, times: 2)
        #expect(throws: CaptureError.self) { try Camera(device, calls: kernel) }
    }
}
