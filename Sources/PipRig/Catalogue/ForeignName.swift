package import PipCompose

/// Looks up a name among the names of other libraries.
///
/// The lookup ignores case, spaces, hyphens and underscores, and the prefixes and suffixes of a library's names:
/// `GPUImageSepiaFilter`, `CISepiaTone`, `sepia_tone`.
package struct ForeignName {
    /// The matching effect or blend, and a note for the user.
    package struct Match<Kind> {
        package let kind: Kind
        /// The effect's or blend's name, with the values that make it the counterpart: `corners=noble`.
        package let name: String
        package let note: String?
    }

    /// The matching effect's type, and the values that make it the counterpart.
    package typealias EffectMatch = Match<(type: any Effect.Type, presets: [ChainSyntax.Value])>

    private let name: String
    private let meanings: [(row: CounterpartRow, counterpart: Counterpart)]

    package init(_ name: String) {
        self.name = name
        let plain = Self.plain(name)
        let all = CounterpartFamily.all.flatMap(\.rows).flatMap { row in row.names.map { (row, $0) } }
        // `Circle` begins with `ci`, but is not a Core Image name.
        let prefixed = EffectLibrary.allCases.first { library in library.prefix.map { plain.hasPrefix($0) } ?? false }
        let ofLibrary = prefixed.map { library in
            let keys = Self.keys(of: plain, in: library)
            return all.filter { $0.1.library == library && !keys.isDisjoint(with: Self.keys(of: $0.1)) }
        }
        let keys = Self.keys(of: plain, in: nil)
        meanings =
            ofLibrary.flatMap { $0.isEmpty ? nil : $0 } ?? all.filter { !keys.isDisjoint(with: Self.keys(of: $0.1)) }
    }

    /// Looks up the effect of this name; nil when neither another library nor the catalogue has the name.
    ///
    /// - Throws: ``UsageError`` for an effect that is only similar, left out, a blend or another feature, and for a
    ///   name with several meanings.
    package func effect() throws(UsageError) -> EffectMatch? {
        guard let (row, counterpart) = try meaning() else {
            return EffectCatalogue.types.first { Self.plain($0.name) == Self.plain(name) }
                .map { Match(kind: ($0, []), name: $0.name, note: nil) }
        }
        switch row.ours {
        case .effect(let type, let values):
            let presets = values.isEmpty ? [] : try ChainSyntax("\(type.name)=\(values)").items.flatMap(\.values)
            return Match(kind: (type, presets), name: row.name ?? "", note: try note(row, counterpart))
        case .blend(let kind):
            throw UsageError("\(title(counterpart)) is a blend here: blend=\(kind.rawValue) in a layout")
        case .other, .leftOut: throw refusal(row, counterpart)
        }
    }

    /// Looks up the blend of this name; nil when neither another library nor a blend has the name.
    ///
    /// - Throws: ``UsageError`` for a blend that is only similar, left out, an effect or another feature, and for a
    ///   name with several meanings.
    package func blend() throws(UsageError) -> Match<BlendKind>? {
        guard let (row, counterpart) = try meaning(blendsFirst: true) else {
            return BlendKind.allCases.first { Self.plain($0.rawValue) == Self.plain(name) }
                .map { Match(kind: $0, name: $0.rawValue, note: nil) }
        }
        switch row.ours {
        case .blend(let kind): return Match(kind: kind, name: kind.rawValue, note: try note(row, counterpart))
        case .effect(let type, _):
            throw UsageError(
                "\(title(counterpart)) is an effect here, not a blend (see `pip-compose effects \(type.name)`)")
        case .other, .leftOut: throw refusal(row, counterpart)
        }
    }

    /// The effect or blend that the name means; nil when no library has the name.
    ///
    /// - Throws: ``UsageError`` for a name whose meanings differ between libraries.
    private func meaning(
        blendsFirst: Bool = false
    ) throws(UsageError) -> (row: CounterpartRow, counterpart: Counterpart)? {
        let blends = meanings.filter { if case .blend = $0.row.ours { true } else { false } }
        let others = meanings.filter { if case .blend = $0.row.ours { false } else { true } }
        let candidates = blendsFirst && !blends.isEmpty || others.isEmpty ? blends : others
        guard let first = candidates.first else { return nil }
        let answers = Set(candidates.map { $0.row.name ?? "" })
        guard answers.count > 1 else {
            // A library with the same effect takes precedence over a library with a similar one.
            return candidates.first { if case .differs = $0.counterpart.agreement { false } else { true } } ?? first
        }
        let each = candidates.map { meaning in
            "\(meaning.counterpart.library.rawValue)'s is \(meaning.row.name ?? Self.text(meaning.row))"
        }
        throw UsageError("\(name) is not the same in all libraries: \(each.joined(separator: ", "))")
    }

    private func note(_ row: CounterpartRow, _ counterpart: Counterpart) throws(UsageError) -> String? {
        switch counterpart.agreement {
        case .same: return nil
        case .noted(let text): return "\(title(counterpart)) is \(row.name ?? "") here: \(text)"
        case .differs(let text):
            throw UsageError("\(title(counterpart)) is not supported; \(row.name ?? "") is similar: \(text)")
        }
    }

    private func refusal(_ row: CounterpartRow, _ counterpart: Counterpart) -> UsageError {
        UsageError("\(title(counterpart)) is \(Self.text(row))")
    }

    private func title(_ counterpart: Counterpart) -> String { "\(counterpart.library.rawValue)'s \(name)" }

    private static func text(_ row: CounterpartRow) -> String {
        switch row.ours {
        case .other(let text): "no effect here, but \(text)"
        case .leftOut(let reason): "left out: \(reason)"
        case .effect, .blend: ""
        }
    }

    private static func plain(_ name: String) -> String {
        let name = name.lowercased()
        return (name.hasPrefix("gl_") ? name.dropFirst(3) : name[...]).filter { !" -_".contains($0) }
    }

    private static func keys(of counterpart: Counterpart) -> Set<String> {
        keys(of: plain(counterpart.name), in: counterpart.library)
    }

    /// The spellings of a plain name: the name itself, and the name without a library's prefixes and suffixes.
    private static func keys(of plain: String, in library: EffectLibrary?) -> Set<String> {
        var names: Set = [plain]
        if let prefix = library?.prefix, plain.hasPrefix(prefix) { names.insert(String(plain.dropFirst(prefix.count))) }
        for name in names {
            for ending in ["filter", "blendmode", "blend", "operation"] {
                if name.hasSuffix(ending), name.count > ending.count {
                    names.insert(String(name.dropLast(ending.count)))
                }
            }
        }
        return names
    }
}
