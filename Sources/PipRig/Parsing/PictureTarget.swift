/// The picture to which an option applies: the main picture, an inset, or the composed picture.
package enum PictureTarget: Hashable, Sendable, CustomStringConvertible {
    case main
    /// An inset by its index, counted from 0. Users write `inset` for the first inset and `inset2` for the second.
    case inset(Int)
    /// The composed picture, which the outputs receive.
    case output

    private static let names = ["main", "inset", "inset2", "output"]

    package init(_ text: String) throws(UsageError) {
        let lowered = text.lowercased()
        switch lowered {
        case "main": self = .main
        case "output": self = .output
        case "inset": self = .inset(0)
        default:
            guard lowered.hasPrefix("inset"), let number = Int(lowered.dropFirst("inset".count)), number >= 1 else {
                guard !text.isEmpty else {
                    throw UsageError("the name of a picture is missing: write main, inset, inset2 … or output")
                }
                let near = NearestName.suggestion(for: text, among: Self.names)
                throw UsageError("there is no picture \(text)\(near ?? ": write main, inset, inset2 … or output")")
            }
            self = .inset(number - 1)
        }
    }

    /// Splits `TARGET:REST` at the first colon.
    ///
    /// The message about a missing target shows `example`, a valid text.
    package static func split(_ text: String, example: String) throws(UsageError) -> (PictureTarget, String) {
        guard let colon = text.firstIndex(of: ":") else {
            throw UsageError("\(valueText(text)) does not say which picture it is for: write \(example)")
        }
        return (try PictureTarget(String(text[..<colon])), String(text[text.index(after: colon)...]))
    }

    /// Splits a target such as `main:` or `inset2:` from a file name or an address.
    ///
    /// The target is nil for a text that begins with no target.
    package static func leading(_ text: String) -> (PictureTarget?, String) {
        guard let colon = text.firstIndex(of: ":"), let target = try? PictureTarget(String(text[..<colon])),
            !text[colon...].hasPrefix("://")
        else { return (nil, text) }
        return (target, String(text[text.index(after: colon)...]))
    }

    /// The index of the picture among all pictures, the main one first.
    ///
    /// The output has the index of the main picture.
    package var index: Int { if case .inset(let index) = self { index + 1 } else { 0 } }

    /// Checks that a composition with this number of insets has the picture.
    package func check(insets: Int, for option: String) throws(UsageError) {
        guard case .inset(let index) = self, index >= insets else { return }
        let there =
            switch insets {
            case 0: "there is no inset; add one with --inset SOURCE"
            case 1: "there is one inset"
            default: "there are \(insets) insets"
            }
        throw UsageError("\(option) is for \(self), but \(there)")
    }

    package var description: String {
        switch self {
        case .main: "main"
        case .inset(let index): index == 0 ? "inset" : "inset\(index + 1)"
        case .output: "output"
        }
    }
}
