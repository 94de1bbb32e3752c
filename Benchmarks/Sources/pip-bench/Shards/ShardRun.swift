/// A run that each round measures.
enum ShardRun: String, Codable, Sendable, CaseIterable {
    case wholeOnOneCore, onePart, twoParts
    case wholeOnAllCores, twoPartsOnAllCores
    /// A part of ten seconds, which begins in the middle of the files.
    case tenSeconds
    /// Parts of one frame: at the beginning, just before a key frame in the middle, at that key frame, and at the end.
    case startFirst, startBeforeKey, startAtKey, startLast
    case joinOnePart, joinTwoParts, joinOneSmall, joinManySmall
    /// Joins the short main source with itself repeatedly, to a file of two hours.
    case joinLong
    /// Parts of two or three frames at the beginning, in the middle and at the end of the long files.
    case longFirst, longMiddle, longLast

    /// The run's title in the report.
    var title: String {
        switch self {
        case .wholeOnOneCore: "in one go, on one core"
        case .onePart: "one part, on one core"
        case .twoParts: "two parts at once, on a core each"
        case .wholeOnAllCores: "in one go, on all cores"
        case .twoPartsOnAllCores: "two parts at once, on all cores"
        case .tenSeconds: "a part of ten seconds, from the middle"
        case .startFirst: "a part of one frame, the first"
        case .startBeforeKey: "the frame before a key frame, in the middle"
        case .startAtKey: "the key frame in the middle"
        case .startLast: "the last frame"
        case .joinOnePart: "`join` of the one part"
        case .joinTwoParts: "`join` of the two parts"
        case .joinOneSmall: "`join` of a file of half a second"
        case .joinManySmall: "`join` of \(ShardCommands.small) such files"
        case .joinLong: "`join` of the source with itself to two hours"
        case .longFirst: "two hours: a part of two frames, the first"
        case .longMiddle: "two hours: the same in the middle, at a key frame"
        case .longLast: "two hours: the same at the end"
        }
    }
}

/// Builds the commands of a measurement of parts.
struct ShardCommands: Sendable {
    let pipCompose: String
    let folder: String
    /// The number of frames of the sources, at 30 frames a second.
    ///
    /// A multiple of 600, so that there is a key frame in the middle.
    let frames: Int
    /// The number of times that a long source repeats its short source.
    let repeats: Int
    static let small = 60
    /// The number of parts of a long run, and the largest number of parts in predictions.
    static let longParts = 100_000

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// The commands of a run, which start at the same time.
    func commands(_ run: ShardRun) -> [Command] {
        switch run {
        case .wholeOnOneCore: [pinned(whole, to: 0)]
        case .onePart: [pinned(part(0, of: 1, "one"), to: 0)]
        case .twoParts: (0..<2).map { pinned(part($0, of: 2, "two"), to: $0) }
        case .wholeOnAllCores: [Command(whole)]
        case .twoPartsOnAllCores: (0..<2).map { Command(part($0, of: 2, "two")) }
        case .tenSeconds: [pinned(part(frames / 600, of: frames / 300, "ten"), to: 0)]
        case .startFirst: [start(0)]
        case .startBeforeKey: [start(frames / 2 - 1)]
        case .startAtKey: [start(frames / 2)]
        case .startLast: [start(frames - 1)]
        case .joinOnePart: [join(["one-00000.mp4"], to: "joined-one.mp4")]
        case .joinTwoParts: [join(["two-00000.mp4", "two-00001.mp4"], to: "joined-two.mp4")]
        case .joinOneSmall: [join(["small.mp4"], to: "joined-small.mp4")]
        case .joinManySmall: [join([String](repeating: "small.mp4", count: Self.small), to: "joined-small.mp4")]
        case .joinLong: [join([String](repeating: "main.mp4", count: repeats), to: "long-main.mp4")]
        case .longFirst: [long(0)]
        case .longMiddle: [long(Self.longParts / 2)]
        case .longLast: [long(Self.longParts - 1)]
        }
    }

    /// The commands that make the sources from a pattern, and a file of half a second.
    var sources: [Command] {
        zip(["main", "inset"], [0, 1]).map { name, seed in
            pattern("seed=\(seed)&size=1280x720", frames: frames, "\(name).mp4?gop=2s")
        } + [pattern("size=1280x720", frames: 15, "small.mp4?gop=2s")]
    }

    /// The command that makes the second long source.
    ///
    /// The run `joinLong` makes the first long source.
    var longInset: Command { join([String](repeating: "inset.mp4", count: repeats), to: "long-inset.mp4") }

    /// The commands that compose with intra-frame compression, without parts, as one part and as two parts, and that
    /// join the parts.
    var exact: [Command] {
        let parts = [1, 2].flatMap { count in
            (0..<count).map { Command(part($0, of: count, "exact-\(count)", "mkv?codec=mjpeg&")) }
        }
        return [Command(composed("exact.mkv?codec=mjpeg&overwrite=on") + ["--fps", "max"])] + parts
            + [1, 2].map { count in
                join((0..<count).map { "exact-\(count)-0000\($0).mkv" }, to: "exact-\(count).mkv")
            }
    }

    private var whole: [String] { composed("whole.mp4?overwrite=on") + ["--fps", "max"] }

    private func composed(_ output: String, _ prefix: String = "") -> [String] {
        [
            pipCompose, "--main", path("\(prefix)main.mp4"), "--inset", path("\(prefix)inset.mp4"), "--output",
            path(output), "--quiet",
        ]
    }

    private func part(
        _ index: Int, of count: Int, _ name: String, _ kind: String = "mp4?", prefix: String = ""
    ) -> [String] {
        composed("\(name)-%05d.\(kind)overwrite=on", prefix) + ["--shard", "\(index)/\(count)"]
    }

    private func start(_ frame: Int) -> Command { pinned(part(frame, of: frames, "start"), to: 0) }

    private func long(_ index: Int) -> Command {
        pinned(part(index, of: Self.longParts, "long", prefix: "long-"), to: 0)
    }

    private func join(_ parts: [String], to name: String) -> Command {
        Command([pipCompose, "join"] + parts.map(path) + ["--output", path(name), "--overwrite", "--quiet"])
    }

    private func pattern(_ options: String, frames: Int, _ output: String) -> Command {
        Command([
            pipCompose, "--main", "pattern:scene?\(options)", "--fps", "max", "--frames", "\(frames)", "--output",
            path("\(output)&overwrite=on"), "--quiet",
        ])
    }

    /// Makes a command run on one core.
    private func pinned(_ words: [String], to core: Int) -> Command {
        Command(["taskset", "--cpu-list", "\(core)"] + words)
    }
}
