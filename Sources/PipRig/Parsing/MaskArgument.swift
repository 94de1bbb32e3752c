/// `--mask TARGET:FILE`: where a picture shows.
package struct MaskArgument: Sendable, Equatable {
    package let text: String
    package let target: PictureTarget
    /// A picture that is white where the other one shows.
    package let path: String

    package init(_ text: String) throws(UsageError) {
        self.text = text
        (target, path) = try PictureTarget.split(text, example: "inset:mask.png")
        guard target != .output else {
            throw UsageError("\(text): a mask is for main or for an inset; what the output lacks would be black")
        }
        guard !path.isEmpty else { throw UsageError("\(text): a file is missing: write \(target):mask.png") }
    }
}
