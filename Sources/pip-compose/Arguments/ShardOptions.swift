import ArgumentParser
import PipRig

/// `--shard`: selects one part of a composition of files.
struct ShardOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Make only one part of the output, as a movie that `join` puts together with the others. Parts count from \
            0: 3/16 is the fourth of sixteen.
            """, valueName: "I/N"),
        transform: { try Shard($0) })
    var shard: Shard?
}
