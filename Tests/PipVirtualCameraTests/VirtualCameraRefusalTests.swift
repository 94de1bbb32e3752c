import CV4L2
import PipCapture
import PipConcurrency
import PipFrames
import PipSinks
import PipTestSupport
import SystemPackage
import Testing

@testable import PipVirtualCamera

@Suite("Existing virtual cameras, and refused ones")
struct VirtualCameraRefusalTests {
    private let rig = LoopbackRig()

    @Test("row 60: the error for a missing device has the command that makes it, with its number")
    func missing() throws {
        #expect(
            try rig.refusal()
                == "/dev/video10: cannot write to it: there is no such device; this command creates a virtual"
                + " camera: sudo modprobe v4l2loopback video_nr=10 exclusive_caps=1 card_label=pip-compose (first"
                + " install the driver: sudo apt-get install v4l2loopback-dkms); `pip-compose doctor` says how to keep"
                + " the virtual camera")
        rig.kernel.setFolder("/sys/module", ["v4l2loopback"])
        #expect(
            try rig.refusal().contains(
                "loaded without a device that this program can open; this command creates a virtual camera: sudo"
                    + " modprobe -r v4l2loopback && sudo "))
        rig.kernel.add("/dev/video3", labelled: "desk")
        #expect(try rig.refusal().contains("existing virtual cameras: /dev/video3 (\"desk\"); to load the driver with"))
    }

    @Test("row 60: a camera, another driver's device and a file are refused by their kind")
    func others() throws {
        rig.kernel.add(LoopbackRig.path)
        #expect(try rig.refusal().contains("it is a camera, Fake Camera: only devices of v4l2loopback take frames"))
        var output = FakeCamera()
        output.driver = "vivid"
        output.capabilities = UInt32(V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING)
        rig.kernel.add(LoopbackRig.path, output)
        #expect(try rig.refusal().contains("its driver is vivid: only devices of v4l2loopback"))
        rig.kernel.fail(.queryCapabilities, on: LoopbackRig.path, with: .inappropriateIOCTLForDevice)
        #expect(try rig.refusal().contains("its driver is not a video driver"))
        rig.kernel.setStatus(FileStatus(kind: .regular, groupID: 0, mode: 0o644), of: LoopbackRig.path)
        #expect(try rig.refusal().contains("it is a regular file, not a device node"))
    }

    @Test("row 60: the command in the error for a camera makes a device with a free number")
    func freeNumber() throws {
        rig.kernel.add("/dev/video0")
        #expect(try rig.refusal(.i420, .path("/dev/video0")).contains("video_nr=10 "))
        rig.kernel.add(LoopbackRig.path)
        #expect(try rig.refusal().contains("video_nr=11 "))
    }

    @Test("row 60: a device that may not be opened is refused with advice")
    func closed() throws {
        rig.kernel.add(LoopbackRig.path, labelled: "desk")
        rig.kernel.setText("root:x:0:\nvideo:x:44:", of: "/etc/group")
        rig.kernel.change(LoopbackRig.path) { $0.openError = .permissionDenied }
        #expect(try rig.refusal().contains("sudo usermod -aG video $USER"))
        rig.kernel.change(LoopbackRig.path) { $0.openError = .resourceBusy }
        rig.holds(LoopbackRig.path, "chrome")
        #expect(
            try rig.refusal().contains("as often as its driver allows, by chrome (process 4711); end a program that"))
        #expect(try rig.refusal().contains("/sys/class/video4linux/video10/max_openers"))
    }

    @Test(
        "row 60: a device that another program writes to is refused with the program's name", arguments: [true, false])
    func busy(hasExclusiveCaps: Bool) throws {
        var loopback = FakeLoopback()
        loopback.hasExclusiveCaps = hasExclusiveCaps
        loopback.hasOtherWriter = true
        rig.kernel.add(LoopbackRig.path, labelled: "desk", loopback)
        rig.holds(LoopbackRig.path, "ffmpeg")
        if hasExclusiveCaps {
            #expect(try rig.refusal().contains("another program writes to it; it is open in ffmpeg (process 4711)"))
            return
        }
        // Without exclusive capabilities, the device still announces output, so only the request for buffers fails.
        rig.kernel.fail(.requestBuffers, on: LoopbackRig.path, with: .resourceBusy)
        #expect(try rig.refusal().contains("another program writes to it; it is open in ffmpeg (process 4711)"))
    }

    @Test(
        "row 60: a writer that the driver does not report is detected by its frames, in whichever buffer",
        arguments: [2, 4])
    func mixes(buffers: Int) async throws {
        let result = try await VirtualTime.run { clock, _ in
            let rig = LoopbackRig(kernel: FakeKernel(clock: clock))
            var loopback = FakeLoopback()
            loopback.hasExclusiveCaps = false
            loopback.usedBuffers = UInt32(buffers)
            loopback.stamps = Array(repeating: .zero, count: buffers - 1) + [clock.now]
            rig.kernel.add(LoopbackRig.path, labelled: "desk", loopback)
            let node = try LoopbackNode(writing: LoopbackRig.path, calls: rig.kernel)
            let isAlone = WriterCheck(node).isWritten
            rig.holds(LoopbackRig.path, "ffmpeg")
            let hasReader = WriterCheck(node).isWritten
            rig.kernel.change(LoopbackRig.path) { $0.loopback?.hasOtherWriter = true }
            let hasWriter = WriterCheck(node).isWritten
            return [isAlone, hasReader, hasWriter]
        }
        #expect(result == [false, false, true])
    }

    @Test("a device that readers hold in its last writer's format is written in that format")
    func rejoins() throws {
        var loopback = FakeLoopback()
        loopback.kept = (FourCC("YU12"), LoopbackRig.size)
        rig.kernel.add(LoopbackRig.path, labelled: "desk", loopback)
        rig.holds(LoopbackRig.path, "chrome")
        let writer = try rig.writer()
        try rig.open(writer)
        try writer.write(rig.frame(.i420))
        #expect(rig.kernel.loopback(LoopbackRig.path)?.shown.count == 1)
    }

    @Test("row 60: a device that keeps another format is refused with the program that keeps it, and a remedy")
    func mismatch() throws {
        var loopback = FakeLoopback()
        loopback.kept = (FourCC("YUYV"), PixelSize(640, 480))
        rig.kernel.add(LoopbackRig.path, labelled: "desk", loopback)
        rig.holds(LoopbackRig.path, "chrome")
        #expect(
            try rig.refusal()
                == "/dev/video10: cannot write to it: it takes 640x480 YUYV, not 6x4 YU12 while these programs"
                + " have it open: chrome (process 4711); close these programs; or write in its format:"
                + " '/dev/video10?size=640x480&format=yuyv'")
        rig.kernel.setFolder("/proc", ["self"])
        rig.kernel.change(LoopbackRig.path) {
            $0.loopback?.kept = (FourCC("BGR4"), LoopbackRig.size)
            $0.loopback?.keepsFormat = true
        }
        #expect(
            try rig.refusal().hasSuffix(
                "it takes 6x4 BGR4, not 6x4 YU12; it keeps its format until you run:"
                    + " v4l2-ctl -d /dev/video10 -c keep_format=0"))
    }

    @Test("drivers with invalid answers are refused")
    func broken() throws {
        var loopback = FakeLoopback()
        loopback.missingBytes = 1
        rig.kernel.add(LoopbackRig.path, labelled: "desk", loopback)
        #expect(try rig.refusal().contains("a 6x4 YU12 frame has 36 bytes, but the device's buffers have 35"))
        rig.kernel.add(LoopbackRig.path, labelled: "desk")
        for (request, errno) in [(V4L2Request.setFormat, Errno.invalidArgument), (.requestBuffers, .noMemory)] {
            rig.kernel.fail(request, on: LoopbackRig.path, with: errno)
            #expect(try rig.refusal().contains("\(request.name): "))
        }
        rig.kernel.failMapping(on: LoopbackRig.path, with: .noMemory)
        #expect(try rig.refusal().contains("mmap: "))
        rig.kernel.change(LoopbackRig.path) { $0.bufferLimit = 0 }
        #expect(try rig.refusal().contains("gives no buffers"))
    }

    @Test("a device that its last writer left in an invalid state is written all the same")
    func stuck() throws {
        var loopback = FakeLoopback()
        loopback.isStuck = true
        rig.kernel.add(LoopbackRig.path, labelled: "desk", loopback)
        let writer = try rig.writer()
        try rig.open(writer)
        try writer.write(rig.frame(.i420))
        #expect(rig.kernel.loopback(LoopbackRig.path)?.shown.count == 1)
    }

    @Test("sizes that are odd, and formats that cannot be packed, are refused before a device is opened")
    func odd() throws {
        rig.kernel.add(LoopbackRig.path, labelled: "desk")
        #expect(throws: SinkError.self) { try rig.writer(.rgb24) }
        for size in [PixelSize(5, 4), PixelSize(6, 3)] {
            let error = try #require(throws: SinkError.self) { try rig.open(try rig.writer(), size: size) }
            #expect(error.kind == .invalidOptions && "\(error)".contains("even"))
        }
        #expect(rig.kernel.takeTrace(of: LoopbackRig.path).isEmpty)
    }

    @Test("a device is found by its label, by a link, and by being free")
    func finds() throws {
        rig.kernel.add("/dev/video0")
        rig.kernel.add("/dev/video10", labelled: "desk")
        rig.kernel.add("/dev/video11", labelled: "street")
        rig.kernel.setLink("/dev/v4l/by-path/x", to: "../../video11")
        rig.kernel.setText("YU12:640x480@30", of: "/sys/class/video4linux/video10/format")
        rig.kernel.setText("Y,N", of: "/sys/module/v4l2loopback/parameters/exclusive_caps")
        let directory = VirtualCameraDirectory(calls: rig.kernel)
        #expect(directory.devices().map(\.description) == ["/dev/video10 (\"desk\")", "/dev/video11 (\"street\")"])
        #expect(directory.devices().map(\.format) == ["YU12:640x480@30", nil])
        #expect(directory.devices().map(\.hasExclusiveCaps) == [true, true])
        #expect(try directory.path(of: .label("street")) == "/dev/video11")
        #expect(try directory.path(of: .path("/dev/v4l/by-path/x")) == "/dev/video11")
        #expect(try directory.path(of: .free) == "/dev/video10")
        rig.holds("/dev/video10", "chrome")
        #expect(try directory.path(of: .free) == "/dev/video11")
        #expect(rig.kernel.openDescriptorCount == 0)
    }

    @Test("row 60: an unknown label, and the lack of a free device, are refused with the existing devices")
    func findsNone() throws {
        #expect(
            try rig.refusal(.i420, .free).hasPrefix(
                "virtual-camera: cannot find the device: there is no virtual camera; "))
        rig.kernel.add("/dev/video10", labelled: "desk")
        #expect(
            try rig.refusal(.i420, .label("street")).contains(
                "no virtual camera has this label; existing virtual cameras: /dev/video10 (\"desk\"); to load"))
        rig.kernel.setText("YU12:640x480@30", of: "/sys/class/video4linux/video10/format")
        rig.holds("/dev/video10", "chrome")
        #expect(try rig.refusal(.i420, .free).contains("each virtual camera is open in a program"))
    }
}
