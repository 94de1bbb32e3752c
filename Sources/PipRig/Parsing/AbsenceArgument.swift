package import PipCompose

/// `--when-missing [TARGET:]POLICY`: the policy for a picture while its source delivers no frames.
package struct AbsenceArgument: Sendable, Equatable {
    /// The picture to which the policy applies; nil for all pictures.
    package let target: PictureTarget?
    package let policy: AbsencePolicy

    package init(_ text: String) throws(UsageError) {
        var name = text
        if text.contains(":") {
            let (target, rest) = try PictureTarget.split(text, example: "inset:\(text)")
            guard target != .output else {
                throw UsageError("\(text): the output never goes missing; write main:, inset: … or the policy alone")
            }
            self.target = target
            name = rest
        } else {
            target = nil
        }
        policy = try known(name.lowercased(), as: "policy")
    }
}
