import CV4L2
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture

@Suite("A camera's controls")
struct ControlTests {
    private static let brightness = UInt32(V4L2_CID_BRIGHTNESS)
    private static let exposure = UInt32(V4L2_CID_EXPOSURE_AUTO)

    private static func fake() -> FakeCamera {
        var fake = FakeCamera()
        var brightness = FakeCamera.Control(Self.brightness, "Brightness", V4L2_CTRL_TYPE_INTEGER, -64...64, value: 3)
        brightness.step = 4
        var exposure = FakeCamera.Control(Self.exposure, "Auto Exposure", V4L2_CTRL_TYPE_MENU, 0...3, value: 3)
        exposure.menu = [1: "Manual Mode", 3: "Aperture Priority Mode"]
        var frequency = FakeCamera.Control(0x98_0918, "Link Frequency", V4L2_CTRL_TYPE_INTEGER_MENU, 0...1)
        frequency.menu = [0: "450000000", 1: "600000000"]
        var readOnly = FakeCamera.Control(0x9a_0930, "Camera Orientation", V4L2_CTRL_TYPE_INTEGER, 0...2, value: 1)
        readOnly.flags = UInt32(V4L2_CTRL_FLAG_READ_ONLY)
        var inactive = FakeCamera.Control(0x9a_0902, "Exposure Time, Absolute", V4L2_CTRL_TYPE_INTEGER, 3...2047)
        inactive.flags = UInt32(V4L2_CTRL_FLAG_INACTIVE)
        var disabled = FakeCamera.Control(0x9a_0910, "Gone")
        disabled.flags = UInt32(V4L2_CTRL_FLAG_DISABLED)
        fake.controls = [
            exposure, brightness, frequency, readOnly, inactive, disabled,
            .init(0x98_0001, "User Controls", V4L2_CTRL_TYPE_CTRL_CLASS, 0...0),
            .init(0x98_0003, "Reset", V4L2_CTRL_TYPE_BUTTON, 0...0),
            .init(0x98_0004, "Bits", V4L2_CTRL_TYPE_BITMASK, 0...0b1010),
            .init(0x98_0005, "On", V4L2_CTRL_TYPE_BOOLEAN, 0...1, value: 1),
            .init(0x98_0006, "Empty", V4L2_CTRL_TYPE_MENU, 0...2),
        ]
        return fake
    }

