/// The quality at which effects are drawn: a lower quality simplifies or leaves out expensive effects.
///
/// Effects marked essential are drawn at every quality. So are effects that decide which pixels are visible and where:
/// rotations, mirrors, crops, transforms, keys, opacity and blends.
public enum EffectQuality: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Draws only the effects that are drawn at every quality.
    case none
    /// Draws per-pixel effects, which share a pass. Leaves out blurs, edge detection and all other effects that read
    /// neighbouring pixels.
    case cheap
    /// Draws all effects, but large blurs at a reduced size.
    case reduced
    /// Draws all effects at full quality.
    case full

    public static func < (left: EffectQuality, right: EffectQuality) -> Bool { left.rawValue < right.rawValue }
}
