package import PipCompose

extension CameraMatching {
    package init(argument text: String) throws(UsageError) {
        guard let matching = CameraMatching(rawValue: text) else {
            let near = NearestName.name(to: text, among: Self.allCases.map(\.rawValue)).map { "; did you mean \($0)?" }
            throw UsageError("\(valueText(text)) is not a way to match cameras: write lock or copy\(near ?? "")")
        }
        self = matching
    }
}
