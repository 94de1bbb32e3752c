/// How much effects may cost, from all that they were meant to be down to what a picture cannot do without.
///
/// Effects marked essential are left out at no quality. Nor is what decides which pixels are seen where: turns,
/// mirrors, crops, transforms, keys, opacity and blends.
public enum EffectQuality: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Only what a picture cannot do without.
    case none
    /// Only effects of single pixels, which share a pass: blurs, edges and whatever reads other pixels are left out.
    case cheap
    /// All effects, with large blurs of a part of the picture's size.
    case reduced
    /// All effects as they are.
    case full

    public static func < (left: EffectQuality, right: EffectQuality) -> Bool { left.rawValue < right.rawValue }
}
