import Testing

@testable import pip_bench

@Suite("The model of an archive in parts")
struct ShardModelTests {
    /// The costs of a model with round numbers, without a disk.
    private static let costs = ShardCosts(
        startSeconds: 1, seekSeconds: 0.5, secondsPerFrame: 0.01, readBytesPerPart: 0, readBytesPerFrame: 0,
        writtenBytesPerFrame: 0, fileBytesPerFrame: 1000, joinStartSeconds: 2, joinSecondsPerPart: 0.1,
        joinSecondsPerByte: 1e-6, joinBytesPerByte: 2)

    private func model(_ costs: ShardCosts = costs, frames: Int = 100_000, disk: Double = .infinity) -> ShardModel {
        ShardModel(costs: costs, frames: frames, diskBytesPerSecond: disk)
    }

    @Test("its stages are those of the costs", arguments: [(1, 0, 1000), (4, 0.5, 250), (3, 0.5, 333.34)])
    func stages(parts: Int, seek: Double, frames: Double) {
        let stages = model().stages(parts: parts)
        #expect(stages.start == 1 && stages.seek == seek && stages.disk == 0)
        #expect(abs(stages.frames - frames) < 1e-6)
        #expect(abs(stages.join - (2 + 0.1 * Double(parts) + 100)) < 1e-6)
        #expect(abs(stages.total - (1 + seek + frames + 102 + 0.1 * Double(parts))) < 1e-6)
    }

    @Test("the largest part counts: one frame more than parts takes as long as two frames")
    func largest() {
        #expect(abs(model(frames: 9).stages(parts: 8).frames - 0.02) < 1e-9)
        #expect(abs(model(frames: 8).stages(parts: 8).frames - 0.01) < 1e-9)
    }

    @Test("in one go there is nothing to be sought or joined")
    func whole() { #expect(abs(model().wholeSeconds - 1001) < 1e-6) }

    @Test("the disk carries what parts read at their start, all frames, and what is joined")
    func disk() {
        var costs = Self.costs
        costs.readBytesPerPart = 1e6
        costs.readBytesPerFrame = 30
        costs.writtenBytesPerFrame = 20
        let model = model(costs, disk: 1e6)
        // 7 MB for the parts' starts, 5 MB for frames, and 200 MB for joining.
        #expect(abs(model.stages(parts: 7).disk - 212) < 1e-6)
        #expect(abs(model.wholeSeconds - (1001 + 1 + 5)) < 1e-6)
    }

    @Test(
        "it is fastest where another part costs join as much as it saves: at the root of the frames' time over a part's"
    )
    func fastest() {
        // The best number of parts is √(1000 s / 0.1 s): the time of all frames over the time of `join` for one part.
        let best = model().fastest(upTo: 1000)
        #expect(best.parts == 100)
        #expect(abs(best.stages.total - (1.5 + 10 + 2 + 10 + 100)) < 1e-6)
        #expect(abs(best.speedUp - 1001 / 123.5) < 1e-9)
        #expect(model().row(parts: 1000).stages.total > best.stages.total)
        #expect(model().fastest(upTo: 50).parts == 50)
    }

    @Test("half of what each would do alone is reached up to a number of parts, and not beyond")
    func half() throws {
        let row = try #require(model().most(upTo: 1000, efficiency: 0.5))
        let (at, beyond) = (model().row(parts: row.parts), model().row(parts: row.parts + 1))
        #expect(at.speedUp >= 0.5 * Double(row.parts) && beyond.speedUp < 0.5 * Double(beyond.parts))
        #expect(model().most(upTo: 1000, efficiency: 1) == nil)
    }
}
