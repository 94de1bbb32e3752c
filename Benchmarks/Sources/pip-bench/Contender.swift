/// A program that can do a workload, in the ways that an expert would try.
struct Contender: Sendable {
    var name: String
    /// Which program must be there.
    var program: String
    /// Of several, the one that costs least takes part.
    var ways: [Way]

    /// One way to run it.
    struct Way: Sendable {
        var name: String
        /// The command that makes so many frames.
        var command: @Sendable (_ frames: Int) -> Command
    }

    /// Whether it is pip-compose, to which the others are compared.
    var isOurs: Bool { name == Contender.ours }
    static let ours = "pip-compose"
}

/// Something to be drawn, and who can draw it.
struct Workload: Sendable {
    /// Such as `W1`.
    var id: String
    var title: String
    /// pip-compose first.
    var contenders: [Contender]
    /// What `explain` is asked about.
    var explained: Command
}
