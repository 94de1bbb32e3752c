internal import PipFrames

/// Divides a trigger's text at its commas, one character after the other.
struct TriggerScanner {
    /// The place of the present character within its part.
    private enum Place {
        case name
        /// The first character of the value.
        case start
        case value
        /// The words of a program, with a shell's quotation marks.
        case program
    }

    static let marks: [Character] = ["'", "\""]
    private static let program = "do=run:"

    /// The parts so far, without blanks at their beginnings.
    private var list = [""]
    private var place = Place.name
    private var quote: Character?
    private var isEscaped = false

    /// The parts, without blanks at both ends.
    var parts: [String] { list.map { $0.trimmed } }

    /// The mark that opens a value and is not closed; nil without one, and for a program's words.
    var openMark: Character? { place == .program ? nil : quote }

    mutating func take(_ character: Character) {
        let last = list.count - 1
        if character == " ", list[last].isEmpty { return }
        if isEscaped {
            isEscaped = false
        } else if let open = quote {
            if character == open {
                quote = nil
            } else {
                isEscaped = character == "\\" && place == .program && open == "\""
            }
        } else if character == "," {
            list.append("")
            place = .name
            return
        } else {
            advance(character)
        }
        list[last].append(character)
        // The cause is no option.
        if place == .value, last > 0, list[last] == Self.program { place = .program }
    }

    /// Follows a character outside of quotation marks.
    private mutating func advance(_ character: Character) {
        let isMark = Self.marks.contains(character)
        switch place {
        case .name: if character == "=", list.count > 1 { place = .start }
        case .start where character != " ":
            place = .value
            if isMark { quote = character }
        case .program:
            if isMark { quote = character }
            isEscaped = character == "\\"
        case .start, .value: break
        }
    }
}
