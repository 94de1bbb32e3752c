internal import CV4L2

/// The control values that realize requested adjustments on one camera.
///
/// The plan is computed from a list of controls, without a device.
struct AdjustmentPlan {
    /// Control names and values, in the order of setting: a switch comes before the values that it enables.
    private(set) var settings: [(name: String, value: Int)] = []

    /// The largest factor by which crops of the sensor and of the pictures may zoom beyond the camera's zoom control.
    private static let largestCrop = 50.0

    private let device: String
    private let controls: [CameraControl]
    private let leavesZoom: Bool

    /// - Parameters:
    ///   - wish: The requested adjustments.
    ///   - controls: The camera's controls, with their present values.
    ///   - device: The camera's path, for messages.
    ///   - leavesZoom: True to cap the zoom at the range of the camera's zoom control, because a crop provides the
    ///     rest.
    /// - Throws: ``CaptureError``, kind `unsupported` for adjustments that the camera does not have, `invalidSetting`
    ///   for values that a control does not allow, and for some controls that can only be read.
    init(
        _ wish: CameraAdjustments, _ controls: [CameraControl], device: String, leavesZoom: Bool = false
    ) throws(CaptureError) {
        self.device = device
        self.leavesZoom = leavesZoom
        self.controls = controls
        if let exposure = wish.exposure { try set(exposure) }
        if let sensitivity = wish.sensitivity { try set(sensitivity) }
        if let focus = wish.focus { try set(focus) }
        if let whiteBalance = wish.whiteBalance { try set(whiteBalance) }
        if let bias = wish.bias { try setBias(bias) }
        if let metering = wish.metering {
            let index = CameraAdjustments.Metering.allCases.firstIndex(of: metering) ?? 0
            try choose(V4L2_CID_EXPOSURE_METERING, index, "the metering \(metering.rawValue)")
        }
        if let zoom = wish.zoom { try setZoom(zoom) }
        if let line = wish.powerLine {
            let index = CameraAdjustments.PowerLine.allCases.firstIndex(of: line) ?? 0
            try choose(V4L2_CID_POWER_LINE_FREQUENCY, index, "the mains frequency \(line.rawValue)")
        }
        if let isOn = wish.hasWideDynamicRange {
            try choose(V4L2_CID_WIDE_DYNAMIC_RANGE, isOn ? 1 : 0, "the dynamic range")
        }
        if let isOn = wish.isStabilized {
            try choose(V4L2_CID_IMAGE_STABILIZATION, isOn ? 1 : 0, "stabilization")
        }
        if let torch = wish.torch { try setTorch(torch) }
    }

    // MARK: Settings with an automatic mode

    private mutating func set(_ exposure: CameraAdjustments.Exposure) throws(CaptureError) {
        let setting = AutomaticSetting.exposure(controls)
        switch exposure {
        case .continuous: try letDecide(setting, Self.name(.exposure))
        case .once: try decideOnce(.exposure)
        case .locked: try lock(setting, Self.name(.exposure))
        case .time(let time):
            let subject = "an exposure of \(Self.milliseconds(time))"
            let value = try manual(setting, subject)
            let wish = time / .microseconds(100)
            let range = value.range
            guard wish.rounded() >= Double(range.lowerBound), wish.rounded() <= Double(range.upperBound) else {
                throw outside(
                    subject, Self.milliseconds(.microseconds(100) * range.lowerBound),
                    Self.milliseconds(.microseconds(100) * range.upperBound))
            }
            settings.append((value.name, value.nearest(to: Int(wish.rounded()))))
        }
    }

    private mutating func set(_ sensitivity: CameraAdjustments.Sensitivity) throws(CaptureError) {
        let (iso, gain) = (AutomaticSetting.sensitivity(controls), AutomaticSetting.gain(controls))
        switch sensitivity {
        case .continuous: try letDecide(iso.automatic == nil ? gain : iso, "the gain")
        case .gain(let value):
            let control = try manual(gain, "a gain of \(value)")
            guard control.range.contains(value) else {
                throw outside("a gain of \(value)", "\(control.range.lowerBound)", "\(control.range.upperBound)")
            }
            settings.append((control.name, control.nearest(to: value)))
        case .iso(let speed):
            let subject = "ISO \(Self.text(speed))"
            let control = try manual(iso, subject, or: gain.settable.map { "set the gain: gain=\(Self.values($0))" })
            let speeds = control.menuNumbers.map { (value: $0.value, speed: $0.number / 1000) }
            guard let lowest = speeds.map(\.speed).min(), let highest = speeds.map(\.speed).max(),
                (lowest * 0.99...highest * 1.01).contains(speed),
                let nearest = speeds.min(by: { abs($0.speed - speed) < abs($1.speed - speed) })
            else {
                throw unlisted(subject, speeds.map(\.speed))
            }
            settings.append((control.name, nearest.value))
        }
    }

