package import PipCompose

extension BlendMode {
    /// Reads a blend with its parameters: `multiply`, `chroma-key:color=green:spill=0.5`.
    package init(argument text: String) throws(UsageError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let name = parts.first ?? ""
        var kind = BlendKind(rawValue: name)
        if kind == nil { kind = try ForeignName(name).blend()?.kind }
        if let kind { self.init(kind) } else { self.init(try known(name, as: "blend")) }
        let parameters = parameters
        for part in parts.dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard halves.count == 2, !halves[1].isEmpty else {
                throw UsageError("blend \(name): \(part) must be written as name=value")
            }
            guard let parameter = parameters.first(where: { $0.name == halves[0] }) else {
                let hint = NearestName.hint(for: halves[0], among: parameters.map(\.name))
                throw UsageError("blend \(name) has no parameter \(halves[0])\(hint)")
            }
            do throws(EffectError) {
                try parameter.set(text: halves[1], in: &self, of: "blend \(name)")
            } catch {
                throw UsageError(error.description)
            }
        }
    }
}
