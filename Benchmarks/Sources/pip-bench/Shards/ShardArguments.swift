/// The parsed command line of `pip-bench shards`.
struct ShardArguments: Equatable {
    var pipCompose = "pip-compose"
    /// The folder of the inputs and of the results.
    var folder = "."
    var turns = 3
    /// The length of the sources in seconds, at 30 frames a second.
    var seconds = 60
    /// The length in seconds up to which the long sources repeat the short sources.
    private static let longLength = 7200
    /// True to write the report from stored measurements, without measuring.
    var isReportOnly = false

    static let help = """
        usage: Benchmarks/shards [--turns N] [--seconds N] [--report]

        --turns N    how often everything is run, in turn; default: 3; with fewer, the report is in results/partial/
        --seconds N  length of the sources, a multiple of 20 up to 7200; default: 60; with another length, the report is in results/partial/
        --report     measure nothing: write the report again from the numbers in results/shards.json

        """

    /// - Throws: ``ArgumentError`` for an unknown option or an invalid value.
    init(_ words: [String]) throws(ArgumentError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--report" {
                isReportOnly = true
                continue
            }
            guard ["--pip-compose", "--folder", "--turns", "--seconds"].contains(word) else {
                throw ArgumentError(description: "\(word): no such option")
            }
            guard let value = rest.popFirst() else { throw ArgumentError(description: "\(word): a value is missing") }
            switch word {
            case "--pip-compose": pipCompose = value
            case "--folder": folder = value
            case "--turns": turns = try Self.number(word, value, multipleOf: 1)
            default: seconds = try Self.number(word, value, multipleOf: 20, upTo: Self.longLength)
            }
        }
    }

    private static func number(
        _ option: String, _ value: String, multipleOf unit: Int, upTo limit: Int = .max
    ) throws(ArgumentError) -> Int {
        guard let number = Int(value), number > 0, number % unit == 0 else {
            let divisible = unit == 1 ? "" : ", divisible by \(unit)"
            throw ArgumentError(description: "\(option): \(value) must be a whole number above 0\(divisible)")
        }
        guard number <= limit else {
            throw ArgumentError(description: "\(option): \(value) must be at most \(limit)")
        }
        return number
    }

    /// The folder for the report.
    ///
    /// Measurements with sources of another length than 60 s, or with fewer than three rounds, go into a folder of
    /// their own.
    var results: String { "\(folder)/results" + (seconds == 60 && turns >= 3 ? "" : "/partial") }

    /// The commands of the measurement.
    ///
    /// The long sources repeat the short sources up to `longLength`.
    var commands: ShardCommands {
        ShardCommands(
            pipCompose: pipCompose, folder: "\(folder)/results/inputs/shards", frames: seconds * 30,
            repeats: Self.longLength / seconds)
    }
}
