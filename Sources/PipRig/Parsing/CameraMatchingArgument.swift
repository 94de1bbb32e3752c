package import PipCompose

extension CameraMatching {
    package init(argument text: String) throws(UsageError) {
        guard let matching = CameraMatching(rawValue: text) else {
            let near = NearestName.suggestion(for: text, among: Self.allCases.map(\.rawValue))
            throw UsageError("\(valueText(text)) is not a way to match cameras: write lock or copy\(near ?? "")")
        }
        self = matching
    }
}
