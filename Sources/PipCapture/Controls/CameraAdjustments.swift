/// What a camera's picture is to be like, by meaning: exposure, focus, white balance and the rest.
///
/// What is nil is left as it is. Each camera has controls for some of it only; ``CameraControl`` has them all by the
/// driver's names.
public struct CameraAdjustments: Hashable, Sendable {
    /// A property that cameras decide on by themselves.
    public enum Automatic: String, Hashable, Sendable, CaseIterable {
        case exposure, focus
        case whiteBalance = "white-balance"

        /// Its name within a sentence.
        var words: String { self == .whiteBalance ? "white balance" : rawValue }
    }

    /// How long a frame is exposed.
    public enum Exposure: Hashable, Sendable {
        /// The camera decides, again and again.
        case continuous
        /// The camera decides now, as soon as it streams, and then keeps it: ``CameraEvent/settled(_:_:)``.
        case once
        /// As it is now.
        case locked
        /// The exposure time.
        case time(Duration)
    }

    /// How much the sensor's signal is amplified.
    public enum Sensitivity: Hashable, Sendable {
        /// The camera decides, again and again.
        case continuous
        /// ISO 12232 speed, as in 200.
        case iso(Double)
        /// In the driver's units.
        case gain(Int)
    }

    /// The part of the picture that automatic exposure looks at.
    public enum Metering: String, Hashable, Sendable, CaseIterable { case average, center, spot, matrix }

    /// Where the picture is sharp.
    public enum Focus: Hashable, Sendable {
        /// The camera decides, again and again.
        case continuous
        /// The camera decides now, as soon as it streams, and then keeps it: ``CameraEvent/settled(_:_:)``.
        case once
        /// As it is now.
        case locked
        /// The lens's position, from 0 for what is nearest to 1 for infinity.
        case position(Double)
    }

    /// The colour of light that is shown as white.
    public enum WhiteBalance: Hashable, Sendable {
        /// The camera decides, again and again.
        case continuous
        /// The camera decides now, as soon as it streams, and then keeps it: ``CameraEvent/settled(_:_:)``.
        case once
        /// As it is now.
        case locked
        /// A colour temperature in kelvins.
        case temperature(Int)
        /// The gains of red and blue, in the driver's units.
        case gains(red: Int, blue: Int)
    }

    /// The mains frequency against whose flicker the exposure is timed.
    public enum PowerLine: String, Hashable, Sendable, CaseIterable {
        case off
        case hertz50 = "50"
        case hertz60 = "60"
        case automatic = "auto"
    }

    /// The light of a camera's own torch.
    public enum Torch: Hashable, Sendable {
        /// 0 for off to 1 for full light.
        case level(Double)
        /// On once it is dark, and off once it is light, by the mean luma of what the camera sees: see ``TorchSwitch``.
        case automatic

        /// Full light.
        public static let on = Torch.level(1)
        /// No light.
        public static let off = Torch.level(0)
    }

    /// The exposure time.
    public var exposure: Exposure?
    /// The gain.
    public var sensitivity: Sensitivity?
    /// What automatic exposure adds, in EV.
    public var bias: Double?
    /// What automatic exposure looks at.
    public var metering: Metering?
    /// The focus.
    public var focus: Focus?
    /// The white balance.
    public var whiteBalance: WhiteBalance?
    /// The factor of the picture's middle, from 1: of the lens or of the camera's own crop as far as that goes, beyond
    /// it of a crop of the pictures.
    ///
    /// ``Session/adjust(_:_:)`` of PipCompose takes the camera's own only.
    public var zoom: Double?
    /// The mains frequency.
    ///
    /// Nil leaves it the camera's; where nobody has changed that, it is the one of the country of the time zone.
    public var powerLine: PowerLine?
    /// True for a wide dynamic range.
    public var hasWideDynamicRange: Bool?
    /// True to hold the picture still.
    public var isStabilized: Bool?
    /// The light of the camera's own torch.
    public var torch: Torch?

    /// Leaves everything as it is.
    public init() {}

    /// True when everything is left as it is.
    public var isEmpty: Bool { self == CameraAdjustments() }

    /// What is said otherwise than before; what is not said any more is nothing that a camera could be told.
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

    /// Takes over what others say; the rest stays.
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
