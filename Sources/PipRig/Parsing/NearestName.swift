/// Finds the name that a user probably meant.
package enum NearestName {
    /// The name with the smallest edit distance to a text; nil when no name is close.
    ///
    /// A name that begins with the text counts as a distance of 1, so it is always close.
    package static func name(to text: String, among names: some Sequence<String>) -> String? {
        let text = text.lowercased()
        guard !text.isEmpty else { return nil }
        var best: (name: String, distance: Int)?
        for name in names {
            let limit = max(1, name.count / 2 - 1)
            let isBeginning = name.hasPrefix(text)
            // The edit distance is at least the difference of the lengths.
            guard isBeginning || abs(name.count - text.count) <= limit else { continue }
            let distance = isBeginning ? 1 : distance(text, name.lowercased())
            if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// The end of a message about a text that is none of `names`, such as `; did you mean vignette?`; nil when no name
    /// is close.
    package static func suggestion(for text: String, among names: some Sequence<String>) -> String? {
        name(to: text, among: names).map { "; did you mean \($0)?" }
    }

    /// The largest number of names that a hint lists in full.
    private static let longestList = 40

    /// The end of a message about an unknown name, such as `; did you mean vignette?`.
    ///
    /// If no name is close, the hint lists all names, or the nearest three of a long list. Empty without names, and for
    /// an empty text and a long list.
    package static func hint(for text: String, among names: [String]) -> String {
        if names.isEmpty || (text.isEmpty && names.count > longestList) { return "" }
        if let suggestion = suggestion(for: text, among: names) { return suggestion }
        guard names.count > longestList else { return "; known are \(names.joined(separator: ", "))" }
        // Distances are relative to the length, so that long names are not at a disadvantage.
        let distances = names.map { Double(distance(text.lowercased(), $0)) / Double(max(text.count, $0.count)) }
        let nearest = zip(names, distances).sorted { $0.1 < $1.1 }.prefix(3).map(\.0)
        return "; the nearest of \(names.count) are \(nearest.joined(separator: ", "))"
    }

    /// Creates the error for a name that is not in the list, with a hint at the nearest names.
    package static func unknown(_ noun: String, _ name: String, among names: [String]) -> UsageError {
        let hint = hint(for: name, among: names)
        return UsageError(
            name.isEmpty ? "the name of the \(noun) is missing\(hint)" : "there is no \(noun) \(name)\(hint)")
    }

    /// The edit distance of two texts: insertions, deletions, replacements and transpositions of neighbours.
    ///
    /// Source: R. Lowrance and R. Wagner, "An Extension of the String-to-String Correction Problem" (1975), restricted
    /// to one edit a place.
    package static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var best = min(last[j] + (left[i] == right[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
