package import PipCompose

extension CameraMatching {
    package init(argument text: String) throws(UsageError) {
        guard let matching = CameraMatching(rawValue: text) else {
            let names = Self.allCases.map(\.rawValue)
            throw UsageError(
                "match-cameras is \(text), but must be lock or copy\(NearestName.hint(for: text, among: names))")
        }
        self = matching
    }
}
