import CV4L2
import PipFrames
import PipSinks
import PipTestSupport
import Testing

@testable import PipVirtualCamera

@Suite("Writing to a virtual camera")
struct VirtualCameraWriterTests {
    private let rig = LoopbackRig()

    @Test("readers see the samples without padding", arguments: [PixelFormat.i420, .nv12])
    func planar(format: PixelFormat) throws {
        rig.kernel.add(LoopbackRig.path, labelled: "desk")
        let writer = try rig.writer(format)
        try rig.open(writer)
        try writer.write(rig.frame(format))
        writer.finish()
        #expect(rig.kernel.loopback(LoopbackRig.path)?.shown.map(\.bytes) == [(0..<36).map { UInt8($0) }])
        #expect(rig.kernel.openDescriptorCount == 0 && rig.kernel.mappingCount == 0)
    }

    @Test("YUYV is packed from two planes, with any stride of the driver", arguments: [0, 4])
    func packed(padding: Int) throws {
        var loopback = FakeLoopback()
        loopback.padding = padding
        rig.kernel.add(LoopbackRig.path, labelled: "desk", loopback)
        let writer = try rig.writer(.yuyv)
        #expect(writer.request.format == .nv12)
        try rig.open(writer)
        try writer.write(rig.frame(.nv12))
        let bytes = try #require(rig.kernel.loopback(LoopbackRig.path)?.shown.first?.bytes)
        try #require(bytes.count == 4 * (12 + padding))
        // The luma samples count from 0 to 23 in rows of 6, and the chroma samples from 24 in rows of 6.
        #expect(bytes[..<12] == [0, 24, 1, 25, 2, 26, 3, 27, 4, 28, 5, 29])
        let second = bytes[(12 + padding)..<(24 + padding)]
        #expect(Array(second) == [6, 26, 7, 27, 8, 28, 9, 29, 10, 30, 11, 31])
    }

    @Test("a device gets the session's format, colours and rate")
    func negotiates() throws {
        rig.kernel.add(LoopbackRig.path, labelled: "desk")
        let writer = try rig.writer(.nv12)
        try rig.open(writer, rate: FrameRate(30000, per: 1001))
        let loopback = try #require(rig.kernel.loopback(LoopbackRig.path))
        let interval = try #require(loopback.interval)
        #expect(interval == (1001, 30000))
        let colours = try #require(loopback.colours)
        #expect(colours.matrix == V4L2_YCBCR_ENC_601.rawValue && colours.range == V4L2_QUANTIZATION_LIM_RANGE.rawValue)
        #expect(colours.colorspace == V4L2_COLORSPACE_SMPTE170M.rawValue)
        #expect(colours.transfer == V4L2_XFER_FUNC_709.rawValue)
        #expect(loopback.isStreaming)
    }

    @Test("frames carry the session's timestamps, and the present time where those belong to another clock")
    func stamps() throws {
        rig.kernel.add(LoopbackRig.path, labelled: "desk")
        let writer = try rig.writer()
        try rig.open(writer)
        let now = rig.kernel.now
        try writer.write(rig.frame(.i420, now.advanced(by: .milliseconds(-40))))
        try writer.write(rig.frame(.i420, .zero))
        try writer.write(rig.frame(.i420, now.advanced(by: .seconds(60))))
        #expect(
            rig.kernel.loopback(LoopbackRig.path)?.shown.map(\.timestamp) == [
                now.advanced(by: .milliseconds(-40)), now, now,
            ])
    }

    @Test("a reader that leaves the device with a single buffer still sees every frame")
    func fewerBuffers() throws {
        rig.kernel.add(LoopbackRig.path, labelled: "desk")
        let writer = try rig.writer()
        try rig.open(writer)
        try writer.write(rig.frame(.i420))
        rig.kernel.change(LoopbackRig.path) { $0.loopback?.usedBuffers = 1 }
        for _ in 0..<3 { try writer.write(rig.frame(.i420)) }
        let shown = try #require(rig.kernel.loopback(LoopbackRig.path)?.shown)
        #expect(shown.count == 4 && shown.allSatisfy { $0.bytes == (0..<36).map { UInt8($0) } })
    }

    @Test("buffers are written in turn without being dequeued")
    func turns() throws {
        rig.kernel.add(LoopbackRig.path, labelled: "desk")
        let writer = try rig.writer()
        try rig.open(writer)
        for _ in 0..<3 { try writer.write(rig.frame(.i420)) }
        #expect(!rig.kernel.takeTrace(of: LoopbackRig.path).contains("VIDIOC_DQBUF"))
    }

    @Test("a device that is removed ends the output with an error message")
    func removed() throws {
        rig.kernel.add(LoopbackRig.path, labelled: "desk")
        let writer = try rig.writer()
        try rig.open(writer)
        rig.kernel.unplug(LoopbackRig.path)
        let error = try #require(throws: SinkError.self) { try writer.write(rig.frame(.i420)) }
        #expect("\(error)".hasPrefix("/dev/video10: cannot show a frame: VIDIOC_QUERYBUF: "))
        #expect("\(error)".contains("the device was removed"))
        writer.finish()
        #expect(rig.kernel.openDescriptorCount == 0 && rig.kernel.mappingCount == 0)
    }
}
