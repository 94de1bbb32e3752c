import CV4L2
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("The modes of a camera")
struct ModeEnumerationTests {
    private func modes(_ formats: [FakeCamera.Format], near size: PixelSize? = nil) throws -> [CameraMode] {
        let kernel = FakeKernel()
        kernel.add("/dev/video0", FakeCamera(formats: formats))
        let directory = CameraDirectory(calls: kernel)
        return try directory.modes(of: try directory.camera(matching: .index(0)), near: size)
    }

    @Test("modes are the driver's formats, sizes and exact rates")
    func discrete() throws {
        let ntsc = FrameRate(30000, per: 1001)
        let modes = try modes([
            .init("YUYV", sizes: .discrete([PixelSize(640, 480), PixelSize(320, 240)]), rates: .discrete([ntsc])),
            .init("MJPG", sizes: .discrete([PixelSize(1920, 1080)]), rates: .discrete([FrameRate(60), FrameRate(30)])),
        ])
        #expect(
            modes.map(\.description) == [
                "YUYV 640x480 at 29.97 fps", "YUYV 320x240 at 29.97 fps", "MJPG 1920x1080 at 60 fps",
                "MJPG 1920x1080 at 30 fps",
            ])
        #expect(modes[0].frameRate == ntsc)
    }

    @Test("modes are the common sizes, moved to the driver's steps, where the driver takes any size")
    func stepwise() throws {
        let modes = try modes(
            [
                .init(
                    "NV12",
                    sizes: .stepwise(
                        minimum: PixelSize(32, 32), maximum: PixelSize(2592, 1944), step: PixelSize(16, 2)))
            ], near: PixelSize(1000, 701))
        let sizes = modes.map(\.size)
        #expect(sizes.first == PixelSize(1008, 702))
        #expect(sizes.contains(PixelSize(1920, 1080)) && sizes.contains(PixelSize(848, 480)))
        #expect(sizes.contains(PixelSize(2592, 1944)))
        #expect(sizes.allSatisfy { $0.width % 16 == 0 && $0.height % 2 == 0 && $0.width <= 2592 && $0.height <= 1944 })
        #expect(Set(sizes).count == sizes.count)
    }

    @Test("modes from steps give the same choice as modes from a list")
    func stepsAndLists() throws {
        let steps = try modes([
            .init(
                "YUYV",
                sizes: .stepwise(minimum: PixelSize(32, 32), maximum: PixelSize(2592, 1944), step: PixelSize(2, 2)))
        ])
        let list = try modes([.init("YUYV", sizes: .discrete(ModeEnumeration.commonSizes))])
        let wish = CameraWish(size: PixelSize(1920, 1080))
        #expect(chooseMode(steps, wish) == chooseMode(list, wish))
    }

    @Test("modes have the common rates and the limits where the driver takes any rate")
    func continuousRates() throws {
        let modes = try modes([
            .init(
                "YUYV", sizes: .discrete([PixelSize(640, 480)]),
                rates: .continuous(slowest: FrameRate(2), fastest: FrameRate(45)))
        ])
        let rates = modes.compactMap(\.frameRate)
        #expect(rates.first == FrameRate(2) && rates.last == FrameRate(45))
        #expect(rates.contains(FrameRate(30)) && rates.contains(FrameRate(30000, per: 1001)))
        #expect(rates == rates.sorted())
    }

    @Test("modes of an HDMI input are the signal's size and rate")
    func signal() throws {
        let kernel = FakeKernel()
        var input = FakeCamera(formats: [.init("UYVY", sizes: .unlisted, rates: .unlisted)])
        input.signal = (PixelSize(1280, 720), FrameRate(60))
        kernel.add("/dev/video0", input)
        let directory = CameraDirectory(calls: kernel)
        let modes = try directory.modes(of: try directory.camera(matching: .index(0)))
        #expect(modes.map(\.description) == ["UYVY 1280x720 at 60 fps"])
    }

    @Test("the only mode is the present size, at an unknown rate, where the driver lists nothing")
    func silent() throws {
        let modes = try modes([.init("YUYV", sizes: .unlisted, rates: .unlisted)])
        #expect(modes.map(\.description) == ["YUYV 640x480"])
        #expect(modes[0].frameRate == nil)
    }

    @Test("modes have rates from any interval without overflow")
    func intervals() {
        #expect(FrameRate(interval: v4l2_fract(numerator: 1001, denominator: 30000)) == FrameRate(30000, per: 1001))
        #expect(FrameRate(interval: v4l2_fract(numerator: 333_333, denominator: 10_000_000))?.description == "30")
        #expect(FrameRate(interval: v4l2_fract(numerator: 0, denominator: 30)) == nil)
        #expect(FrameRate(interval: v4l2_fract(numerator: 1, denominator: 0)) == nil)
        let extreme = [v4l2_fract(numerator: .max, denominator: .max), v4l2_fract(numerator: 1, denominator: .max)]
        #expect(extreme.compactMap { FrameRate(interval: $0) }.max()?.framesPerSecond ?? 0 > 1e8)
    }

    @Test("modes are refused when no decoder can read the format", arguments: ["MPG4", "XR30", "????"])
    func unusable(format: String) throws {
        let mode = try #require(try modes([.init(format, 640, 480)]).first)
        #expect(!mode.isUsable)
        #expect(chooseMode([mode], CameraWish()) == nil)
    }
}
