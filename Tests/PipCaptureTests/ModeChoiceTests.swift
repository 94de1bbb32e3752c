import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("The choice of a mode")
struct ModeChoiceTests {
    private static func mode(
        _ format: String, _ width: Int, _ height: Int, _ rate: Double? = 30, emulated: Bool = false
    )
        -> CameraMode
    {
        CameraMode(
            format: FourCC(format), size: PixelSize(width, height), frameRate: rate.flatMap { FrameRate($0) },
            isEmulated: emulated)
    }

    /// The modes of webcams: raw formats only where USB 2 has room for them.
    private static let webcam = [
        mode("YUYV", 640, 480), mode("YUYV", 1280, 720, 10), mode("YUYV", 1920, 1080, 5), mode("MJPG", 640, 480),
        mode("MJPG", 1280, 720), mode("MJPG", 1920, 1080),
    ]

    @Test(
        "takes raw where it is fast enough, and MJPEG where it is not",
        arguments: [
            (PixelSize(640, 480), 30.0, "YUYV 640x480 at 30 fps"),
            (PixelSize(1280, 720), 30, "MJPG 1280x720 at 30 fps"),
            (PixelSize(1280, 720), 10, "YUYV 1280x720 at 10 fps"),
            (PixelSize(1920, 1080), 30, "MJPG 1920x1080 at 30 fps"),
            (PixelSize(1920, 1080), 5, "YUYV 1920x1080 at 5 fps"),
            (PixelSize(1280, 720), 60, "MJPG 1280x720 at 30 fps"),
        ])
    func webcam(size: PixelSize, rate: Double, choice: String) {
        let wish = CameraWish(size: size, frameRate: FrameRate(rate))
        #expect(chooseMode(Self.webcam, wish)?.description == choice)
    }

