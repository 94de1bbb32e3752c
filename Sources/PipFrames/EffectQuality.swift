/// The cost that effects may have, from everything that they are meant to do down to the least that a picture needs.
///
/// Effects marked essential are kept at every quality. Effects that decide which pixels are seen and where are kept,
/// too: turns, mirrors, crops, transforms, keys, opacity and blends.
public enum EffectQuality: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Only the effects that are kept at every quality.
    case none
    /// Only effects of single pixels, which share a pass: blurs, edges and whatever reads other pixels are left out.
    case cheap
    /// All effects, with large blurs of a part of the picture's size.
    case reduced
    /// All effects as they are.
    case full

    public static func < (left: EffectQuality, right: EffectQuality) -> Bool { left.rawValue < right.rawValue }
}
