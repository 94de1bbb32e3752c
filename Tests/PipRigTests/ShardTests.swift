import PipTestSupport
import Testing

@testable import PipRig

@Suite("Shards")
struct ShardTests {
    @Test("all parts together have each frame once, and their lengths differ by at most one")
    func partition() throws {
        var dice = Dice(1)
        for _ in 0..<500 {
            let count = Int.random(in: 1...300, using: &dice)
            let total = count + Int.random(in: 0...1_000_000, using: &dice)
            let parts: [Range<Int>] = try (0..<count).map { try Shard("\($0)/\(count)").frames(of: total) }
            #expect(parts.first?.lowerBound == 0 && parts.last?.upperBound == total)
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
            let sizes = parts.map(\.count)
            #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1 && (sizes.min() ?? 0) >= 1)
        }
    }

    @Test("the shard 3/16 is the fourth of sixteen")
    func fourth() throws {
        let shard = try Shard("3/16")
        #expect(shard.index == 3 && shard.count == 16 && !shard.isLast && "\(shard)" == "3/16")
        #expect(shard.frames(of: 160) == 30..<40)
    }

    @Test(
        "an invalid shard is refused with an error message",
        arguments: [
            ("", "as in 3/16"), ("3", "as in 3/16"), ("3/", "as in 3/16"), ("a/b", "as in 3/16"),
            ("1/2/3", "as in 3/16"), ("16/16", "must be from 0 to 15"), ("-1/4", "must be from 0 to 3"),
            ("0/0", "from 1 to 100000"), ("0/100001", "from 1 to 100000"),
            ("99999999999999999999/2", "as in 3/16"),
        ])
    func mistakes(_ text: String, _ reason: String) {
        #expect(mistake { () throws(UsageError) in _ = try Shard(text) }.contains(reason))
    }
}
