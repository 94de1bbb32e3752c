import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("Cameras that share a bus")
struct JointChoiceTests {
    private static let sizes = [PixelSize(1920, 1080), PixelSize(1280, 720), PixelSize(640, 480), PixelSize(320, 240)]
    /// The budget of USB high speed: 48 MB/s.
    private static let highSpeed = BusLoad.budget(ofSpeed: 480)

    private static func modes(_ formats: [String]) -> [CameraMode] {
        formats.flatMap { format in
            sizes.flatMap { size in
                [30, 15, 5].map { CameraMode(format: FourCC(format), size: size, frameRate: FrameRate($0)) }
            }
        }
    }

    private static func fitted(
        _ formats: [String], _ wish: CameraWish, cameras: Int = 2, budget: Double = highSpeed
    ) -> [String] {
        var demands = (0..<cameras).map { BusDemand(modes: modes(formats), wish: wish, isMain: $0 == 0) }
        JointChoice.fit(&demands, budget: budget)
        return demands.map { $0.mode?.description ?? "" }
    }

    @Test("cameras keep their modes where the bus has room")
    func room() {
        let wish = CameraWish(size: PixelSize(640, 480), frameRate: FrameRate(30))
        #expect(Self.fitted(["YUYV"], wish) == ["YUYV 640x480 at 30 fps", "YUYV 640x480 at 30 fps"])
    }

    @Test("cameras give up raw pictures first, the inset before the main one, and no more than necessary")
    func compresses() {
        let wish = CameraWish(size: PixelSize(1280, 720), frameRate: FrameRate(30))
        // Each camera takes 55 MB/s raw and 7 compressed, so that even one raw stream does not fit.
        #expect(Self.fitted(["YUYV", "MJPG"], wish) == ["MJPG 1280x720 at 30 fps", "MJPG 1280x720 at 30 fps"])
        #expect(
            Self.fitted(["YUYV", "MJPG"], wish, budget: 70e6) == ["YUYV 1280x720 at 30 fps", "MJPG 1280x720 at 30 fps"])
    }

    @Test("cameras without compression get smaller and slower alternately, down to a minimum")
    func reduces() {
        #expect(Self.fitted(["YUYV"], CameraWish()) == ["YUYV 640x480 at 30 fps", "YUYV 640x480 at 30 fps"])
        #expect(
            Self.fitted(["YUYV"], CameraWish(), cameras: 3) == [
                "YUYV 640x480 at 30 fps", "YUYV 640x480 at 30 fps", "YUYV 640x480 at 15 fps",
            ])
        #expect(
            Self.fitted(["YUYV"], CameraWish(), budget: 1e6) == ["YUYV 640x480 at 15 fps", "YUYV 640x480 at 15 fps"])
    }

    @Test("raw pictures are not given up for compressed ones below 15 frames a second, unless they are as slow")
    func slowCompression() {
        func mode(_ format: String, _ rate: Int) -> CameraMode {
            CameraMode(format: FourCC(format), size: PixelSize(1280, 720), frameRate: FrameRate(rate))
        }
        let modes = [mode("YUYV", 30), mode("YUYV", 15), mode("YUYV", 5), mode("MJPG", 5)]
        var demands = [BusDemand(modes: modes, wish: CameraWish(size: PixelSize(1280, 720)), isMain: true)]
        demands[0].mode = modes[0]
        JointChoice.fit(&demands, budget: 30e6)
        #expect(demands[0].mode == modes[1])
        demands[0].mode = modes[2]
        JointChoice.fit(&demands, budget: 5e6)
        #expect(demands[0].mode == modes[3])
    }

    @Test("a mode that was requested by name is kept, although it does not seem to fit")
    func asked() {
        let wish = CameraWish(size: PixelSize(1920, 1080), frameRate: FrameRate(30), format: FourCC("YUYV"))
        #expect(Self.fitted(["YUYV", "MJPG"], wish) == ["YUYV 1920x1080 at 30 fps", "YUYV 1920x1080 at 30 fps"])
    }

    @Test("a camera that keeps its present mode is not changed, and the others make room for it")
    func inputPriority() {
        var demands = [CameraWish(), CameraWish(preset: .inputPriority)].enumerated().map { index, wish in
            BusDemand(modes: Self.modes(["YUYV", "MJPG"]), wish: wish, isMain: index == 0)
        }
        let before = demands.map(\.mode)
        JointChoice.fit(&demands, budget: 1e6)
        #expect(demands[1].mode == before[1] && before[1] != nil)
        #expect(demands[0].mode?.format == FourCC("MJPG") && before[0]?.format == FourCC("YUYV"))
    }

    @Test("a bus reserves a part of its speed", arguments: [(12, 1.35e6), (480, 48e6), (5000, 450e6)])
    func budgets(speed: Int, bytes: Double) { #expect(abs(BusLoad.budget(ofSpeed: speed) - bytes) < 1) }

    @Test(
        "cameras on one controller are negotiated together, and on two controllers separately",
        arguments: [true, false])
    func directory(isShared: Bool) {
        let kernel = FakeKernel()
        for index in 0..<2 {
            var camera = SlotRig.webcam("S\(index)", port: "\(index + 1)")
            if !isShared { camera.busInfo = "usb-0000:0\(index):14.0-1" }
            let size = FakeCamera.Sizes.discrete([PixelSize(1280, 720)])
            camera.formats = [.init("YUYV", sizes: size), .init("MJPG", sizes: size)]
            kernel.add("/dev/video\(index)", camera)
            kernel.setText("480", of: "/sys/class/video4linux/video\(index)/device/../speed")
        }
        let directory = CameraDirectory(calls: kernel)
        let wishes = directory.jointWishes([0, 1].map { (.path("/dev/video\($0)"), CameraWish()) })
        #expect(wishes.map(\.format) == (isShared ? [FourCC("MJPG"), FourCC("MJPG")] : [nil, nil]))
        let mode = CameraMode(format: FourCC("YUYV"), size: .hd720, frameRate: FrameRate(30))
        let loads = directory.busLoads(of: directory.cameras().map { ($0, mode) })
        #expect(loads.count == (isShared ? 1 : 2))
        #expect(abs((loads.first?.cost ?? 0) - (isShared ? 2.304 : 1.152)) < 1e-3, "\(loads)")
    }
}
