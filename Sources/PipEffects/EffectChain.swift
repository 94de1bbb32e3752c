internal import PipFrames

extension Sequence where Element == any Effect {
    /// True when the effects, applied in order, leave their input unchanged.
    ///
    /// Either each effect has neutral values, or successive effects cancel each other, such as two mirrors.
    package var changesNothing: Bool {
        // Any context will do: neutral values do not depend on the matrix and the size.
        let context = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
        return EffectOperation.foldToIdentity(map { $0.operation(in: context) })
    }
}

extension EffectOperation {
    /// True when a chain of operations becomes empty by removing neutral operations and composing neighbours.
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

    /// Composes two operations, this one first; nil when the two are of different kinds or cannot be composed.
    private func composed(with next: EffectOperation) -> EffectOperation? {
        switch (self, next) {
        case (.affine(let first), .affine(let second)): .affine(first.then(second))
        case (.orientation(let first), .orientation(let second)): .orientation(first.then(second))
        default: nil
        }
    }
}
