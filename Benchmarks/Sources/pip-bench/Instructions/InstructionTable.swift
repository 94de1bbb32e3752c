import Foundation

/// The number of instructions that pip-compose executes for a frame of each workload.
struct InstructionTable: Equatable {
    /// The processor, the instruction set and the compiler for which the counts are.
    var conditions: String
    /// The counts by the names of the workloads, in the order of the table.
    var counts: [(id: String, count: Int)]

    static func == (one: Self, other: Self) -> Bool {
        one.conditions == other.conditions && one.counts.elementsEqual(other.counts) { $0 == $1 }
    }

    /// A workload whose count differs from that of an earlier table.
    struct Change: Equatable {
        let id: String
        let before: Int
        let now: Int

        var share: Double { Double(now - before) / Double(before) }
        var isTooDear: Bool { share > InstructionTable.most }
    }

    /// The smallest share that is reported; the counts of two equal runs differ by less than a quarter of it.
    static let least = 0.02
    /// The largest share by which a workload may become dearer.
    static let most = 0.05

    init(conditions: String, counts: [(id: String, count: Int)] = []) {
        (self.conditions, self.counts) = (conditions, counts)
    }

    /// Parses a stored table.
    ///
    /// - Throws: ``ArgumentError`` for text that is not a table.
    init(_ text: String) throws(ArgumentError) {
        let lines = text.split(separator: "\n")
        guard let first = lines.first, first.hasPrefix("# ") else {
            throw ArgumentError(description: "the table of instructions does not begin with its conditions")
        }
        self.init(conditions: String(first.dropFirst(2)))
        for line in lines.dropFirst() {
            let fields = line.split(separator: "\t")
            guard fields.count == 2, let count = Int(fields[1]), count > 0 else {
                throw ArgumentError(description: "the table of instructions has no name and count: \(line)")
            }
            counts.append((String(fields[0]), count))
        }
    }

    var text: String { "# \(conditions)\n" + counts.map { "\($0.id)\t\($0.count)\n" }.joined() }

    /// The workloads whose counts differ from an earlier table's by more than ``least``.
    func changes(since earlier: InstructionTable) -> [Change] {
        let before = Dictionary(uniqueKeysWithValues: earlier.counts.map { ($0.id, $0.count) })
        return counts.compactMap { id, count in
            before[id].map { Change(id: id, before: $0, now: count) }
        }.filter { abs($0.share) > Self.least }
    }
}
