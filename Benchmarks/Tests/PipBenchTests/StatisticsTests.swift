import Testing

@testable import pip_bench

@Suite("What is made of measured numbers")
struct StatisticsTests {
    @Test(
        "the median is the middle value, or the mean of the middle two",
        arguments: [([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([7], 7)] as [([Double], Double)])
    func median(values: [Double], expected: Double) throws {
        let spread = try #require(Spread(values))
        #expect(spread.median == expected)
        #expect(spread.lowest == values.min() && spread.highest == values.max())
    }

    @Test("no values have no spread")
    func empty() { #expect(Spread([]) == nil) }

    @Test("points on a straight line give that line, with nothing left over")
    func exactLine() throws {
        let points = [1.0, 2, 4, 8].map { (x: $0, y: 0.5 + 3 * $0) }
        let line = try #require(Line(through: points))
        #expect(abs(line.offset - 0.5) < 1e-9)
        #expect(abs(line.slope - 3) < 1e-9)
        #expect(points.allSatisfy { abs(line.deviation(of: $0)) < 1e-9 })
    }

    @Test("a point that lies off tells how far, as a part of the line's value")
    func deviation() throws {
        let line = try #require(Line(through: [(x: 0, y: 1), (x: 10, y: 11)]))
        #expect(abs(line.deviation(of: (x: 4, y: 6)) - 0.2) < 1e-9)
    }

    @Test("one place has no line", arguments: [1, 3])
    func noLine(count: Int) {
        #expect(Line(through: Array(repeating: (x: 2.0, y: 1.0), count: count)) == nil)
    }

    @Test("a frame's cost is the difference of the runs over the difference of their frames")
    func difference() {
        let sample = RunLengths(short: 10, long: 110).sample(
            Usage(cpuSeconds: 0.5, wallSeconds: 1, memory: OwnMemory([1024])),
            Usage(cpuSeconds: 0.7, wallSeconds: 1.1, memory: OwnMemory([2048])))
        #expect(abs(sample.cpuMilliseconds - 2) < 1e-9)
        #expect(abs(sample.wallMilliseconds - 1) < 1e-9)
        #expect(sample.memory.peak == 2)
    }

    @Test("the quiet cost takes the least disturbed long and short run, from whatever turn")
    func quiet() throws {
        let lengths = RunLengths(short: 10, long: 110)
        let samples = [(0.5, 0.7), (0.4, 0.9)].map { short, long in
            Sample(
                cpuMilliseconds: 0, wallMilliseconds: 0, memory: OwnMemory([]), shortSeconds: short, longSeconds: long)
        }
        #expect(abs(try #require(lengths.quietCost(samples)) - 3) < 1e-9)
        #expect(lengths.quietCost([]) == nil)
    }

    @Test("runs are long enough to tell, and never endless", arguments: [(0.0, 3000), (0.5, 1000), (50, 10), (1e6, 8)])
    func lengths(millisecondsPerFrame: Double, difference: Int) {
        let lengths = RunLengths(millisecondsPerFrame: millisecondsPerFrame, seconds: 0.5)
        #expect(lengths.long - lengths.short == difference)
    }
}
