internal import CV4L2

/// What of ``CameraAdjustments`` a camera can do, with the ranges that it takes.
///
/// Read from the controls that it has; nil and empty say that it has none.
public struct AdjustmentSupport: Hashable, Sendable {
    /// A property that the camera may decide on itself.
    public struct Automatic<Value: Hashable & Sendable>: Hashable, Sendable {
        /// True when the camera can decide, again and again.
        public let isContinuous: Bool
        /// True when the camera can decide once and keep it.
        public let isOnce: Bool
        /// True when it can be held as it is.
        public let isLockable: Bool
        /// The values that it can be set to; nil for none.
        public let values: Value?
    }

    /// The exposure, and the least and the greatest time.
    public let exposure: Automatic<ClosedRange<Duration>>
    /// The gain, in the driver's units.
    public let gain: Automatic<ClosedRange<Int>>
    /// The ISO 12232 speeds.
    public let speeds: [Double]
    /// What automatic exposure may add, in EV.
    public let biases: [Double]
    /// What automatic exposure may look at.
    public let meterings: [CameraAdjustments.Metering]
    /// The focus; positions are from 0 (near) to 1 (far).
    public let focus: Automatic<ClosedRange<Double>>
    /// The white balance, and the least and the greatest temperature in kelvins.
    public let whiteBalance: Automatic<ClosedRange<Int>>
    /// True when the gains of red and blue can be set.
    public let hasWhiteBalanceGains: Bool
    /// The least and the greatest factor.
    public let zoom: ClosedRange<Double>?
    /// The mains frequencies.
    public let powerLines: [CameraAdjustments.PowerLine]
    /// True when a wide dynamic range can be switched.
    public let hasWideDynamicRange: Bool
    /// True when the picture can be held still.
    public let hasStabilization: Bool
    /// True when it has a torch, or a lamp.
    public let hasTorch: Bool
    /// True when it has a flash that fires for a still.
    public let hasFlash: Bool

    /// Finds out what some controls can do.
    public init(_ controls: [CameraControl]) {
        func control(_ id: Int64) -> CameraControl? { controls.first { Int64($0.id) == id && !$0.isReadOnly } }
        exposure = CameraAdjustments.Automatic.exposure.support(controls) { value in
            .microseconds(100) * value.range.lowerBound ... .microseconds(100) * value.range.upperBound
        }
        let sensitivity = AutomaticSetting.sensitivity(controls)
        let gain = AutomaticSetting.gain(controls)
        let automatic = sensitivity.automatic == nil ? gain : sensitivity
        self.gain = Automatic(
            isContinuous: automatic.on != nil, isOnce: false, isLockable: automatic.manual != nil,
            values: gain.settable?.range)
        speeds = sensitivity.settable?.menuNumbers.map { $0.number / 1000 } ?? []
        biases = control(Int64(V4L2_CID_AUTO_EXPOSURE_BIAS))?.menuNumbers.map { $0.number / 1000 } ?? []
        meterings = Self.choices(of: control(Int64(V4L2_CID_EXPOSURE_METERING)))
        focus = CameraAdjustments.Automatic.focus.support(controls) { _ in 0...1 }
        whiteBalance = CameraAdjustments.Automatic.whiteBalance.support(controls) { $0.range }
        hasWhiteBalanceGains =
            control(Int64(V4L2_CID_RED_BALANCE)) != nil && control(Int64(V4L2_CID_BLUE_BALANCE)) != nil
        zoom = control(Int64(V4L2_CID_ZOOM_ABSOLUTE))?.zoomFactors
        powerLines = Self.choices(of: control(Int64(V4L2_CID_POWER_LINE_FREQUENCY)))
        hasWideDynamicRange = control(Int64(V4L2_CID_WIDE_DYNAMIC_RANGE)) != nil
        hasStabilization = control(Int64(V4L2_CID_IMAGE_STABILIZATION)) != nil
        let mode = control(Int64(V4L2_CID_FLASH_LED_MODE))
        hasTorch =
            mode?.offers(Int(V4L2_FLASH_LED_MODE_TORCH.rawValue)) ?? (control(Int64(V4L2_CID_ILLUMINATORS_1)) != nil)
        hasFlash = FlashPlan.flash(controls) != nil
    }

    /// The cases whose places a menu has.
    private static func choices<Choice: CaseIterable>(of control: CameraControl?) -> [Choice] {
        Choice.allCases.enumerated().filter { control?.offers($0.offset) == true }.map(\.element)
    }
}

extension AutomaticSetting {
    /// The value, where it can be set.
    var settable: CameraControl? { value.flatMap { $0.isReadOnly ? nil : $0 } }
}

extension CameraAdjustments.Automatic {
    fileprivate func support<Value>(
        _ controls: [CameraControl], _ values: (CameraControl) -> Value
    ) -> AdjustmentSupport.Automatic<Value> {
        let setting = setting(controls)
        // Without a switch nothing changes by itself.
        let isFree = setting.automatic == nil || setting.manual != nil
        return AdjustmentSupport.Automatic(
            isContinuous: setting.on != nil,
            isOnce: trigger(controls) != nil || setting.on != nil && setting.manual != nil,
            isLockable: isFree && (setting.automatic != nil || setting.value != nil),
            values: isFree ? setting.settable.map(values) : nil)
    }
}

extension CameraControl {
    /// The numbers that an integer menu's values stand for.
    var menuNumbers: [(value: Int, number: Double)] {
        guard case .integerMenu(let items) = kind else { return [] }
        return items.compactMap { item in Double(item.label).map { (item.value, $0) } }
    }

    /// The factors of a zoom whose least value is no enlargement, as the focal length's of USB cameras; nil for one
    /// without a unit.
    var zoomFactors: ClosedRange<Double>? {
        guard !isReadOnly, range.lowerBound > 0, range.upperBound > range.lowerBound else { return nil }
        return 1...Double(range.upperBound) / Double(range.lowerBound)
    }
}
