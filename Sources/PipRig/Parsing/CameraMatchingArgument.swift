package import PipCompose

extension CameraMatching {
    package init(argument text: String) throws(UsageError) {
        guard let matching = CameraMatching(rawValue: text) else {
            let names = Self.allCases.map(\.rawValue)
            throw UsageError("\(text): cameras are matched by lock or copy\(NearestName.hint(for: text, among: names))")
        }
        self = matching
    }
}
