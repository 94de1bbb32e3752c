/// Comparisons that take the same time whether a guess of a secret is partly right or not (constant time).
package enum ConstantTime {
    /// True when two texts are equal.
    ///
    /// The duration depends on the lengths of the texts only.
    package static func isEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        var difference = left.count ^ right.count
        for (index, byte) in left.enumerated() where !right.isEmpty {
            difference |= Int(byte ^ right[index % right.count])
        }
        return difference == 0
    }
}
