internal import PipFrames

extension Sequence where Element == any Effect {
    /// True when the effects, applied in their order, leave their input unchanged.
    ///
    /// Each is at its neutral values, or they cancel each other: two mirrors, or an added light that is subtracted
    /// again.
    package var changesNothing: Bool {
        // Neutral values are the same for every matrix and size.
        let context = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
        return EffectOperation.foldToIdentity(map { $0.operation(in: context) })
    }
}

extension EffectOperation {
    /// True when a chain of operations folds to the identity, by dropping neutral ones and composing neighbours.
    fileprivate static func foldToIdentity(_ operations: [EffectOperation]) -> Bool {
        var rest: [EffectOperation] = []
        for operation in operations.flatMap(\.flattened) {
            let folded = rest.last.flatMap { $0.composed(with: operation) }
            if folded != nil { rest.removeLast() }
            let next = folded ?? operation
            if !next.isIdentity { rest.append(next) }
        }
        return rest.isEmpty
    }

    private var isIdentity: Bool {
        switch self {
        case .none: true
        case .affine(let transform): transform.isIdentity
        case .orientation(let orientation): orientation == .identity
        default: false
        }
    }

    /// The composition of two operations, this one first; nil where the two have no common form.
    private func composed(with next: EffectOperation) -> EffectOperation? {
        switch (self, next) {
        case (.affine(let first), .affine(let second)): .affine(first.then(second))
        case (.orientation(let first), .orientation(let second)): .orientation(first.then(second))
        default: nil
        }
    }
}
