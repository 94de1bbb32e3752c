/// A generated picture.
public enum Pattern: String, Sendable, CaseIterable {
    /// Colour bars, 100/0/75/0, with the frame's number.
    case bars
    /// Something that moves: a drive at dusk, or, with an odd seed, the driver.
    case scene
    /// All codes of luma and chroma.
    case ramp
    /// Noise that is the same for the same seed.
    case noise
}
