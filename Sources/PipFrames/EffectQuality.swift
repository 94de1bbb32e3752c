/// The quality at which effects are drawn: a lower quality simplifies or leaves out expensive effects.
///
/// Effects marked essential are drawn at every quality. So are effects that decide which pixels are visible and where:
/// rotations, mirrors, crops, transforms, keys, opacity and blends.
public enum EffectQuality: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Draws no effects but those that are drawn at every quality.
    case none
    /// Draws effects of single pixels, which share a pass. Leaves out blurs, edges and all effects that read other
    /// pixels.
    case cheap
    /// Draws all effects, and large blurs at a part of the picture's size.
    case reduced
    /// Draws all effects at full quality.
    case full

    public static func < (left: EffectQuality, right: EffectQuality) -> Bool { left.rawValue < right.rawValue }
}