    @Test("controls are listed with range, choices and value, without classes and disabled ones")
    func lists() throws {
        let controls = try Rig(Self.fake()).camera.controls()
        #expect(
            controls.map(\.name) == [
                "reset", "bits", "on", "empty", "brightness", "link_frequency", "auto_exposure",
                "exposure_time_absolute", "camera_orientation",
            ])
        let brightness = try #require(controls.first { $0.name == "brightness" })
        #expect(brightness.range == -64...64 && brightness.step == 4 && brightness.value == 3)
        let exposure = try #require(controls.first { $0.name == "auto_exposure" })
        #expect(
            exposure.kind
                == .menu([.init(value: 1, label: "Manual Mode"), .init(value: 3, label: "Aperture Priority Mode")]))
        #expect(controls.first { $0.name == "link_frequency" }?.allowed == "0: 450000000, 1: 600000000, default 0")
        #expect(controls.first { $0.name == "reset" }?.value == nil)
    }

    @Test(
        "controls have the names that v4l2-ctl gives them",
        arguments: [
            ("Exposure, Dynamic Framerate", "exposure_dynamic_framerate"),
            ("White Balance, Automatic", "white_balance_automatic"),
            ("  Gain (dB) ", "gain_db"), ("Y'CbCr Encoding", "y_cbcr_encoding"),
        ])
    func names(label: String, name: String) { #expect(CameraControl.name(fromLabel: label) == name) }

    @Test("controls are set and read back while the camera streams")
    func sets() async throws {
        let rig = try Rig(Self.fake())
        try rig.start()
        #expect(try rig.camera.set([("brightness", -60)]) == [-60])
        #expect(rig.kernel.controlValue(Self.brightness, of: Rig.path) == -60)
        #expect(try rig.camera.set([("auto_exposure", 1)]) == [1])
        #expect(try rig.camera.set([("reset", 1)]) == [1])
        await rig.camera.stop()
    }

    @Test(
        "controls refuse invalid values before the driver is asked",
        arguments: [
            ("empty", 0, "the control has no value that can be set here"),
            ("brightness", 65, "-64…64 in steps of 4"), ("brightness", 1, "-64…64 in steps of 4"),
            ("auto_exposure", 2, "1: Manual Mode"), ("bits", 4, "bits of 10"), ("on", 2, "0 or 1"),
            ("camera_orientation", 0, "only be read"), ("exposure_time_absolute", 100, "disabled this control"),
        ])
    func refuses(name: String, value: Int, why: String) throws {
        let rig = try Rig(Self.fake())
        let error = try #require(throws: CaptureError.self) { try rig.camera.set([(name, value)]) }
        #expect(error.kind == .invalidSetting)
        #expect("\(error)".hasPrefix("/dev/video0: cannot set \(name) to \(value): "))
        #expect("\(error)".contains(why))
        #expect(!rig.kernel.takeTrace(of: Rig.path).contains("VIDIOC_S_CTRL"))
    }

    @Test("controls are set together, an inactive one in a later call than the switch that enables it")
    func together() throws {
        let rig = try Rig(Self.fake())
        #expect(try rig.camera.set([("auto_exposure", 1), ("exposure_time_absolute", 500)]) == [1, 500])
        let calls = rig.kernel.takeTrace(of: Rig.path).filter { $0.hasSuffix("_CTRLS") || $0 == "VIDIOC_S_CTRL" }
        #expect(calls == ["VIDIOC_TRY_EXT_CTRLS", "VIDIOC_S_EXT_CTRLS", "VIDIOC_S_EXT_CTRLS"])
    }

    @Test("controls keep their values when the device refuses a value that the switch has enabled")
    func refusedAfterSwitch() throws {
        var fake = Self.fake()
        fake.stalledControl = UInt32(V4L2_CID_EXPOSURE_ABSOLUTE)
        let rig = try Rig(fake)
        let before = rig.kernel.controlValue(UInt32(V4L2_CID_EXPOSURE_AUTO), of: Rig.path)
        let error = try #require(throws: CaptureError.self) {
            try rig.camera.set([("auto_exposure", 1), ("exposure_time_absolute", 500)])
        }
        #expect("\(error)".contains("set exposure_time_absolute to 500"), "\(error)")
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_EXPOSURE_AUTO), of: Rig.path) == before)
    }

    @Test("controls that are set together all keep their values when one is refused, and the error names it")
    func allOrNone() throws {
        let wish = [("brightness", 40), ("on", 0), ("auto_exposure", 1)]
        func values(_ rig: Rig) throws -> [Int?] {
            let controls = try rig.camera.controls()
            return wish.map { wish in controls.first { $0.name == wish.0 }?.value }
        }
        // The controls are checked before the driver is asked, then by the driver, and then by the device.
        let early = try Rig(Self.fake())
        #expect(throws: CaptureError.self) { try early.camera.set(wish + [("bits", 4)]) }
        #expect(!early.kernel.takeTrace(of: Rig.path).contains("VIDIOC_TRY_EXT_CTRLS"))
        #expect(try values(early) == [3, 1, 3])

        let checked = try Rig(Self.fake())
        checked.kernel.fail(.tryControls, on: Rig.path, with: .invalidArgument)
        #expect(throws: CaptureError.self) { try checked.camera.set(wish) }
        #expect(!checked.kernel.takeTrace(of: Rig.path).contains("VIDIOC_S_EXT_CTRLS"))

        var stalling = Self.fake()
        stalling.stalledControl = Self.exposure
        let stalled = try Rig(stalling)
        let error = try #require(throws: CaptureError.self) { try stalled.camera.set(wish) }
        #expect("\(error)".hasPrefix("/dev/video0: cannot set auto_exposure to 1: VIDIOC_S_EXT_CTRLS: "))
        #expect(try values(stalled) == [3, 1, 3])
    }

    @Test("controls are set one by one where a driver has no call for several, and set back when one fails")
    func oldDriver() throws {
        var old = Self.fake()
        old.hasExtendedControls = false
        let rig = try Rig(old)
        #expect(try rig.camera.set([("brightness", 40), ("on", 0)]) == [40, 0])
        rig.kernel.fail(.setControl, on: Rig.path, with: .ioError, skip: 1)
        let error = try #require(throws: CaptureError.self) { try rig.camera.set([("brightness", 0), ("on", 1)]) }
        #expect("\(error)".contains("set on to 1"))
        #expect(rig.kernel.controlValue(Self.brightness, of: Rig.path) == 40)
    }

    @Test("an unknown control is an error with the nearest name")
    func unknown() throws {
        let rig = try Rig(Self.fake())
        let error = try #require(throws: CaptureError.self) { try rig.camera.set([("brigthness", 0)]) }
        #expect(error.hint == "the most similar name is brightness")
    }

    @Test("controls of a wish are set before streaming, and an invalid one fails the opening")
    func wish() throws {
        let rig = try Rig(Self.fake(), wish: CameraWish(controls: [("brightness", 40)]))
        #expect(rig.kernel.controlValue(Self.brightness, of: Rig.path) == 40)
        #expect(throws: CaptureError.self) { try Rig(Self.fake(), wish: CameraWish(controls: [("brightness", 400)])) }
    }
}
