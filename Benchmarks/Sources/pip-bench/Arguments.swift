/// The parsed command line of `pip-bench`.
struct Arguments: Equatable {
    var pipCompose = "pip-compose"
    var openCV = "opencv-compose"
    /// The folder that contains thresholds, inputs and results.
    var folder = "."
    var isQuick = false
    /// True when a missed threshold makes the benchmark fail.
    var isCheck = false
    /// True when standard output gets the short table in place of the whole report.
    var isTable = false
    var turns: Int?
    var sizes: [FrameSize] = []
    /// The names of the workloads to run, in capitals; empty for all.
    var workloads: [String] = []

    static let help = """
        usage: Benchmarks/run [--quick] [--check] [--table] [--size 720p]... [--turns N] [WORKLOAD…]

        --quick    fewer and shorter runs
        --check    exit with 1 when a threshold in Thresholds/ is missed
        --table    print the short table; the whole report is in results/ anyway (with --quick, or of some workloads, in results/partial/)
        --size     360p … 2160p, of all sources and of the picture; may be repeated; default: 720p and 1080p, with --quick 720p
        --turns N  how often every program is run; at least 5 for figures to be quoted
        WORKLOAD   W1 W1y W2 W2b W2c W3 W4 W5 W6 W7 W8 W9 W10 R1, and S1 S2 S3 for growth; default: all

        """

    /// - Throws: ``ArgumentError`` for an unknown option or an invalid value.
    init(_ words: [String]) throws(ArgumentError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--quick": isQuick = true
            case "--check": isCheck = true
            case "--table": isTable = true
            case "--pip-compose", "--opencv", "--folder", "--turns", "--size":
                guard let value = rest.popFirst() else {
                    throw ArgumentError(description: "\(word): a value is missing")
                }
                try set(word, to: value)
            case _ where word.hasPrefix("-"): throw ArgumentError(description: "\(word): no such option")
            default: workloads.append(word.uppercased())
            }
        }
        if sizes.isEmpty { sizes = isQuick ? [.hd720] : [.hd720, .hd1080] }
    }

    private mutating func set(_ option: String, to value: String) throws(ArgumentError) {
        switch option {
        case "--pip-compose": pipCompose = value
        case "--opencv": openCV = value
        case "--folder": folder = value
        case "--size":
            guard let size = FrameSize(name: value) else {
                throw ArgumentError(description: "--size: \(value) must be a multiple of 18 from 90, as in 720p")
            }
            sizes.append(size)
        default:
            guard let number = Int(value), number > 0 else {
                throw ArgumentError(description: "\(option): \(value) must be a whole number above 0")
            }
            turns = number
        }
    }

    /// The folder for the reports.
    ///
    /// Partial and quick reports go into a separate folder, so that they do not replace a full report.
    var results: String { "\(folder)/results" + (isQuick || !workloads.isEmpty ? "/partial" : "") }

    /// True when the user has selected the workload, or has selected no workloads at all.
    func wants(_ id: String) -> Bool { workloads.isEmpty || workloads.contains(id.uppercased()) }

    /// - Throws: ``ArgumentError`` for an unknown workload.
    func check(against ids: [String]) throws(ArgumentError) {
        if let name = workloads.first(where: { name in !ids.contains { $0.uppercased() == name } }) {
            throw ArgumentError(
                description: "there is no workload \(name); there are \(ids.joined(separator: ", "))")
        }
    }
}

/// The error of a command line that cannot be run.
struct ArgumentError: Error, CustomStringConvertible {
    var description: String
}
