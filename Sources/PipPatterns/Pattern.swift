/// A generated picture for a ``PatternSource``, for trials without a camera.
public enum Pattern: String, Sendable, CaseIterable {
    /// Colour bars, 100/0/75/0, with the frame's number.
    case bars
    /// A moving scene: a drive at dusk for an even seed, the driver for an odd seed.
    case scene
    /// Ramps of luma, Cb and Cr from code 0 to code 255, with steps of grey.
    case ramp
    /// Random noise, which changes with every frame. Equal seeds give equal frames.
    case noise
}
