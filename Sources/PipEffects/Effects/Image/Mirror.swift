internal import PipFrames

/// Flips the picture horizontally, like a mirror.
public struct Mirror: Effect {
    public static let name = "mirror"
    public static let summary = "exchanges left and right"
    public static var parameters: [EffectParameter<Mirror>] { [] }

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation { .orientation(.mirrored) }
}
