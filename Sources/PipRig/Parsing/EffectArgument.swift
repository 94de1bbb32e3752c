package import PipCompose

/// `--effect TARGET:CHAIN`: a chain of effects for one picture.
package struct EffectArgument: Sendable {
    package let text: String
    package let target: PictureTarget
    package let chain: [ChainEffect]

    /// The effects of the chain, without their `essential` marks.
    package var effects: [any Effect] { chain.map(\.effect) }

    package init(_ text: String) throws(UsageError) {
        self.text = text
        if !text.contains(":") || (try? PictureTarget.split(text, example: "")) == nil, Self.beginsWithEffect(text) {
            throw UsageError(
                "\(text) does not say which picture it is for: write main:\(text), inset:\(text) or output:\(text)")
        }
        let (target, text) = try PictureTarget.split(text, example: "main:\(text)")
        self.target = target
        chain = try Self.chain(text)
    }

    /// Remarks about effects that the user named with another library's name.
    package var remarks: [String] { chain.compactMap { $0.note.map { "--effect \(text): \($0)" } } }

    /// A warning for a chain that leaves the picture unchanged, with the reason; nil for any other chain.
    package var note: String? {
        guard effects.changesNothing else { return nil }
        let reason =
            effects.allSatisfy { [$0].changesNothing }
            ? "its effects have their neutral values (see `pip-compose effects \(type(of: effects[0]).name)`)"
            : "its effects undo each other"
        return "--effect \(text): changes nothing: \(reason)"
    }

    /// Parses a chain, and returns its effects without the `essential` marks.
    package static func effects(_ chain: String) throws(UsageError) -> [any Effect] {
        try self.chain(chain).map(\.effect)
    }

    /// Parses a chain: sets the parameters of its effects, and checks their values.
    package static func chain(_ text: String) throws(UsageError) -> [ChainEffect] {
        var chain: [ChainEffect] = []
        for item in try ChainSyntax(text).items {
            var item = item
            let isEssential = try takeMark(&item)
            var link = try link(item)
            link.isEssential = isEssential
            chain.append(link)
        }
        return chain
    }

    /// The key that every effect takes besides its parameters: an essential effect stays on under heat and load.
    package static let mark = "essential"

    private static func takeMark(_ item: inout ChainSyntax.Item) throws(UsageError) -> Bool {
        let marks = item.values.filter { $0.key == mark }
        guard let first = marks.first else { return false }
        guard marks.count == 1 else { throw UsageError("\(item.name): \(mark) is given twice") }
        item.values.removeAll { $0.key == mark }
        do throws(UsageError) { return try onOff(first.text, named: mark) } catch { throw error.about(item.name) }
    }

    private static func beginsWithEffect(_ text: String) -> Bool {
        guard let name = try? ChainSyntax(String(text.prefix { $0 != ":" && $0 != "=" && $0 != "," })).items.first?.name
        else { return false }
        return isFile(name) || (try? match(named: name)) != nil
    }

    /// True for the path of a GLSL file, false for the name of an effect.
    package static func isFile(_ name: String) -> Bool { name.contains("/") || name.contains(".") }

    /// Makes the effect of a chain's item, sets its parameters and checks their values.
    ///
    /// - Throws: ``UsageError`` for a mistake. If another library defines the effect differently, the message says how.
    package static func link(_ item: ChainSyntax.Item) throws(UsageError) -> ChainEffect {
        if isFile(item.name) {
            return ChainEffect(effect: try setting(item.values, in: try FileEffect(argument: item.name)))
        }
        let match = try match(named: item.name)
        do throws(UsageError) {
            return ChainEffect(
                effect: try make(match.kind.type, presets: match.kind.presets, item), note: match.note)
        } catch { throw match.note.map { UsageError("\(error) (\($0))") } ?? error }
    }

    /// Finds an effect by its own name, or by another library's name for it.
    package static func match(named name: String) throws(UsageError) -> ForeignName.EffectMatch {
        if let type = EffectCatalogue.type(named: name) { return .init(kind: (type, []), name: name, note: nil) }
        if let match = try ForeignName(name).effect() { return match }
        let hint = NearestName.hint(for: name, among: EffectCatalogue.names)
        throw UsageError("there is no effect \(name)\(hint) (see `pip-compose effects`)")
    }

    private static func make<E: Effect>(
        _ type: E.Type, presets: [ChainSyntax.Value], _ item: ChainSyntax.Item
    ) throws(UsageError) -> any Effect {
        var effect = E()
        try set(presets, in: &effect)
        let isSet = try set(item.values, in: &effect)
        for (index, parameter) in E.parameters.enumerated() where parameter.isRequired && !isSet.contains(index) {
            throw UsageError("\(E.name) needs a \(parameter.name): \(E.name)=\(parameter.name)=PATH")
        }
        return effect
    }

    /// Returns an effect with the given values set.
    ///
    /// - Throws: ``UsageError`` for a parameter that is unknown or given twice, and for a value that the parameter does
    ///   not allow.
    package static func setting(
        _ values: [ChainSyntax.Value], in effect: some Effect
    ) throws(UsageError) -> any Effect {
        var effect = effect
        try set(values, in: &effect)
        return effect
    }

    /// Sets values of a built-in effect or of a GLSL file's effect.
    ///
    /// - Returns: The indices of the parameters that were set.
    @discardableResult
    private static func set<E: Effect>(_ values: [ChainSyntax.Value], in effect: inout E) throws(UsageError) -> Set<Int>
    {
        guard var file = effect as? FileEffect else {
            return try forEachValue(of: values, E.parameters.map(\.name), E.name) { index, text throws(EffectError) in
                try E.parameters[index].set(text: text, in: &effect, of: E.name)
            }
        }
        let names = file.settings.map(\.name)
        let isSet = try forEachValue(of: values, names, file.path) { index, text throws(EffectError) in
            try file.set(names[index], text: text)
        }
        if let changed = file as? E { effect = changed }
        return isSet
    }

    /// Calls `set` for each value, with the index of the parameter that the value's key or position selects.
    ///
    /// - Returns: The indices of the parameters that were set.
    @discardableResult
    private static func forEachValue(
        of values: [ChainSyntax.Value], _ names: [String], _ effect: String,
        set: (_ index: Int, _ text: String) throws(EffectError) -> Void
    ) throws(UsageError) -> Set<Int> {
        var isSet: Set<Int> = []
        var hasKeys = false
        for (place, value) in values.enumerated() {
            let index: Int
            if let key = value.key {
                index = try self.index(of: key, names, effect)
                hasKeys = true
            } else {
                index = try self.index(ofPlace: place, value.text, names, effect, afterKeys: hasKeys)
            }
            guard isSet.insert(index).inserted else { throw UsageError("\(effect): \(names[index]) is given twice") }
            do throws(EffectError) { try set(index, value.text) } catch { throw mistake(error) }
        }
        return isSet
    }

    /// Translates an effect's error.
    ///
    /// The message about an unknown choice names the nearest choice.
    private static func mistake(_ error: EffectError) -> UsageError {
        if case .notAllowed(.choice(let names)) = error.problem {
            let hint = NearestName.hint(for: error.value, among: names)
            return UsageError("\(error.effect): there is no \(error.parameter) \(error.value)\(hint)")
        }
        return UsageError(error.description)
    }

    private static func index(of key: String, _ names: [String], _ effect: String) throws(UsageError) -> Int {
        if let index = names.firstIndex(of: key) { return index }
        guard !names.isEmpty else { throw UsageError("\(effect) has no parameters, so \(key) cannot be set") }
        throw UsageError("\(effect) has no parameter \(key)\(NearestName.hint(for: key, among: names))")
    }

    private static func index(
        ofPlace place: Int, _ text: String, _ names: [String], _ effect: String, afterKeys: Bool
    ) throws(UsageError) -> Int {
        if names.isEmpty { throw UsageError("\(effect) has no parameters, so \(text) cannot be set") }
        if afterKeys {
            throw UsageError(
                "\(effect): \(text) stands after a named value, so it needs a name, too: \(names.joined(separator: ", "))"
            )
        }
        guard place < names.count else {
            throw UsageError(
                "\(effect) has \(names.count) parameter\(names.count == 1 ? "" : "s") "
                    + "(\(names.joined(separator: ", "))); \(text) is one too many")
        }
        return place
    }
}

/// An effect of a chain, with its `essential` and `muted` switches.
package struct ChainEffect: Sendable {
    package var effect: any Effect
    package var isEssential = false
    package var isMuted = false
    /// A remark on a difference from the library whose name the user wrote; nil for no difference.
    package var note: String?
}

extension FileEffect {
    /// Reads an effect from the GLSL file that the user named.
    package init(argument path: String) throws(UsageError) {
        do throws(EffectError) { self = try FileEffect(path: path) } catch {
            // The reason of a file's error already names the file.
            if case .file(let reason) = error.problem { throw UsageError(reason) }
            throw UsageError(error.description)
        }
    }
}
