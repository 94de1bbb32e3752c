internal import CV4L2

/// The two controls of a property that a camera can decide by itself: the switch of the automatic mode, and the value.
///
/// Source: Linux userspace API, "Camera Control Reference" and "User Controls".
struct AutomaticSetting {
    /// The control that switches the automatic mode on and off; nil for a camera without this control.
    let automatic: CameraControl?
    /// The value of ``automatic`` that switches the automatic mode on; nil when the camera has no such value.
    let on: Int?
    /// The value of ``automatic`` that switches the automatic mode off; nil when the camera has no such value.
    let manual: Int?
    /// The control that holds the property's value; nil for a camera without this control.
    let value: CameraControl?

    /// The setting that switches the automatic mode off; empty when the camera has no such setting.
    var toManual: [(name: String, value: Int)] {
        automatic.flatMap { control in manual.map { [(control.name, $0)] } } ?? []
    }

    private init(_ automatic: CameraControl?, on: [Int], manual: [Int], value: CameraControl?) {
        self.automatic = automatic
        self.on = on.first { automatic?.offers($0) == true }
        self.manual = manual.first { automatic?.offers($0) == true }
        self.value = value
    }

    /// The controls of the exposure time.
    ///
    /// Units: 100 µs.
    ///
    /// Most cameras offer two of V4L2's four choices: manual and aperture priority. On lenses with a fixed aperture,
    /// aperture priority is fully automatic.
    static func exposure(_ controls: [CameraControl]) -> AutomaticSetting {
        AutomaticSetting(
            controls.control(V4L2_CID_EXPOSURE_AUTO),
            on: [V4L2_EXPOSURE_AUTO, V4L2_EXPOSURE_APERTURE_PRIORITY].map { Int($0.rawValue) },
            manual: [V4L2_EXPOSURE_MANUAL, V4L2_EXPOSURE_SHUTTER_PRIORITY].map { Int($0.rawValue) },
            value: controls.control(V4L2_CID_EXPOSURE_ABSOLUTE))
    }

    /// The controls of the white balance, whose value is a colour temperature.
    ///
    /// Units: kelvins.
    static func whiteBalance(_ controls: [CameraControl]) -> AutomaticSetting {
        AutomaticSetting(
            controls.control(V4L2_CID_AUTO_WHITE_BALANCE), on: [1], manual: [0],
            value: controls.control(V4L2_CID_WHITE_BALANCE_TEMPERATURE))
    }

    /// The controls of the lens position, in the driver's units.
    ///
    /// The greatest value focuses nearest.
    static func focus(_ controls: [CameraControl]) -> AutomaticSetting {
        AutomaticSetting(
            controls.control(V4L2_CID_FOCUS_AUTO), on: [1], manual: [0],
            value: controls.control(V4L2_CID_FOCUS_ABSOLUTE))
    }

    /// The controls of the gain, in the driver's units.
    static func gain(_ controls: [CameraControl]) -> AutomaticSetting {
        AutomaticSetting(
            controls.control(V4L2_CID_AUTOGAIN), on: [1], manual: [0],
            value: controls.control(V4L2_CID_GAIN)
                ?? controls.control(V4L2_CID_ANALOGUE_GAIN))
    }

    /// The controls of the sensitivity, whose value is a menu of ISO 12232 speeds in thousandths.
    static func sensitivity(_ controls: [CameraControl]) -> AutomaticSetting {
        AutomaticSetting(
            controls.control(V4L2_CID_ISO_SENSITIVITY_AUTO), on: [Int(V4L2_ISO_SENSITIVITY_AUTO.rawValue)],
            manual: [Int(V4L2_ISO_SENSITIVITY_MANUAL.rawValue)],
            value: controls.control(V4L2_CID_ISO_SENSITIVITY))
    }
}

extension CameraControl {
    /// True when the control accepts `value`, at least once another setting has enabled the control.
    func offers(_ value: Int) -> Bool { refusal(of: value, mayBeInactive: true) == nil }

    /// The valid value nearest to `wish`, within the range and on a whole step.
    func nearest(to wish: Int) -> Int {
        let step = max(1, step)
        // The range may end between two steps.
        let last = (range.upperBound - range.lowerBound) / step * step
        let offset = min(max(wish, range.lowerBound), range.upperBound) - range.lowerBound
        return range.lowerBound + min((offset + step / 2) / step * step, last)
    }
}
