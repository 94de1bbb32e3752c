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
        "C08: a flash becomes a torch of so much light, and is off again",
        arguments: [(1.0, 2, 210), (0.5, 2, 110), (0.0, 0, 10)])
    func flash(level: Double, mode: Int, intensity: Int) throws {
        var fake = FakeCamera()
        fake.controls = Self.flash
        let rig = try Rig(fake)
        var wish = CameraAdjustments()
        wish.torch = level
        try rig.camera.adjust(wish)
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_FLASH_LED_MODE), of: Rig.path) == mode)
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_FLASH_TORCH_INTENSITY), of: Rig.path) == intensity)
        #expect(AdjustmentSupport(try CameraDirectory(calls: rig.kernel).controls(of: rig.camera.device)).hasTorch)
    }

    @Test("a lamp among the controls is on or off; a flash alone is no torch")
    func lamp() throws {
        var fake = FakeCamera()
        fake.controls = [Self.control(Int64(V4L2_CID_ILLUMINATORS_1), "Illuminator 1", V4L2_CTRL_TYPE_BOOLEAN, 0...1)]
        let rig = try Rig(fake)
        var wish = CameraAdjustments()
        wish.torch = 0.3
        try rig.camera.adjust(wish)
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_ILLUMINATORS_1), of: Rig.path) == 1)
        wish.torch = 2
        #expect(throws: CaptureError.self) { try rig.camera.adjust(wish) }
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_ILLUMINATORS_1), of: Rig.path) == 1)
        fake.controls = [
            Self.control(
                Int64(V4L2_CID_FLASH_LED_MODE), "LED Mode", V4L2_CTRL_TYPE_MENU, 0...1, menu: [0: "Off", 1: "Flash"])
        ]
        let other = try Rig(fake)
        wish.torch = 1
        let error = #expect(throws: CaptureError.self) { try other.camera.adjust(wish) }
        #expect(error?.kind == .unsupported)
        #expect(!AdjustmentSupport(try CameraDirectory(calls: other.kernel).controls(of: other.camera.device)).hasTorch)
    }

    @Test("lamps of the LED class are found by what they are for, and written")
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
            // A file keeps what was longer; sysfs does not.
            #expect(try folder.read("leds/pca:white:torch/brightness").starts(with: Array(value.utf8)))
            if level >= 0.5 { #expect(abs((lamps[1].level ?? 0) - shown) < 0.01) }
        }
        try FileManager.default.removeItem(atPath: folder.path("leds/pca:white:torch/brightness"))
        #expect(throws: CaptureError.self) { try lamps[1].set(1) }
        #expect(lamps[1].level == nil)
    }

    @Test("a switch goes on once when it becomes dark and off once when it is light, not at each frame")
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
        // The scene that it lights, noise around a threshold, and day.
        #expect(take(Array(repeating: 0.3, count: 100), from: 20) == [])
        #expect(take(Array(repeating: 0.05, count: 100), from: 30) == [])
        #expect(take((0..<100).map { $0 % 2 == 0 ? 0.49 : 0.51 }, from: 40) == [])
        #expect(take(Array(repeating: 0.6, count: 100), from: 50) == [false])
        #expect(take(Array(repeating: 0.3, count: 100), from: 60) == [] && !torch.isOn)
    }
}
