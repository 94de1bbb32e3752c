/// One of the nearly equal parts into which a composition of files is divided: `3/16` is the fourth of sixteen.
///
/// The parts can be composed on different machines, and joined afterwards.
package struct Shard: Sendable, Equatable, CustomStringConvertible {
    /// The part's index, counted from 0.
    package let index: Int
    /// The number of parts.
    package let count: Int

    private static let most = 100_000

    /// Reads a part as `INDEX/COUNT`, such as `3/16`.
    package init(_ text: String) throws(UsageError) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1] else {
            throw UsageError("a shard is \(valueText(text)), but must be a part and the number of parts, as in 3/16")
        }
        guard (1...Self.most).contains(count) else {
            throw UsageError("a shard is \(text), but its number of parts must be from 1 to \(Self.most)")
        }
        guard (0..<count).contains(index) else {
            throw UsageError("a shard is \(text), but its index must be from 0 to \(count - 1)")
        }
        (self.index, self.count) = (index, count)
    }

    package var description: String { "\(index)/\(count)" }

    /// True for the last part of the composition.
    package var isLast: Bool { index == count - 1 }

    /// The frames of the part, in a composition of `total` frames.
    ///
    /// Each frame is in exactly one part.
    package func frames(of total: Int) -> Range<Int> {
        // 128 bits rule out an overflow of the product, whatever the total.
        func cut(_ index: Int) -> Int { Int(Int128(index) * Int128(total) / Int128(count)) }
        return cut(index)..<cut(index + 1)
    }
}
