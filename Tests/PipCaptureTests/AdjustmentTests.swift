import CV4L2
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("Adjustments of a camera by meaning")
struct AdjustmentTests {
    /// The controls of a USB camera: two of four exposure modes, a lens, no ISO.
    static func webcam() -> FakeCamera {
        var exposure = FakeCamera.Control(
            UInt32(V4L2_CID_EXPOSURE_AUTO), "Auto Exposure", V4L2_CTRL_TYPE_MENU, 0...3, value: 3)
        exposure.menu = [1: "Manual Mode", 3: "Aperture Priority Mode"]
        var time = FakeCamera.Control(
            UInt32(V4L2_CID_EXPOSURE_ABSOLUTE), "Exposure Time, Absolute", V4L2_CTRL_TYPE_INTEGER, 3...2047, value: 250)
        time.flags = UInt32(V4L2_CTRL_FLAG_INACTIVE)
        var focus = FakeCamera.Control(
            UInt32(V4L2_CID_FOCUS_ABSOLUTE), "Focus, Absolute", V4L2_CTRL_TYPE_INTEGER, 0...250, value: 35)
        focus.step = 5
        var kelvins = FakeCamera.Control(
            UInt32(V4L2_CID_WHITE_BALANCE_TEMPERATURE), "White Balance Temperature", V4L2_CTRL_TYPE_INTEGER,
            2000...6500,
            value: 4000)
        kelvins.step = 100
        var line = FakeCamera.Control(
            UInt32(V4L2_CID_POWER_LINE_FREQUENCY), "Power Line Frequency", V4L2_CTRL_TYPE_MENU, 0...2, value: 1)
        line.menu = [0: "Disabled", 1: "50 Hz", 2: "60 Hz"]
        var fake = FakeCamera()
        fake.controls = [
            exposure, time, focus, kelvins, line,
            .init(UInt32(V4L2_CID_FOCUS_AUTO), "Focus, Automatic Continuous", V4L2_CTRL_TYPE_BOOLEAN, 0...1, value: 1),
            .init(
                UInt32(V4L2_CID_AUTO_WHITE_BALANCE), "White Balance, Automatic", V4L2_CTRL_TYPE_BOOLEAN, 0...1, value: 1
            ),
            .init(UInt32(V4L2_CID_GAIN), "Gain", V4L2_CTRL_TYPE_INTEGER, 0...100, value: 0),
            .init(UInt32(V4L2_CID_ZOOM_ABSOLUTE), "Zoom, Absolute", V4L2_CTRL_TYPE_INTEGER, 100...400, value: 100),
        ]
        return fake
    }

    /// The controls of a sensor: ISO speeds, a bias, metering.
    private static func sensor() -> FakeCamera {
        var speeds = FakeCamera.Control(
            UInt32(V4L2_CID_ISO_SENSITIVITY), "ISO Sensitivity", V4L2_CTRL_TYPE_INTEGER_MENU, 0...3)
        speeds.menu = [0: "50000", 1: "100000", 2: "200000", 3: "400000"]
        var isAutomatic = FakeCamera.Control(
            UInt32(V4L2_CID_ISO_SENSITIVITY_AUTO), "ISO Sensitivity, Auto", V4L2_CTRL_TYPE_MENU, 0...1, value: 1)
        isAutomatic.menu = [0: "Manual", 1: "Auto"]
        var bias = FakeCamera.Control(
            UInt32(V4L2_CID_AUTO_EXPOSURE_BIAS), "Auto Exposure, Bias", V4L2_CTRL_TYPE_INTEGER_MENU, 0...4, value: 2)
        bias.menu = [0: "-2000", 1: "-1000", 2: "0", 3: "1000", 4: "2000"]
        var metering = FakeCamera.Control(
            UInt32(V4L2_CID_EXPOSURE_METERING), "Exposure, Metering Mode", V4L2_CTRL_TYPE_MENU, 0...2)
        metering.menu = [0: "Average", 1: "Center Weighted", 2: "Spot"]
        var exposure = FakeCamera.Control(
            UInt32(V4L2_CID_EXPOSURE_AUTO), "Auto Exposure", V4L2_CTRL_TYPE_MENU, 0...0, value: 0)
        exposure.menu = [0: "Auto Mode"]
        var fake = FakeCamera()
        fake.controls = [speeds, isAutomatic, bias, metering, exposure]
        return fake
    }

