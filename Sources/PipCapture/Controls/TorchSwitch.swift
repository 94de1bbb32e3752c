public import PipFrames

/// Decides from a scene's mean luma when to switch a light on and off.
///
/// Use this type to switch a lamp by the brightness of a camera's pictures. The lamp itself brightens the scene, so set
/// ``light`` above the mean luma of the lit scene.
public struct TorchSwitch: Sendable {
    /// The mean luma, 0…1, below which the scene is dark.
    public let dark: Double
    /// The mean luma, 0…1, above which the scene is light.
    public let light: Double
    /// The time that the scene has to stay dark, or light, before the light is switched.
    public let patience: Duration
    /// True while the light should be on.
    public private(set) var isOn = false
    private var since: Timestamp?

    /// - Parameters:
    ///   - dark: The mean luma, 0…1, below which the scene is dark.
    ///   - light: The mean luma, 0…1, above which the scene is light; at least `dark`.
    ///   - patience: The time that the scene has to stay dark, or light, before the light is switched.
    public init(dark: Double = 0.08, light: Double = 0.5, patience: Duration = .seconds(1)) {
        self.dark = dark
        self.light = max(dark, light)
        self.patience = patience
    }

    /// Evaluates the next measurement.
    ///
    /// - Parameters:
    ///   - luma: The mean luma, 0…1.
    ///   - timestamp: The time of the measurement.
    /// - Returns: True to switch the light on now, false to switch it off, nil for no change.
    public mutating func take(luma: Double, at timestamp: Timestamp) -> Bool? {
        guard isOn ? luma > light : luma < dark else {
            since = nil
            return nil
        }
        let start = since ?? timestamp
        since = start
        guard start.duration(to: timestamp) >= patience else { return nil }
        since = nil
        isOn.toggle()
        return isOn
    }
}
