internal import PipFrames

/// The properties of an effect with its parameters, whatever picture it is drawn on.
///
/// They follow from the traits of the operations that it draws. An effect declares others itself, by
/// ``Effect/isStructural`` and the flags of its ``ShaderCall``.
package struct EffectTraits: Sendable {
    /// The change of orientation or borders, if it is the only operation of the effect.
    package let framing: OperationTraits.Framing
    /// True when the effect can be drawn on Y'CbCr planes that are read and written apart, without a kernel.
    package let keepsPlanesApart: Bool
    /// True when the effect shares a pass with its neighbours: all its operations are functions of one pixel.
    package let isPointwise: Bool
    /// True when any operation changes the frame's orientation or borders.
    ///
    /// Such an effect cannot be faded in.
    package let changesFraming: Bool
    /// True when the effect hides or moves pixels that would be seen without it.
    package let isStructural: Bool

    /// - Parameters:
    ///   - operation: The operation that is drawn on a picture.
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
    /// The operation on a reference picture, which is equal for equal parameters.
    package var referenceOperation: EffectOperation { operation(in: .reference) }

    /// The traits of the effect with its present parameters.
    package var traits: EffectTraits {
        EffectTraits(referenceOperation, isStructural: Self.isStructural)
    }
}

extension EffectContext {
    /// The reference picture from which traits are found, since they must not depend on a picture.
    package static let reference = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
}
