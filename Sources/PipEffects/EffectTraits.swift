internal import PipFrames

/// The properties of an effect with its present parameters that do not depend on the picture.
///
/// They follow from the traits of the operations that the effect draws. An effect declares other properties itself,
/// through ``Effect/isStructural`` and the flags of its ``ShaderCall``.
package struct EffectTraits: Sendable {
    /// The change of orientation or borders, if that is the effect's only operation.
    package let framing: OperationTraits.Framing
    /// True when the effect can be drawn on separate Y'CbCr planes, without a kernel.
    package let keepsPlanesApart: Bool
    /// True when the effect can share a pass with its neighbours, because all its operations are functions of one
    /// pixel.
    package let isPointwise: Bool
    /// True when any operation changes the frame's orientation or borders.
    ///
    /// Such an effect cannot be faded in.
    package let changesFraming: Bool
    /// True when the effect hides or moves pixels that would otherwise be visible.
    package let isStructural: Bool

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
    /// The operation on the reference picture, which is equal for equal parameters.
    package var referenceOperation: EffectOperation { operation(in: .reference) }

    /// The traits of the effect with its present parameters.
    package var traits: EffectTraits {
        EffectTraits(referenceOperation, isStructural: Self.isStructural)
    }
}

extension EffectContext {
    /// The context that traits are computed in, because they must not depend on a picture.
    package static let reference = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
}