    @Test("the choice without a wish is 1280x720 at 30 fps")
    func noWish() { #expect(chooseMode(Self.webcam, CameraWish())?.description == "MJPG 1280x720 at 30 fps") }

    @Test("takes the nearest size by the sum of the differences")
    func nearestSize() {
        let sizes = [
            (192, 144), (352, 288), (480, 360), (640, 480), (960, 540), (1280, 720), (1920, 1080), (1920, 1440),
        ]
        let modes = sizes.map { Self.mode("NV12", $0.0, $0.1) }
        #expect(chooseMode(modes, CameraWish(size: PixelSize(1920, 720)))?.size == PixelSize(1920, 1080))
        #expect(chooseMode(modes, CameraWish(size: PixelSize(1, 1)))?.size == PixelSize(192, 144))
    }

    @Test(
        "prefers the format that costs least to convert",
        arguments: [
            (["YUYV", "NV12"], "NV12"), (["MJPG", "UYVY"], "UYVY"), (["RGB3", "MJPG"], "MJPG"),
            (["BA81", "BGR3"], "BGR3"),
            (["GREY", "BA81"], "BA81"), (["GREY"], "GREY"), (["AR24", "RGB3"], "RGB3"), (["YU12", "NV12"], "YU12"),
        ])
    func cost(offered: [String], choice: String) {
        let modes = offered.map { Self.mode($0, 1280, 720) }
        #expect(chooseMode(modes, CameraWish())?.format == FourCC(choice))
    }

    @Test("takes 29.97 for 30, and the slowest that is fast enough")
    func rates() {
        let modes = [60, 29.97, 15].map { Self.mode("NV12", 1280, 720, $0) }
        #expect(chooseMode(modes, CameraWish(frameRate: FrameRate(30)))?.frameRate == FrameRate(30000, per: 1001))
        #expect(chooseMode(modes, CameraWish(frameRate: FrameRate(50)))?.frameRate == FrameRate(60))
        #expect(chooseMode(modes, CameraWish(frameRate: FrameRate(10)))?.frameRate == FrameRate(15))
        #expect(chooseMode(modes, CameraWish(frameRate: FrameRate(100)))?.frameRate == FrameRate(60))
    }

    @Test("takes a format that a library emulates only when there is no other")
    func emulated() {
        let emulated = Self.mode("NV12", 1280, 720, emulated: true)
        let direct = Self.mode("MJPG", 640, 480)
        #expect(chooseMode([emulated, direct], CameraWish()) == direct)
        #expect(chooseMode([emulated], CameraWish()) == emulated)
    }

    @Test("takes the wished pixel format and no other")
    func format() {
        let wish = CameraWish(size: PixelSize(640, 480), format: FourCC("MJPG"))
        #expect(chooseMode(Self.webcam, wish)?.description == "MJPG 640x480 at 30 fps")
        #expect(chooseMode(Self.webcam, CameraWish(format: FourCC("NV12"))) == nil)
    }

    @Test("no other mode is better than the chosen one", arguments: 0..<200)
    func againstBruteForce(seed: UInt64) throws {
        var random = Dice(Int(seed))
        let formats = ["NV12", "YUYV", "MJPG", "RGB3", "BA81", "GREY", "MPG4"]
        let modes = (0..<Int.random(in: 1...24, using: &random)).map { _ in
            Self.mode(
                formats.randomElement(using: &random) ?? "NV12", 160 * Int.random(in: 1...6, using: &random),
                120 * Int.random(in: 1...6, using: &random),
                [nil, 5, 15, 29.97, 30, 60].randomElement(using: &random) ?? nil,
                emulated: Int.random(in: 0..<8, using: &random) == 0)
        }
        let wish = CameraWish(
            size: PixelSize(160 * Int.random(in: 1...7, using: &random), 120 * Int.random(in: 1...7, using: &random)),
            frameRate: FrameRate([10, 30, 60].randomElement(using: &random) ?? 30))
        guard let choice = chooseMode(modes, wish) else {
            #expect(modes.allSatisfy { $0.format == FourCC("MPG4") })
            return
        }
        for other in modes {
            #expect(!Self.isBetter(other, than: choice, wish, among: modes), "\(other) over \(choice)")
        }
    }

    /// The rule of the choice, written as a comparison of two modes.
    private static func isBetter(
        _ a: CameraMode, than b: CameraMode, _ wish: CameraWish, among modes: [CameraMode]
    ) -> Bool {
        let order = ["NV12": 0, "YUYV": 1, "MJPG": 2, "RGB3": 3, "BA81": 4, "GREY": 5]
        guard let size = wish.size, let rate = wish.frameRate, let costA = order[a.format.description],
            let costB = order[b.format.description]
        else { return false }
        let hasDirect = modes.contains { !$0.isEmulated && order[$0.format.description] != nil }
        if hasDirect && a.isEmulated { return false }
        func far(_ m: CameraMode) -> Int { abs(m.size.width - size.width) + abs(m.size.height - size.height) }
        if far(a) != far(b) { return far(a) < far(b) }
        func isFast(_ m: CameraMode) -> Bool { (m.frameRate?.framesPerSecond ?? 0) >= rate.framesPerSecond * 0.995 }
        if isFast(a) != isFast(b) { return isFast(a) }
        if !isFast(a) {
            if (a.frameRate == nil) != (b.frameRate == nil) { return a.frameRate == nil }
            if let left = a.frameRate, let right = b.frameRate, left != right { return left > right }
        }
        if costA != costB { return costA < costB }
        func off(_ m: CameraMode) -> Double { abs((m.frameRate ?? rate).framesPerSecond - rate.framesPerSecond) }
        return off(a) < off(b)
    }

    @Test(
        "knows formats by the names that people use",
        arguments: [("mjpeg", "MJPG"), ("mjpg", "MJPG"), ("YUYV", "YUYV"), ("i420", "YU12"), ("gray", "GREY")])
    func names(name: String, code: String) { #expect(CameraWish.format(named: name) == FourCC(code)) }

    @Test("goes down a ladder when the bus is full: MJPEG, then the rate, then the size")
    func ladder() throws {
        let modes = Self.webcam + [Self.mode("MJPG", 1280, 720, 15), Self.mode("MJPG", 1280, 720, 5)]
        var steps = [try #require(chooseMode(modes, CameraWish(frameRate: FrameRate(10))))]
        #expect(steps[0].description == "YUYV 1280x720 at 10 fps")
        steps = [Self.mode("YUYV", 1280, 720, 30)]
        while let next = chooseLighterMode(than: steps[steps.count - 1], among: modes) { steps.append(next) }
        #expect(
            steps.dropFirst().map(\.description) == [
                "MJPG 1280x720 at 30 fps", "MJPG 1280x720 at 15 fps", "MJPG 640x480 at 30 fps",
            ])
    }
}
