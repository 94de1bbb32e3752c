import ArgumentParser
import PipRig

/// `--shard`: selects one part of a composition of files.
struct ShardOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Make one part of the files' time only, as a movie that `join` puts together with the others: 3/16 is the \
            fourth of sixteen.
            """, valueName: "I/N"),
        transform: { try Shard($0) })
    var shard: Shard?
}
