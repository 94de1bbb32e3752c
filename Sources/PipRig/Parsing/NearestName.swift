/// Finds what a user probably meant.
package enum NearestName {
    /// The name that is fewest keystrokes away; nil when none is close.
    ///
    /// A name that begins with the text is close, however long it is.
    package static func name(to text: String, among names: some Sequence<String>) -> String? {
        let text = text.lowercased()
        guard !text.isEmpty else { return nil }
        var best: (name: String, distance: Int)?
        for name in names {
            let limit = max(1, name.count / 2 - 1)
            let isBeginning = name.hasPrefix(text)
            // It takes at least as many keystrokes as one is longer than the other.
            guard isBeginning || abs(name.count - text.count) <= limit else { continue }
            let distance = isBeginning ? 1 : distance(text, name.lowercased())
            if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// More names than this are not listed.
    private static let longestList = 40

    /// Half a sentence for an unknown name: `; did you mean vignette?`, or when none is close the list of all names, of
    /// many the nearest three.
    package static func hint(for text: String, among names: [String]) -> String {
        if let name = name(to: text, among: names) { return "; did you mean \(name)?" }
        guard names.count > longestList else { return "; known are \(names.joined(separator: ", "))" }
        // A long name is not far away only because it is long.
        let distances = names.map { Double(distance(text.lowercased(), $0)) / Double(max(text.count, $0.count)) }
        let nearest = zip(names, distances).sorted { $0.1 < $1.1 }.prefix(3).map(\.0)
        return "; the nearest of \(names.count) are \(nearest.joined(separator: ", "))"
    }

    /// The error for a name that nothing has.
    package static func unknown(_ noun: String, _ name: String, among names: [String]) -> UsageError {
        UsageError("there is no \(noun) \(name)\(hint(for: name, among: names))")
    }

    /// Characters to insert, delete, replace or exchange with their neighbour to make one text of another.
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
