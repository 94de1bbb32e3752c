/// What the user asked for.
struct Arguments {
    var pipCompose = "pip-compose"
    /// The folder of thresholds, inputs and results.
    var folder = "."
    var isQuick = false
    /// Whether a missed threshold is a failure.
    var isCheck = false
    var pairs: Int?
    var workloads: [String] = []

    static let help = """
        usage: Benchmarks/run [--quick] [--check] [--pairs N] [WORKLOAD…]

        --quick    fewer and shorter runs
        --check    exit with 1 when a threshold in Thresholds/ is missed
        --pairs N  how often every program is run; at least 5 for figures to be quoted
        WORKLOAD   W1 … W5; all without

        """

    /// - Throws: ``ArgumentError`` for what it does not know.
    init(_ words: [String]) throws(ArgumentError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--quick": isQuick = true
            case "--check": isCheck = true
            case "--pip-compose", "--folder", "--pairs":
                guard let value = rest.popFirst() else {
                    throw ArgumentError(description: "\(word): a value is missing")
                }
                try set(word, to: value)
            case _ where word.hasPrefix("-"): throw ArgumentError(description: "\(word): no such option")
            default: workloads.append(word)
            }
        }
    }

    private mutating func set(_ option: String, to value: String) throws(ArgumentError) {
        switch option {
        case "--pip-compose": pipCompose = value
        case "--folder": folder = value
        default:
            guard let number = Int(value), number > 0 else {
                throw ArgumentError(description: "\(option): \(value) is not a number above 0")
            }
            pairs = number
        }
    }

    /// The workloads that were named, or all of them.
    func selection(of all: [Workload]) throws(ArgumentError) -> [Workload] {
        if workloads.isEmpty { return all }
        return try workloads.map { name throws(ArgumentError) in
            guard let workload = all.first(where: { $0.id == name.uppercased() }) else {
                let names = all.map(\.id).joined(separator: ", ")
                throw ArgumentError(description: "there is no workload \(name); there are \(names)")
            }
            return workload
        }
    }
}

/// An option or a workload that does not exist.
struct ArgumentError: Error, CustomStringConvertible {
    var description: String
}
