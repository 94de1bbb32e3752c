import CV4L2
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

/// Invalid driver answers, found with a fuzzer that alters the answers of all calls.
@Suite("A driver that answers nonsense")
struct HostileDriverTests {
    @Test("row 18: timings whose sums do not fit their type are no crash")
    func timings() {
        var timings = v4l2_dv_timings()
        timings.type = UInt32(V4L2_DV_BT_656_1120)
        timings.bt.width = .max
        timings.bt.height = .max
        timings.bt.hsync = .max
        timings.bt.vsync = .max
        timings.bt.interlaced = 1
        timings.bt.il_vsync = .max
        timings.bt.pixelclock = .max
        #expect(DigitalTimings(timings)?.size == PixelSize(Int(UInt32.max), Int(UInt32.max)))
    }

    @Test("row 18: a format without planes, or wider than any stride, is no crash")
    func noPlanes() {
        var format = v4l2_pix_format_mplane()
        format.width = .max
        format.height = .max
        format.num_planes = 0
        var settings = DriverSettings(format)
        #expect(settings.planes.count == 1)
        settings.completeStride(DeviceFormat.RawBits(row: 24, total: 24))
        #expect(settings.pixelFormat.bytesperline == .max)
    }

    @Test("row 18: an area that overflows is the largest integer")
    func area() { #expect(PixelSize(Int(UInt32.max), Int(UInt32.max)).area == .max) }

    @Test("row 18: lists without end, within lists without end, are cut off")
    func endlessLists() throws {
        let sizes = (1...1000).map { PixelSize($0, 16) }
        let kernel = FakeKernel()
        kernel.add(
            "/dev/video0", FakeCamera(formats: (0..<30).map { _ in .init("YUYV", sizes: .discrete(sizes)) }))
        let directory = CameraDirectory(calls: kernel)
        let modes = try directory.modes(of: try directory.camera(matching: .index(0)))
        #expect(modes.count == ModeEnumeration.mostModes)
    }
}
