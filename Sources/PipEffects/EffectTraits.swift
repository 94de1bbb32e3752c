internal import PipFrames

/// What holds of an effect with its parameters whatever picture it is drawn on.
///
/// Answered from the traits of the operations that it draws; an effect declares the rest itself, by
/// ``Effect/isStructural`` and the flags of its ``ShaderCall``.
package struct EffectTraits: Sendable {
    /// The change of orientation or borders, where the effect makes nothing else.
    package let framing: OperationTraits.Framing
    /// True when it can be drawn on Y'CbCr planes that are read and written apart, without a kernel.
    package let keepsPlanesApart: Bool
    /// True when it shares a pass with its neighbours: all its operations are functions of one pixel.
    package let isPointwise: Bool
    /// True when any operation changes the frame's orientation or borders: then it cannot be faded in.
    package let changesFraming: Bool
    /// True when without it pixels would be seen that should not be, or elsewhere.
    package let isStructural: Bool

    /// - Parameters:
    ///   - operation: The operation that is drawn on a picture.
    ///   - isStructural: Whether the effect declares itself structural.
    package init(_ operation: EffectOperation, isStructural: Bool = false) {
        let traits = operation.traits
        let parts = operation.flattened.map(\.traits)
        framing = traits.framing
        keepsPlanesApart =
            switch traits.planeForm {
            case .identity, .affine: true
            case .filter, nil: false
            }
        isPointwise = parts.allSatisfy(\.isPointwise)
        changesFraming = parts.contains { $0.framing != .same }
        self.isStructural = isStructural || changesFraming || parts.contains(where: \.changesAlpha)
    }
}

extension Effect {
    /// The operation that is drawn on a picture of reference: equal for equal parameters, whatever is drawn.
    package var referenceOperation: EffectOperation { operation(in: .reference) }

    /// The traits of the effect with its parameters as they are.
    package var traits: EffectTraits {
        EffectTraits(referenceOperation, isStructural: Self.isStructural)
    }
}

extension EffectContext {
    /// A picture of reference, by which traits are found: they may not depend on the picture.
    package static let reference = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
}
