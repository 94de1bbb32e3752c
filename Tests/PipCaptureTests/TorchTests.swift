import CV4L2
import Foundation
import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture

@Suite("Lights for a camera")
struct TorchTests {
    private static func control(
        _ id: Int64, _ name: String, _ type: v4l2_ctrl_type, _ range: ClosedRange<Int>, menu: [Int: String] = [:]
    ) -> FakeCamera.Control {
        var control = FakeCamera.Control(UInt32(id), name, type, range, value: range.lowerBound)
        control.menu = menu
        return control
    }

    private static let modes = [0: "Off", 1: "Flash", 2: "Torch"]
    private static let flash = [
        control(Int64(V4L2_CID_FLASH_LED_MODE), "LED Mode", V4L2_CTRL_TYPE_MENU, 0...2, menu: modes),
        control(Int64(V4L2_CID_FLASH_TORCH_INTENSITY), "Intensity, Torch Mode", V4L2_CTRL_TYPE_INTEGER, 10...210),
    ]

    @Test(
        "C08: a flash is a torch of the requested brightness, and is switched off again",
        arguments: [(1.0, 2, 210), (0.5, 2, 110), (0.0, 0, 10)])
    func flash(level: Double, mode: Int, intensity: Int) throws {
        var fake = FakeCamera()
        fake.controls = Self.flash
        let rig = try Rig(fake)
        var wish = CameraAdjustments()
        wish.torch = .level(level)
        try rig.camera.adjust(wish)
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_FLASH_LED_MODE), of: Rig.path) == mode)
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_FLASH_TORCH_INTENSITY), of: Rig.path) == intensity)
        #expect(AdjustmentSupport(try CameraDirectory(calls: rig.kernel).controls(of: rig.camera.device)).hasTorch)
    }

    @Test("a lamp among the controls is on or off, and a flash alone is no torch")
    func lamp() throws {
        var fake = FakeCamera()
        fake.controls = [Self.control(Int64(V4L2_CID_ILLUMINATORS_1), "Illuminator 1", V4L2_CTRL_TYPE_BOOLEAN, 0...1)]
        let rig = try Rig(fake)
        var wish = CameraAdjustments()
        wish.torch = .level(0.3)
        try rig.camera.adjust(wish)
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_ILLUMINATORS_1), of: Rig.path) == 1)
        wish.torch = .level(2)
        #expect(throws: CaptureError.self) { try rig.camera.adjust(wish) }
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_ILLUMINATORS_1), of: Rig.path) == 1)
        fake.controls = [
            Self.control(
                Int64(V4L2_CID_FLASH_LED_MODE), "LED Mode", V4L2_CTRL_TYPE_MENU, 0...1, menu: [0: "Off", 1: "Flash"])
        ]
        let other = try Rig(fake)
        wish.torch = .on
        let error = #expect(throws: CaptureError.self) { try other.camera.adjust(wish) }
        #expect(error?.kind == .unsupported)
        #expect(!AdjustmentSupport(try CameraDirectory(calls: other.kernel).controls(of: other.camera.device)).hasTorch)
    }

    private static let mode = UInt32(V4L2_CID_FLASH_LED_MODE)
    private static let strobe = UInt32(V4L2_CID_FLASH_STROBE)
    private static let stop = UInt32(V4L2_CID_FLASH_STROBE_STOP)

    /// Delivers frames of a luma for some seconds, and returns the value of the torch's control.
    private static func follow(_ rig: SlotRig, _ luma: UInt8, for seconds: Int) -> Int? {
        for _ in 0..<seconds * 30 { rig.produce(luma) }
        return rig.kernel.controlValue(mode, of: SlotRig.path)
    }

    @Test("C08: an automatic torch goes on once in the dark, off in the light, and off with its camera")
    func automatic() async throws {
        var camera = SlotRig.webcam()
        camera.controls = Self.flash
        var wish = CameraWish()
        wish.adjustments.torch = .automatic
        let rig = try SlotRig(camera, wish: wish)
        try rig.start()
        #expect(Self.follow(rig, 235, for: 2) == 0)
        #expect(Self.follow(rig, 20, for: 2) == 2)
        // The scene that the torch lights does not count as daylight.
        #expect(Self.follow(rig, 100, for: 3) == 2)
        #expect(Self.follow(rig, 200, for: 2) == 0)
        #expect(Self.follow(rig, 20, for: 2) == 2)
        rig.unplug()
        rig.plug(camera)
        #expect(Self.follow(rig, 100, for: 2) == 0)
        #expect(Self.follow(rig, 20, for: 2) == 2)
        var off = CameraAdjustments()
        off.torch = .off
        try rig.slot.adjust(off)
        #expect(Self.follow(rig, 20, for: 2) == 0)
        var automatic = CameraAdjustments()
        automatic.torch = .automatic
        try rig.slot.adjust(automatic)
        #expect(Self.follow(rig, 20, for: 2) == 2)
        // A repeated request restarts the decision.
        try rig.slot.adjust(automatic)
        #expect(rig.kernel.controlValue(Self.mode, of: SlotRig.path) == 0)
        #expect(Self.follow(rig, 20, for: 2) == 2)
        await rig.slot.stop()
        #expect(rig.kernel.controlValue(Self.mode, of: SlotRig.path) == 0)
    }

    @Test("a lit torch goes out when the request ends, and when another camera replaces its camera")
    func replaced() async throws {
        var camera = SlotRig.webcam()
        camera.controls = Self.flash
        var wish = CameraWish()
        wish.adjustments.torch = .automatic
        try await VirtualTime.run { clock, _ in
            let kernel = FakeKernel(clock: clock)
            kernel.add("/dev/video1", SlotRig.webcam("B2", port: "2"))
            let rig = try SlotRig(camera, wish: wish, kernel: kernel)
            try rig.slot.start()
            func light(after seconds: Int) async throws -> Int? {
                for _ in 0..<seconds * 30 { try await rig.deliver(20) }
                return kernel.controlValue(Self.mode, of: SlotRig.path)
            }
            #expect(try await light(after: 2) == 2)
            try await rig.slot.change(to: CameraWish())
            #expect(try await light(after: 2) == 0)
            try await rig.slot.change(to: wish)
            #expect(try await light(after: 2) == 2)
            async let replaced: Void = rig.slot.replace(with: .path("/dev/video1"), wish: CameraWish())
            for _ in 0..<10 { try await rig.deliver(20, at: "/dev/video1") }
            try await replaced
            #expect(kernel.controlValue(Self.mode, of: SlotRig.path) == 0)
            await rig.slot.stop()
        }
    }

    @Test("a torch that is lit goes out with a camera that is switched off")
    func switchedOff() async throws {
        let kernel = FakeKernel()
        var camera = SlotRig.webcam()
        camera.controls = Self.flash
        var wish = CameraWish()
        wish.adjustments.torch = .automatic
        let rig = try SlotRig(camera, wish: wish, kernel: kernel)
        try rig.start()
        #expect(Self.follow(rig, 20, for: 2) == 2)
        try await rig.slot.disable()
        #expect(rig.events.wait { $0 == .disabled })
        rig.pass(.milliseconds(100))
        #expect(kernel.controlValue(Self.mode, of: SlotRig.path) == 0)
    }

    @Test("a flash fires for a still by its control, which then gets its former value")
    func fires() throws {
        var camera = SlotRig.webcam()
        camera.controls =
            Self.flash + [
                Self.control(Int64(Self.strobe), "Strobe", V4L2_CTRL_TYPE_BUTTON, 0...0),
                Self.control(Int64(Self.stop), "Stop Strobe", V4L2_CTRL_TYPE_BUTTON, 0...0),
                Self.control(
                    Int64(V4L2_CID_FLASH_STROBE_SOURCE), "Strobe Source", V4L2_CTRL_TYPE_MENU, 0...1,
                    menu: [0: "Software", 1: "External"]),
            ]
        let source = UInt32(V4L2_CID_FLASH_STROBE_SOURCE)
        let rig = try SlotRig(camera)
        try rig.start()
        rig.kernel.setControl(source, to: 1, of: SlotRig.path)
        #expect(AdjustmentSupport(try rig.slot.controls()).hasFlash)
        let light = try rig.slot.lightFlash()
        #expect(light.start == rig.kernel.now)
        #expect(rig.kernel.controlValue(Self.mode, of: SlotRig.path) == 1)
        #expect(rig.kernel.controlValue(source, of: SlotRig.path) == 0)
        #expect(rig.kernel.controlValue(Self.strobe, of: SlotRig.path) == 1)
        rig.slot.putOut(light)
        #expect(rig.kernel.controlValue(Self.stop, of: SlotRig.path) == 1)
        #expect(rig.kernel.controlValue(Self.mode, of: SlotRig.path) == 0)
        #expect(rig.kernel.controlValue(source, of: SlotRig.path) == 1)
    }

    @Test("a torch lights a still where there is no flash; without either the error says so")
    func torchForFlash() throws {
        var camera = SlotRig.webcam()
        camera.controls = Self.flash
        let rig = try SlotRig(camera)
        #expect(!AdjustmentSupport(try rig.slot.controls()).hasFlash)
        let light = try rig.slot.lightFlash()
        #expect(light.start == rig.kernel.now.advanced(by: .milliseconds(500)))
        #expect(rig.kernel.controlValue(Self.mode, of: SlotRig.path) == 2)
        rig.slot.putOut(light)
        #expect(rig.kernel.controlValue(Self.mode, of: SlotRig.path) == 0)
        let dark = try SlotRig()
        let error = #expect(throws: CaptureError.self) { try dark.slot.lightFlash() }
        #expect(error?.description.contains("neither a flash nor a torch") == true)
    }

    @Test(
        "brightness is the mean luma of samples, in every format and range",
        arguments: PixelFormat.allCases.filter { $0 != .gray })
    func brightness(format: PixelFormat) throws {
        let size = PixelSize(70, 34)
        for (range, value, expected) in [(QuantizationRange.full, 51, 0.2), (.limited, 125, (125 - 16) / 219.0)] {
            let layout = FrameLayout(format, size)
            let buffer = FrameBuffer(layout)
            for plane in layout.planes.indices {
                buffer.withMutablePlane(plane, of: layout) { bytes, _ in
                    for index in bytes.byteOffsets {
                        bytes.storeBytes(of: UInt8(value), toByteOffset: index, as: UInt8.self)
                    }
                }
            }
            let info = FrameInfo(layout: layout, colorimetry: Colorimetry(matrix: .bt601, range: range))
            let shown = format.isYUV ? expected : Double(value) / 255
            #expect(abs(Frame(info: info, buffer: buffer).brightness - shown) < 1e-9)
        }
    }

    @Test("lamps of the LED class are found by their function, and set")
    func lamps() throws {
        let folder = try TemporaryFolder()
        for (name, maximum) in [
            ("pca:white:torch", "255"), ("pca:white:flash-1", "10"), ("input3::capslock", "1"), ("x:white:torch", "0"),
        ] {
            try FileManager.default.createDirectory(
                atPath: folder.path("leds/\(name)"), withIntermediateDirectories: true)
            try folder.write(Array("\(maximum)\n".utf8), to: "leds/\(name)/max_brightness")
            try folder.write(Array("0\n".utf8), to: "leds/\(name)/brightness")
        }
        let lamps = Lamp.all(in: FilePath(folder.path("leds")))
        #expect(lamps.map(\.name) == ["pca:white:flash-1", "pca:white:torch"])
        #expect(lamps[1].level == 0)
        for (level, value, shown) in [
            (1.0, "255\n", 1.0), (0.5, "128\n", 128 / 255.0), (-1, "0\n", 0), (7, "255\n", 1),
        ] {
            try lamps[1].set(level)
            // A file keeps the end of a longer text; sysfs does not.
            #expect(try folder.read("leds/pca:white:torch/brightness").starts(with: Array(value.utf8)))
            if level >= 0.5 { #expect(abs((lamps[1].level ?? 0) - shown) < 0.01) }
        }
        try FileManager.default.removeItem(atPath: folder.path("leds/pca:white:torch/brightness"))
        let error = #expect(throws: CaptureError.self) { try lamps[1].set(1) }
        #expect(error?.call == "open" && error?.kind == .notFound)
        #expect(lamps[1].level == nil)
    }

    @Test("a torch switches on once in the dark and off once in the light, not at each frame")
    func hysteresis() {
        var torch = TorchSwitch(dark: 0.1, light: 0.5, patience: .seconds(1))
        func take(_ lumas: [Double], from second: Int) -> [Bool] {
            lumas.enumerated().compactMap { index, luma in
                torch.take(
                    luma: luma, at: Timestamp(nanoseconds: Int64(second) * 1_000_000_000 + Int64(index) * 40_000_000))
            }
        }
        let flickering = (0..<100).map { $0 % 2 == 0 ? 0.09 : 0.11 }
        #expect(take(flickering, from: 0) == [])
        #expect(take(Array(repeating: 0.05, count: 100), from: 10) == [true])
        // The measurements are the lit scene, darkness, noise around the upper threshold, and daylight.
        #expect(take(Array(repeating: 0.3, count: 100), from: 20) == [])
        #expect(take(Array(repeating: 0.05, count: 100), from: 30) == [])
        #expect(take((0..<100).map { $0 % 2 == 0 ? 0.49 : 0.51 }, from: 40) == [])
        #expect(take(Array(repeating: 0.6, count: 100), from: 50) == [false])
        #expect(take(Array(repeating: 0.3, count: 100), from: 60) == [] && !torch.isOn)
    }
}