    private mutating func set(_ focus: CameraAdjustments.Focus) throws(CaptureError) {
        let setting = AutomaticSetting.focus(controls)
        switch focus {
        case .continuous: try letDecide(setting, Self.name(.focus))
        case .once: try decideOnce(.focus)
        case .locked: try lock(setting, Self.name(.focus))
        case .position(let position):
            let control = try manual(setting, "the focus")
            guard (0...1).contains(position) else { throw outside("a focus of \(position)", "0 (near)", "1 (far)") }
            let span = Double(control.range.upperBound - control.range.lowerBound)
            settings.append(
                (control.name, control.nearest(to: control.range.upperBound - Int((span * position).rounded()))))
        }
    }

    private mutating func set(_ balance: CameraAdjustments.WhiteBalance) throws(CaptureError) {
        let setting = AutomaticSetting.whiteBalance(controls)
        switch balance {
        case .continuous: try letDecide(setting, Self.name(.whiteBalance))
        case .once: try decideOnce(.whiteBalance)
        case .locked: try lock(setting, Self.name(.whiteBalance))
        case .temperature(let kelvins):
            let control = try manual(setting, "a white balance of \(kelvins) K")
            guard control.range.contains(kelvins) else {
                throw outside(
                    "a white balance of \(kelvins) K", "\(control.range.lowerBound) K", "\(control.range.upperBound) K")
            }
            settings.append((control.name, control.nearest(to: kelvins)))
        case .gains(let red, let blue):
            settings += setting.toManual
            try choose(V4L2_CID_RED_BALANCE, red, "a red gain of \(red)")
            try choose(V4L2_CID_BLUE_BALANCE, blue, "a blue gain of \(blue)")
        }
    }

    private static func name(_ subject: CameraAdjustments.Automatic) -> String { "the \(subject.words)" }

    private mutating func letDecide(_ setting: AutomaticSetting, _ subject: String) throws(CaptureError) {
        guard let automatic = setting.automatic, let on = setting.on else {
            throw error(.unsupported, "\(subject) to automatic", "the camera has no automatic mode for this setting")
        }
        settings.append((automatic.name, on))
    }

    /// Lets the camera decide a property once; ``OneShot`` notices when the decision is made.
    private mutating func decideOnce(_ subject: CameraAdjustments.Automatic) throws(CaptureError) {
        let setting = subject.setting(controls)
        if let trigger = subject.trigger(controls) {
            settings += setting.toManual
            return settings.append((trigger.name, 1))
        }
        guard setting.manual != nil || setting.automatic == nil else {
            throw error(
                .unsupported, "\(Self.name(subject)) once", "the camera cannot switch off its automatic control")
        }
        try letDecide(setting, Self.name(subject))
    }

    /// Fixes a property at its present value.
    private mutating func lock(_ setting: AutomaticSetting, _ subject: String) throws(CaptureError) {
        // A property without an automatic mode never changes by itself.
        if setting.automatic == nil {
            if setting.value != nil { return }
            throw error(.unsupported, "\(subject) to locked", "the camera has no control for this setting")
        }
        guard setting.manual != nil else {
            throw error(.unsupported, "\(subject) to locked", "the camera cannot switch off its automatic control")
        }
        settings += setting.toManual
        if let value = setting.value, let present = value.value, !value.isReadOnly {
            settings.append((value.name, value.nearest(to: present)))
        }
    }

    /// Switches off a property's automatic mode, if the property has one.
    ///
    /// - Returns: The control that holds the property's value.
    private mutating func manual(
        _ setting: AutomaticSetting, _ subject: String, or hint: String? = nil
    ) throws(CaptureError) -> CameraControl {
        guard let value = setting.settable else {
            let fault = setting.value == nil ? "has no control for this setting" : "does not let programs set it"
            throw error(.unsupported, subject, "the camera \(fault)", hint)
        }
        guard setting.automatic == nil || setting.manual != nil else {
            throw error(.unsupported, subject, "the camera cannot switch off its automatic control")
        }
        settings += setting.toManual
        return value
    }

    // MARK: Settings without an automatic mode

    /// Sets the exposure bias, which drivers offer as a menu of thousandths of EV.
    private mutating func setBias(_ bias: Double) throws(CaptureError) {
        let subject = "an exposure bias of \(Self.text(bias)) EV"
        guard let control = controls.control(V4L2_CID_AUTO_EXPOSURE_BIAS) else {
            throw error(.unsupported, subject, "the camera has no control for this setting")
        }
        let choices = control.menuNumbers.map { (value: $0.value, bias: $0.number / 1000) }
        guard let nearest = choices.min(by: { abs($0.bias - bias) < abs($1.bias - bias) }),
            let least = choices.map(\.bias).min(), let most = choices.map(\.bias).max(), (least...most).contains(bias)
        else {
            throw unlisted(subject, choices.map(\.bias))
        }
        settings.append((control.name, nearest.value))
    }

