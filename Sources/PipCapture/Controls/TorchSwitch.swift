public import PipFrames

/// Decides when a light is wanted: once for each time that it becomes dark, or light again.
///
/// By the mean luma of what a camera sees, as a meter tells it. The light that it switches on is seen, too: what counts
/// as light has to lie above what the lit scene has.
public struct TorchSwitch: Sendable {
    /// The mean luma below which it is dark.
    public let dark: Double
    /// The mean luma above which it is light.
    public let light: Double
    /// How long it has to be dark, or light, without a break.
    public let patience: Duration
    /// True while a light is wanted.
    public private(set) var isOn = false
    private var since: Timestamp?

    /// - Parameters:
    ///   - dark: The mean luma, of 1, below which it is dark.
    ///   - light: The mean luma above which it is light; not below `dark`.
    ///   - patience: How long it has to be dark, or light, without a break.
    public init(dark: Double = 0.08, light: Double = 0.5, patience: Duration = .seconds(1)) {
        self.dark = dark
        self.light = max(dark, light)
        self.patience = patience
    }

    /// Takes the next measurement.
    ///
    /// - Parameters:
    ///   - luma: The mean luma, 0…1.
    ///   - timestamp: Its time.
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