    /// The sensor, with menus of ISO speeds and biases that have no items.
    private static func bareSensor() -> FakeCamera {
        var fake = sensor()
        for index in [0, 2] { fake.controls[index].menu = [:] }
        return fake
    }

    private static func controls(_ fake: FakeCamera) throws -> [CameraControl] { try Rig(fake).camera.controls() }

    private static func settings(
        _ fake: FakeCamera, _ change: (inout CameraAdjustments) -> Void
    ) throws -> [String] {
        var wish = CameraAdjustments()
        change(&wish)
        return try AdjustmentPlan(wish, try controls(fake), device: "/dev/video0").settings.map {
            "\($0.name)=\($0.value)"
        }
    }

    @Test("an adjustment becomes a driver's controls and units, the switch before the value")
    func plans() throws {
        let webcam = Self.webcam()
        #expect(
            try Self.settings(webcam) { $0.exposure = .time(.milliseconds(20)) } == [
                "auto_exposure=1", "exposure_time_absolute=200",
            ])
        #expect(try Self.settings(webcam) { $0.exposure = .continuous } == ["auto_exposure=3"])
        #expect(
            try Self.settings(webcam) { $0.exposure = .locked } == ["auto_exposure=1", "exposure_time_absolute=250"])
        // The greatest value of the focus control is the nearest distance.
        #expect(
            try Self.settings(webcam) { $0.focus = .position(0) } == [
                "focus_automatic_continuous=0", "focus_absolute=250",
            ])
        #expect(try Self.settings(webcam) { $0.focus = .position(0.5) }.last == "focus_absolute=125")
        #expect(
            try Self.settings(webcam) { $0.whiteBalance = .temperature(4560) } == [
                "white_balance_automatic=0", "white_balance_temperature=4600",
            ])
        #expect(try Self.settings(webcam) { $0.zoom = 2 } == ["zoom_absolute=200"])
        #expect(try Self.settings(webcam) { $0.powerLine = .hertz60 } == ["power_line_frequency=2"])
        #expect(try Self.settings(webcam) { $0.sensitivity = .gain(40) } == ["gain=40"])

        let sensor = Self.sensor()
        #expect(
            try Self.settings(sensor) { $0.sensitivity = .iso(190) } == [
                "iso_sensitivity_auto=0", "iso_sensitivity=2",
            ])
        #expect(try Self.settings(sensor) { $0.sensitivity = .continuous } == ["iso_sensitivity_auto=1"])
        #expect(try Self.settings(sensor) { $0.bias = -0.8 } == ["auto_exposure_bias=1"])
        #expect(try Self.settings(sensor) { $0.metering = .spot } == ["exposure_metering_mode=2"])
        // An automatic control with a single mode uses that mode.
        #expect(try Self.settings(sensor) { $0.exposure = .continuous } == ["auto_exposure=0"])
    }

    @Test(
        "a value is rounded to the nearest step within the range, which may end between two steps",
        arguments: [
            (0...10, 4, 10, 8), (0...10, 4, 9, 8), (0...10, 4, 5, 4), (0...10, 4, 6, 8), (0...12, 4, 99, 12),
            (3...10, 2, 10, 9), (-64...64, 4, -99, -64), (0...10, 100, 10, 0), (0...10, 0, 7, 7),
        ] as [(ClosedRange<Int>, Int, Int, Int)])
    func nearest(range: ClosedRange<Int>, step: Int, wish: Int, value: Int) {
        let control = CameraControl(
            name: "gain", label: "Gain", kind: .integer, range: range, step: step, defaultValue: 0, value: nil,
            isReadOnly: false, isInactive: false, id: UInt32(V4L2_CID_GAIN))
        #expect(control.nearest(to: wish) == value)
        #expect(control.refusal(of: value) == nil)
    }

    @Test("the possible adjustments and their ranges are known in advance")
    func support() throws {
        let webcam = AdjustmentSupport(try Self.controls(Self.webcam()))
        #expect(webcam.exposure.isContinuous && webcam.exposure.isLockable)
        #expect(webcam.exposure.values == .microseconds(300) ... .microseconds(204_700))
        #expect(!webcam.gain.isContinuous && webcam.gain.values == 0...100 && webcam.speeds.isEmpty)
        #expect(webcam.focus.values == 0...1 && webcam.whiteBalance.values == 2000...6500 && webcam.zoom == 1...4)
        #expect(webcam.powerLines == [.off, .hertz50, .hertz60] && !webcam.hasStabilization)

        let sensor = AdjustmentSupport(try Self.controls(Self.sensor()))
        #expect(sensor.exposure.isContinuous && !sensor.exposure.isLockable && sensor.exposure.values == nil)
        #expect(
            sensor.gain.isContinuous && sensor.speeds == [50, 100, 200, 400] && sensor.biases == [-2, -1, 0, 1, 2])
        #expect(!sensor.gain.isLockable)
        #expect(sensor.meterings == [.average, .center, .spot] && sensor.zoom == nil && sensor.powerLines.isEmpty)
        #expect(!sensor.focus.isContinuous && !sensor.focus.isLockable && sensor.focus.values == nil)

        #expect(AdjustmentSupport([]) == AdjustmentSupport(try Self.controls(FakeCamera())))
    }

    struct Refused: Sendable {
        let camera: @Sendable () -> FakeCamera
        let change: @Sendable (inout CameraAdjustments) -> Void
        let kind: CaptureError.Kind
        let sentence: String

        init(
            _ camera: @escaping @Sendable () -> FakeCamera, _ kind: CaptureError.Kind, _ sentence: String,
            _ change: @escaping @Sendable (inout CameraAdjustments) -> Void
        ) {
            (self.camera, self.kind, self.sentence, self.change) = (camera, kind, sentence, change)
        }
    }

    @Test(
        "an impossible adjustment is refused with the possible ones",
        arguments: [
            Refused(webcam, .invalidSetting, "set an exposure of 500 ms: it must be 0.3 ms to 204.7 ms") {
                $0.exposure = .time(.milliseconds(500))
            },
            Refused(
                webcam, .unsupported,
                "set ISO 200: the camera has no control for this setting (set the gain: gain=N, with N from 0 to 100)"
            ) {
                $0.sensitivity = .iso(200)
            },
            Refused(webcam, .invalidSetting, "set a gain of 101: it must be 0 to 100") { $0.sensitivity = .gain(101) },
            Refused(
                webcam, .unsupported, "set the gain to automatic: the camera has no automatic mode for this setting"
            ) {
                $0.sensitivity = .continuous
            },
            Refused(webcam, .invalidSetting, "set a white balance of 9000 K: it must be 2000 K to 6500 K") {
                $0.whiteBalance = .temperature(9000)
            },
            Refused(webcam, .invalidSetting, "set a zoom of 4.5: it must be 1 to 4") { $0.zoom = 4.5 },
            Refused(webcam, .unsupported, "set the torch: the camera has no control for this setting") {
                $0.torch = .on
            },
            Refused(webcam, .unsupported, "set stabilization: the camera has no control for this setting") {
                $0.isStabilized = true
            },
            Refused(webcam, .invalidSetting, "set the mains frequency auto: it must be 0: Disabled, 1: 50 Hz, 2: 60 Hz")
            {
                $0.powerLine = .automatic
            },
            Refused(sensor, .unsupported, "set an exposure of 20 ms: the camera has no control for this setting") {
                $0.exposure = .time(.milliseconds(20))
            },
            Refused(
                sensor, .unsupported, "set the exposure to locked: the camera cannot switch off its automatic control"
            ) { $0.exposure = .locked },
            Refused(sensor, .invalidSetting, "set ISO 3200: it must be one of 50, 100, 200, 400") {
                $0.sensitivity = .iso(3200)
            },
            Refused(
                bareSensor, .unsupported, "set ISO 200: the camera's control for this setting has no values"
            ) { $0.sensitivity = .iso(200) },
            Refused(
                bareSensor, .unsupported,
                "set an exposure bias of 1 EV: the camera's control for this setting has no values"
            ) { $0.bias = 1 },
            Refused(sensor, .unsupported, "set the focus to locked: the camera has no control for this setting") {
                $0.focus = .locked
            },
            Refused(sensor, .invalidSetting, "set the metering matrix: it must be 0: Average") {
                $0.metering = .matrix
            },
        ])
    func refuses(_ refused: Refused) throws {
        let error = try #require(throws: CaptureError.self) {
            _ = try Self.settings(refused.camera(), refused.change)
        }
        #expect(error.kind == refused.kind)
        #expect("\(error)".hasPrefix("/dev/video0: cannot \(refused.sentence)"), "\(error)")
    }

    @Test("adjustments are set while the camera streams, all or none, and at its opening")
    func sets() async throws {
        let rig = try Rig(Self.webcam())
        try rig.start()
        var wish = CameraAdjustments()
        (wish.exposure, wish.whiteBalance, wish.zoom) = (.time(.milliseconds(10)), .temperature(5000), 3)
        #expect(try rig.camera.adjust(wish).count == 5)
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_EXPOSURE_ABSOLUTE), of: Rig.path) == 100)
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_ZOOM_ABSOLUTE), of: Rig.path) == 300)
        wish.zoom = 9
        wish.exposure = .continuous
        #expect(throws: CaptureError.self) { try rig.camera.adjust(wish) }
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_EXPOSURE_AUTO), of: Rig.path) == 1)
        await rig.camera.stop()

        var opening = CameraAdjustments()
        opening.focus = .position(1)
        let opened = try Rig(Self.webcam(), wish: CameraWish(adjustments: opening))
        #expect(opened.kernel.controlValue(UInt32(V4L2_CID_FOCUS_AUTO), of: Rig.path) == 0)
        #expect(opened.kernel.controlValue(UInt32(V4L2_CID_FOCUS_ABSOLUTE), of: Rig.path) == 0)
        opening.isStabilized = true
        #expect(throws: CaptureError.self) { try Rig(Self.webcam(), wish: CameraWish(adjustments: opening)) }
    }

    @Test(
        "C04: the mains frequency of the time zone's country is the default, unless somebody has set the camera",
        arguments: [
            ("America/New_York", 0, 0, nil, 2), ("Europe/Berlin", 0, 0, nil, 1), ("Asia/Tokyo", 0, 0, nil, 0),
            ("Etc/UTC", 0, 0, nil, 0), ("America/New_York", 1, 1, nil, 2), ("America/New_York", 1, 0, nil, 1),
            ("America/New_York", 0, 0, CameraAdjustments.PowerLine.off, 0),
        ])
    func mains(zone: String, value: Int, usual: Int, asked: CameraAdjustments.PowerLine?, shown: Int) throws {
        let kernel = FakeKernel()
        kernel.setLink("/etc/localtime", to: "/usr/share/zoneinfo/\(zone)")
        kernel.setText(
            "# code\nDE\t+5230+01322\tEurope/Berlin\tmost of Germany\nJP\t+353916+1394441\tAsia/Tokyo\n"
                + "US\t+404251-0740023\tAmerica/New_York\tEastern (most areas)\n", of: "/usr/share/zoneinfo/zone.tab")
        var fake = FakeCamera()
        var line = FakeCamera.Control(
            UInt32(V4L2_CID_POWER_LINE_FREQUENCY), "Power Line Frequency", V4L2_CTRL_TYPE_MENU, 0...2, value: value)
        line.menu = [0: "Disabled", 1: "50 Hz", 2: "60 Hz"]
        line.defaultValue = usual
        fake.controls = [line]
        var wish = CameraWish()
        wish.adjustments.powerLine = asked
        let rig = try Rig(fake, wish: wish, kernel: kernel)
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_POWER_LINE_FREQUENCY), of: Rig.path) == shown)
    }
}
