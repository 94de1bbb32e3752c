internal import PipFrames

/// The properties of an effect that follow from its parameters alone, whatever the picture.
///
/// The traits derive from the operations that the effect draws. An effect declares other properties itself, through
/// ``Effect/isStructural`` and the flags of its ``ShaderCall``.
package struct EffectTraits: Sendable {
    /// The change of orientation or borders that the effect makes as a single operation; `.same` for a sequence.
    package let framing: OperationTraits.Framing
    /// True when the effect is one operation that leaves Y'CbCr samples unchanged, or maps them affinely.
    ///
    /// Such an effect needs no kernel and no R'G'B'.
    package let keepsPlanesApart: Bool
    /// True when the effect can share a pass with its neighbours, because all its operations are functions of one
    /// pixel.
    package let isPointwise: Bool
    /// True when any operation changes the frame's orientation or borders.
    ///
    /// Such an effect cannot be faded in.
    package let changesFraming: Bool
    /// True when the effect declares itself structural, rotates, mirrors or crops the picture, or may make pixels
    /// translucent.
    package let isStructural: Bool

    /// Derives the traits from an effect's operation.
    ///
    /// - Parameters:
    ///   - operation: The operation that the effect draws.
    ///   - isStructural: True when the effect declares itself structural.
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
    /// The operation in the context ``EffectContext/reference``: equal for effects with equal parameters.
    package var referenceOperation: EffectOperation { operation(in: .reference) }

    /// The traits of the effect with its present parameters.
    package var traits: EffectTraits {
        EffectTraits(referenceOperation, isStructural: Self.isStructural)
    }
}

extension EffectContext {
    /// The fixed context that traits are computed in, because traits must not depend on a picture.
    package static let reference = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
}
