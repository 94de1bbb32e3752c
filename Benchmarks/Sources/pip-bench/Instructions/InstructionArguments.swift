/// The parsed command line of `pip-bench instructions`.
struct InstructionArguments: Equatable {
    var pipCompose = "pip-compose"
    /// The folder of the table and of the inputs.
    var folder = "."
    /// The compiler that has built pip-compose, such as `Swift 6.3`.
    var compiler = "unknown compiler"
    /// True to store the counts as the new table.
    var isRecording = false

    static let help = """
        usage: Benchmarks/instructions [--record]

        --record  store the counts in instructions.tsv, in place of comparing with it

        """

    /// - Throws: ``ArgumentError`` for an unknown option or a missing value.
    init(_ words: [String]) throws(ArgumentError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--record": isRecording = true
            case "--pip-compose", "--folder", "--compiler":
                guard let value = rest.popFirst() else {
                    throw ArgumentError(description: "\(word): a value is missing")
                }
                switch word {
                case "--pip-compose": pipCompose = value
                case "--folder": folder = value
                default: compiler = value
                }
            default: throw ArgumentError(description: "\(word): no such option")
            }
        }
    }

    var table: String { "\(folder)/instructions.tsv" }
}