    private mutating func setZoom(_ factor: Double) throws(CaptureError) {
        let subject = "a zoom of \(Self.text(factor))"
        var factor = factor
        if leavesZoom {
            let own = controls.control(V4L2_CID_ZOOM_ABSOLUTE)?.zoomFactors ?? 1...1
            let most = own.upperBound * Self.largestCrop
            guard (1...most).contains(factor) else { throw outside(subject, "1", Self.text(most)) }
            guard own.upperBound > 1 else { return }
            factor = min(factor, own.upperBound)
        }
        guard let control = controls.control(V4L2_CID_ZOOM_ABSOLUTE), !control.isReadOnly,
            control.range.upperBound > control.range.lowerBound
        else {
            throw error(
                .unsupported, subject, "the camera has no zoom control that can be set",
                "set the zoom in the camera's source, as in camera:0?zoom=2: the picture is then cropped")
        }
        guard let factors = control.zoomFactors else {
            throw error(
                .unsupported, subject, "the camera's zoom control has no unit",
                "set the control by its name: control.\(control.name)=\(Self.values(control))")
        }
        guard factors.contains(factor) else { throw outside(subject, "1", Self.text(factors.upperBound)) }
        let value = Double(control.range.lowerBound) * factor
        settings.append((control.name, control.nearest(to: Int(value.rounded()))))
    }

    /// Sets the torch of a flash driver, or else an on/off illuminator.
    ///
    /// An automatic torch starts switched off.
    private mutating func setTorch(_ torch: CameraAdjustments.Torch) throws(CaptureError) {
        let subject = "the torch"
        let level = if case .level(let level) = torch { level } else { 0.0 }
        guard (0...1).contains(level) else { throw outside("a torch of \(Self.text(level))", "0", "1") }
        guard let mode = controls.control(V4L2_CID_FLASH_LED_MODE) else {
            guard controls.control(V4L2_CID_ILLUMINATORS_1) != nil else {
                throw error(
                    .unsupported, subject, "the camera has no control for this setting",
                    "the camera cannot control a lamp of the board: see /sys/class/leds")
            }
            return try choose(V4L2_CID_ILLUMINATORS_1, level > 0 ? 1 : 0, subject)
        }
        let (off, torch) = (Int(V4L2_FLASH_LED_MODE_NONE.rawValue), Int(V4L2_FLASH_LED_MODE_TORCH.rawValue))
        guard mode.offers(torch) else { throw error(.unsupported, subject, "the flash cannot stay on as a torch") }
        settings.append((mode.name, level > 0 ? torch : off))
        guard level > 0, let intensity = controls.control(V4L2_CID_FLASH_TORCH_INTENSITY), !intensity.isReadOnly else {
            return
        }
        let span = Double(intensity.range.upperBound - intensity.range.lowerBound)
        settings.append(
            (intensity.name, intensity.nearest(to: intensity.range.lowerBound + Int((span * level).rounded()))))
    }

    private mutating func choose(_ id: some BinaryInteger, _ value: Int, _ subject: String) throws(CaptureError) {
        guard let control = controls.control(id) else {
            throw error(.unsupported, subject, "the camera has no control for this setting")
        }
        if let refusal = control.refusal(of: value, mayBeInactive: true) {
            throw error(.invalidSetting, subject, refusal)
        }
        settings.append((control.name, value))
    }

    // MARK: Errors

    private func outside(_ subject: String, _ least: String, _ most: String) -> CaptureError {
        error(.invalidSetting, subject, "it must be \(least) to \(most)")
    }

    private func unlisted(_ subject: String, _ known: [Double]) -> CaptureError {
        guard !known.isEmpty else {
            return error(.unsupported, subject, "the camera's control for this setting has no values")
        }
        let list = known.map { Self.text($0) }.joined(separator: ", ")
        return error(.invalidSetting, subject, "it must be one of \(list)")
    }

    private func error(
        _ kind: CaptureError.Kind, _ subject: String, _ reason: String, _ hint: String? = nil
    ) -> CaptureError {
        CaptureError(kind, device: device, operation: "set \(subject)", reason: reason, hint: hint)
    }

    private static func values(_ control: CameraControl) -> String {
        "N, with N from \(control.range.lowerBound) to \(control.range.upperBound)"
    }

    private static func milliseconds(_ time: Duration) -> String { "\(text(time / .milliseconds(1))) ms" }

    /// Formats a number with at most two decimal places.
    private static func text(_ number: Double) -> String { shortText((number * 100).rounded() / 100) }
}
