/// Requested picture settings that mean the same on every camera: exposure, focus, white balance and others.
///
/// Nil requests nothing for a setting; ``powerLine`` then has a default. Use adjustments in programs for any camera
/// model, and ``CameraControl`` for the controls of one driver. Each camera supports some adjustments only: see
/// ``AdjustmentSupport``.
public struct CameraAdjustments: Hashable, Sendable {
    /// A property that cameras can set automatically.
    public enum Automatic: String, Hashable, Sendable, CaseIterable {
        case exposure, focus
        case whiteBalance = "white-balance"

        /// The property's name within a sentence.
        var words: String { self == .whiteBalance ? "white balance" : rawValue }
    }

    /// The exposure time of a frame: fixed, or decided by the camera.
    public enum Exposure: Hashable, Sendable {
        /// The camera adapts the value continuously.
        case continuous
        /// The camera decides once, as soon as it streams, keeps the value, and reports ``CameraEvent/settled(_:_:)``.
        case once
        /// The camera keeps its present value.
        case locked
        /// A fixed exposure time.
        case time(Duration)
    }

    /// The amplification of the sensor's signal: fixed, or decided by the camera.
    public enum Sensitivity: Hashable, Sendable {
        /// The camera adapts the value continuously.
        case continuous
        /// A fixed ISO 12232 speed, such as 200.
        case iso(Double)
        /// A fixed gain, in the driver's units.
        case gain(Int)
    }

    /// The part of the picture that automatic exposure measures.
    public enum Metering: String, Hashable, Sendable, CaseIterable { case average, center, spot, matrix }

    /// The distance of sharpest focus: fixed, or decided by the camera.
    public enum Focus: Hashable, Sendable {
        /// The camera adapts the value continuously.
        case continuous
        /// The camera decides once, as soon as it streams, keeps the value, and reports ``CameraEvent/settled(_:_:)``.
        case once
        /// The camera keeps its present value.
        case locked
        /// A fixed lens position, from 0 (nearest) to 1 (farthest).
        case position(Double)
    }

    /// The colour of light that the camera shows as white: fixed, or decided by the camera.
    public enum WhiteBalance: Hashable, Sendable {
        /// The camera adapts the value continuously.
        case continuous
        /// The camera decides once, as soon as it streams, keeps the value, and reports ``CameraEvent/settled(_:_:)``.
        case once
        /// The camera keeps its present value.
        case locked
        /// A fixed colour temperature, in kelvins.
        case temperature(Int)
        /// Fixed gains of red and blue, in the driver's units.
        case gains(red: Int, blue: Int)
    }

    /// The mains frequency whose flicker the exposure avoids.
    public enum PowerLine: String, Hashable, Sendable, CaseIterable {
        case off
        case hertz50 = "50"
        case hertz60 = "60"
        case automatic = "auto"
    }

    /// The brightness of a camera's own torch: fixed, or switched by the scene's brightness.
    public enum Torch: Hashable, Sendable {
        /// A fixed level, from 0 (off) to 1 (full light).
        case level(Double)
        /// The torch follows the scene's mean luma: on when dark, off when light.
        ///
        /// See ``TorchSwitch``.
        case automatic

        /// Full light.
        public static let on = Torch.level(1)
        /// No light.
        public static let off = Torch.level(0)
    }

    /// The exposure time: fixed, or decided by the camera.
    public var exposure: Exposure?
    /// The amplification of the sensor's signal.
    public var sensitivity: Sensitivity?
    /// The bias of automatic exposure, in EV.
    public var bias: Double?
    /// The metering area of automatic exposure.
    public var metering: Metering?
    /// The distance of sharpest focus.
    public var focus: Focus?
    /// The colour of light that the camera shows as white.
    public var whiteBalance: WhiteBalance?
    /// The zoom factor, from 1.
    ///
    /// The lens and the sensor crop provide the zoom within their ranges; a crop of the pictures provides the rest.
    ///
    /// ``Session/adjust(_:_:)`` of PipCompose accepts the range of the camera's zoom control only.
    public var zoom: Double?
    /// The mains frequency whose flicker the exposure avoids.
    ///
    /// When this is nil, a camera whose setting is still the default gets the frequency of the time zone's country at
    /// opening, if that frequency is known. A default of automatic detection stays, and so does any value with
    /// ``CameraPreset/inputPriority``.
    public var powerLine: PowerLine?
    /// True to enable a wide dynamic range.
    public var hasWideDynamicRange: Bool?
    /// True to enable image stabilization.
    public var isStabilized: Bool?
    /// The light of the camera's own torch.
    public var torch: Torch?

    /// Creates adjustments that request nothing.
    public init() {}

    /// True when no setting is requested.
    public var isEmpty: Bool { self == CameraAdjustments() }

    /// The settings that differ from those in `before`.
    ///
    /// A setting that became nil is left out.
    func changes(since before: CameraAdjustments) -> CameraAdjustments {
        var changes = CameraAdjustments()
        if exposure != before.exposure { changes.exposure = exposure }
        if sensitivity != before.sensitivity { changes.sensitivity = sensitivity }
        if bias != before.bias { changes.bias = bias }
        if metering != before.metering { changes.metering = metering }
        if focus != before.focus { changes.focus = focus }
        if whiteBalance != before.whiteBalance { changes.whiteBalance = whiteBalance }
        if zoom != before.zoom { changes.zoom = zoom }
        if powerLine != before.powerLine { changes.powerLine = powerLine }
        if hasWideDynamicRange != before.hasWideDynamicRange { changes.hasWideDynamicRange = hasWideDynamicRange }
        if isStabilized != before.isStabilized { changes.isStabilized = isStabilized }
        if torch != before.torch { changes.torch = torch }
        return changes
    }

    /// Overwrites each setting with the setting of `others`, unless that setting is nil.
    public mutating func merge(_ others: CameraAdjustments) {
        exposure = others.exposure ?? exposure
        sensitivity = others.sensitivity ?? sensitivity
        bias = others.bias ?? bias
        metering = others.metering ?? metering
        focus = others.focus ?? focus
        whiteBalance = others.whiteBalance ?? whiteBalance
        zoom = others.zoom ?? zoom
        powerLine = others.powerLine ?? powerLine
        hasWideDynamicRange = others.hasWideDynamicRange ?? hasWideDynamicRange
        isStabilized = others.isStabilized ?? isStabilized
        torch = others.torch ?? torch
    }
}
