internal import CV4L2

/// The adjustments that a camera supports, with their ranges.
///
/// Build a user interface for ``CameraAdjustments`` from these properties. Nil, empty and false
/// properties stand for unsupported adjustments.
public struct AdjustmentSupport: Hashable, Sendable {
    /// The supported modes of a property that the camera can also decide by itself, such as the exposure.
    public struct Automatic<Value: Hashable & Sendable>: Hashable, Sendable {
        /// True when the camera can adapt the property continuously.
        public let isContinuous: Bool
        /// True when the camera can decide the property once and keep it.
        public let isOnce: Bool
        /// True when the property can be fixed at its present value.
        public let isLockable: Bool
        /// The range of manual values; nil when the property cannot be set by hand.
        public let values: Value?
    }

    /// The exposure, with its range of times.
    public let exposure: Automatic<ClosedRange<Duration>>
    /// The gain, in the driver's units, which ``CameraAdjustments/Sensitivity`` cannot lock.
    public let gain: Automatic<ClosedRange<Int>>
    /// The ISO 12232 speeds that can be set; empty when none can.
    public let speeds: [Double]
    /// The biases of automatic exposure, in EV.
    public let biases: [Double]
    /// The metering areas of automatic exposure.
    public let meterings: [CameraAdjustments.Metering]
    /// The lens position, with the range of manual positions.
    ///
    /// Units: 0 (near) to 1 (far).
    public let focus: Automatic<ClosedRange<Double>>
    /// The white balance, with its range of temperatures in kelvins.
    public let whiteBalance: Automatic<ClosedRange<Int>>
    /// True when the gains of red and blue can be set.
    public let hasWhiteBalanceGains: Bool
    /// The range of the zoom control's factors, from 1; nil when the camera has no zoom control, or one that cannot be
    /// set or has no unit.
    ///
    /// ``CameraZoom`` also describes the zoom by a crop of the sensor.
    public let zoom: ClosedRange<Double>?
    /// The mains frequencies that flicker reduction supports.
    public let powerLines: [CameraAdjustments.PowerLine]
    /// True when a wide dynamic range can be switched on and off.
    public let hasWideDynamicRange: Bool
    /// True when image stabilization can be switched on and off.
    public let hasStabilization: Bool
    /// True when ``CameraAdjustments/torch`` can be set.
    public let hasTorch: Bool
    /// True when the camera has a flash that fires for a still.
    public let hasFlash: Bool

    /// Derives the supported adjustments from a camera's controls.
    public init(_ controls: [CameraControl]) {
        exposure = CameraAdjustments.Automatic.exposure.support(controls) { value in
            .microseconds(100) * value.range.lowerBound ... .microseconds(100) * value.range.upperBound
        }
        let sensitivity = AutomaticSetting.sensitivity(controls)
        let gain = AutomaticSetting.gain(controls)
        let automatic = sensitivity.automatic == nil ? gain : sensitivity
        self.gain = Automatic(
            isContinuous: automatic.on != nil, isOnce: false, isLockable: false, values: gain.settable?.range)
        speeds = sensitivity.settable?.menuNumbers.map { $0.number / 1000 } ?? []
        biases = controls.settable(V4L2_CID_AUTO_EXPOSURE_BIAS)?.menuNumbers.map { $0.number / 1000 } ?? []
        meterings = Self.choices(of: controls.settable(V4L2_CID_EXPOSURE_METERING))
        focus = CameraAdjustments.Automatic.focus.support(controls) { _ in 0...1 }
        whiteBalance = CameraAdjustments.Automatic.whiteBalance.support(controls) { $0.range }
        hasWhiteBalanceGains =
            controls.settable(V4L2_CID_RED_BALANCE) != nil && controls.settable(V4L2_CID_BLUE_BALANCE) != nil
        zoom = controls.settable(V4L2_CID_ZOOM_ABSOLUTE)?.zoomFactors
        powerLines = Self.choices(of: controls.settable(V4L2_CID_POWER_LINE_FREQUENCY))
        hasWideDynamicRange = controls.settable(V4L2_CID_WIDE_DYNAMIC_RANGE) != nil
        hasStabilization = controls.settable(V4L2_CID_IMAGE_STABILIZATION) != nil
        let mode = controls.settable(V4L2_CID_FLASH_LED_MODE)
        hasTorch =
            mode?.offers(Int(V4L2_FLASH_LED_MODE_TORCH.rawValue)) ?? (controls.settable(V4L2_CID_ILLUMINATORS_1) != nil)
        hasFlash = FlashPlan.flash(controls) != nil
    }

    /// The cases of `Choice` whose indices are items of the control's menu.
    private static func choices<Choice: CaseIterable>(of control: CameraControl?) -> [Choice] {
        Choice.allCases.enumerated().filter { control?.offers($0.offset) == true }.map(\.element)
    }
}

extension AutomaticSetting {
    /// The control that sets the property's value; nil when the value cannot be set.
    var settable: CameraControl? { value.flatMap { $0.isReadOnly ? nil : $0 } }
}

extension CameraAdjustments.Automatic {
    fileprivate func support<Value>(
        _ controls: [CameraControl], _ values: (CameraControl) -> Value
    ) -> AdjustmentSupport.Automatic<Value> {
        let setting = setting(controls)
        // A property without an automatic mode never changes by itself.
        let isFree = setting.automatic == nil || setting.manual != nil
        return AdjustmentSupport.Automatic(
            isContinuous: setting.on != nil,
            isOnce: trigger(controls) != nil || setting.on != nil && setting.manual != nil,
            isLockable: isFree && (setting.automatic != nil || setting.value != nil),
            values: isFree ? setting.settable.map(values) : nil)
    }
}

extension CameraControl {
    /// The items of an integer menu: each value with the number that it stands for.
    ///
    /// Empty for other controls.
    var menuNumbers: [(value: Int, number: Double)] {
        guard case .integerMenu(let items) = kind else { return [] }
        return items.compactMap { item in Double(item.label).map { (item.value, $0) } }
    }

    /// The zoom factors of a focal length control, whose minimum counts as factor 1.
    ///
    /// Nil for a read-only control, and for a range of a single value. Nil also for a range that does not begin above
    /// 0, because the values of such a control have no unit.
    var zoomFactors: ClosedRange<Double>? {
        guard !isReadOnly, range.lowerBound > 0, range.upperBound > range.lowerBound else { return nil }
        return 1...Double(range.upperBound) / Double(range.lowerBound)
    }
}

/// Formats a number; a whole number below 1e9 gets no decimals.
package func shortText(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
}
