/// A generated picture for a ``PatternSource``, to try things out without a camera.
public enum Pattern: String, Sendable, CaseIterable {
    /// Colour bars, 100/0/75/0, with the frame's number.
    case bars
    /// A moving picture: a drive at dusk or, with an odd seed, the driver.
    case scene
    /// All codes of luma and chroma.
    case ramp
    /// Noise, equal for equal seeds.
    case noise
}
