#if Media
internal import PipCapture
internal import PipFrames

/// The settings of the GStreamer element `libcamerasrc` that make the requested camera adjustments.
///
/// The element's properties depend on libcamera's version: 0.0.3 has none, and later versions renamed some. libcamera
/// itself ignores a property that a camera does not support.
///
/// Source: libcamera, `src/libcamera/control_ids_core.yaml`, for the names, numbers and units.
struct LibcameraControls {
    /// A property of the element and the value for it, as text.
    struct Setting: Equatable {
        let property: String
        let value: String
    }

    /// The settings to apply, in the order in which the element must get them.
    private(set) var settings: [Setting] = []
    private let hasProperty: (String) -> Bool

    /// Translates the adjustments into settings.
    ///
    /// - Parameters:
    ///   - adjustments: The requested adjustments.
    ///   - hasProperty: Returns true for a property that the element has.
    /// - Throws: ``MediaError`` for an adjustment that no property of the element can make.
    init(_ adjustments: CameraAdjustments, hasProperty: @escaping (String) -> Bool) throws(MediaError) {
        self.hasProperty = hasProperty
        try add(adjustments)
    }

    private mutating func add(_ adjustments: CameraAdjustments) throws(MediaError) {
        if let exposure = adjustments.exposure { try add(exposure) }
        if let sensitivity = adjustments.sensitivity { try add(sensitivity) }
        if let bias = adjustments.bias { try set("the exposure bias", [("exposure-value", "\(bias)")]) }
        if let metering = adjustments.metering { try add(metering) }
        if let focus = adjustments.focus { try add(focus) }
        if let balance = adjustments.whiteBalance { try add(balance) }
        if let line = adjustments.powerLine { try add(line) }
        if let isWide = adjustments.hasWideDynamicRange {
            try set("the dynamic range", [("hdr-mode", isWide ? "3" : "0")])
        }
        if adjustments.zoom.map({ $0 != 1 }) == true {
            throw Self.unsupported("zoom", "crop the camera's layer instead")
        }
        if adjustments.isStabilized == true { throw Self.unsupported("stabilize the picture") }
        if let torch = adjustments.torch, torch != .off { throw Self.unsupported("light a torch") }
    }

    private mutating func add(_ exposure: CameraAdjustments.Exposure) throws(MediaError) {
        let subject = "the exposure"
        switch exposure {
        case .continuous: try set(subject, [("exposure-time-mode", "0")], [("ae-enable", "true")])
        case .locked: try set(subject, [("exposure-time-mode", "1")], [("ae-enable", "false")])
        case .once: throw Self.unsupported("decide the exposure once", "use auto, which decides continuously")
        case .time(let time):
            let microseconds = ("exposure-time", "\(max(1, time.nanoseconds / 1000))")
            try set(subject, [("exposure-time-mode", "1"), microseconds], [("ae-enable", "false"), microseconds])
        }
    }

    private mutating func add(_ sensitivity: CameraAdjustments.Sensitivity) throws(MediaError) {
        switch sensitivity {
        case .continuous: try set("the gain", [("analogue-gain-mode", "0")], [("ae-enable", "true")])
        case .gain(let factor):
            let gain = ("analogue-gain", "\(factor)")
            try set("the gain", [("analogue-gain-mode", "1"), gain], [gain])
        case .iso: throw Self.unsupported("set an ISO speed", "set a gain, such as gain=2")
        }
    }

    private mutating func add(_ metering: CameraAdjustments.Metering) throws(MediaError) {
        let number =
            switch metering {
            case .center: "0"
            case .spot: "1"
            case .matrix: "2"
            case .average: throw Self.unsupported("meter the average", "use center, spot or matrix")
            }
        try set("the metering", [("ae-metering-mode", number)])
    }

    private mutating func add(_ focus: CameraAdjustments.Focus) throws(MediaError) {
        let subject = "the focus"
        switch focus {
        case .continuous: try set(subject, [("af-mode", "2")], [("auto-focus-mode", "2")])
        case .once: try set(subject, [("af-mode", "1"), ("af-trigger", "0")])
        case .locked: try set(subject, [("af-mode", "0")], [("auto-focus-mode", "0")])
        case .position(1): try set(subject, [("af-mode", "0"), ("lens-position", "0")])
        case .position:
            throw Self.unsupported("set the lens to a distance", "use auto, once, locked, or 1 for infinity")
        }
    }

    private mutating func add(_ balance: CameraAdjustments.WhiteBalance) throws(MediaError) {
        let subject = "the white balance"
        switch balance {
        case .continuous: try set(subject, [("awb-enable", "true")])
        case .locked: try set(subject, [("awb-enable", "false")])
        case .once: throw Self.unsupported("decide the white balance once", "use auto, which decides continuously")
        case .temperature(let kelvins):
            try set(subject, [("awb-enable", "false"), ("colour-temperature", "\(kelvins)")])
        case .gains(let red, let blue):
            try set(subject, [("awb-enable", "false"), ("colour-gains", "<\(Double(red)),\(Double(blue))>")])
        }
    }

    private mutating func add(_ line: CameraAdjustments.PowerLine) throws(MediaError) {
        let subject = "the mains frequency"
        switch line {
        case .off: try set(subject, [("ae-flicker-mode", "0")])
        case .automatic: try set(subject, [("ae-flicker-mode", "2")])
        // The light of a lamp flickers twice in a period of the mains, so the flicker period is half as long, in
        // microseconds.
        case .hertz50: try set(subject, [("ae-flicker-mode", "1"), ("ae-flicker-period", "10000")])
        case .hertz60: try set(subject, [("ae-flicker-mode", "1"), ("ae-flicker-period", "8333")])
        }
    }

    /// Adds the settings of the first alternative for which the element has all properties.
    ///
    /// - Parameters:
    ///   - subject: The adjusted thing in error messages, such as "the focus".
    ///   - alternatives: Lists of properties with values, for different versions of libcamera, in order of preference.
    /// - Throws: ``MediaError`` when the element lacks properties of every alternative.
    private mutating func set(
        _ subject: String, _ alternatives: [(property: String, value: String)]...
    ) throws(MediaError) {
        guard let alternative = alternatives.first(where: { $0.allSatisfy { hasProperty($0.property) } }) else {
            let missing = alternatives[0].map(\.property).filter { !hasProperty($0) }.joined(separator: " and no ")
            throw MediaError(
                kind: .missing,
                reason: "\(subject) cannot be set: this version of libcamera's element has no \(missing); "
                    + "leave \(subject) to libcamera, or update libcamera")
        }
        // Old versions have one automatic switch for exposure and gain. A manual exposure turns it off for both.
        for (property, value) in alternative {
            if let index = settings.firstIndex(where: { $0.property == property }) {
                if value == "false" { settings[index] = Setting(property: property, value: value) }
            } else {
                settings.append(Setting(property: property, value: value))
            }
        }
    }

    private static func unsupported(_ action: String, _ hint: String? = nil) -> MediaError {
        MediaError(kind: .missing, reason: "libcamera cannot \(action)" + (hint.map { ": \($0)" } ?? ""))
    }
}
#endif
