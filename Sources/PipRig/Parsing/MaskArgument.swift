/// `--mask TARGET:FILE`: a mask that limits the visible part of a picture.
package struct MaskArgument: Sendable, Equatable {
    package let text: String
    package let target: PictureTarget
    /// The path of the mask, which is white where the picture is visible.
    package let path: String

    package init(_ text: String) throws(UsageError) {
        self.text = text
        (target, path) = try PictureTarget.split(text, example: "inset:mask.png")
        guard target != .output else {
            throw UsageError("\(text): a mask is for main or for an inset, not for the output")
        }
        guard !path.isEmpty else { throw UsageError("\(text): a file is missing: write \(target):mask.png") }
    }
}
