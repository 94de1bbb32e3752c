import Testing

@testable import pip_bench

@Suite("Counts of instructions")
struct InstructionTests {
    private static let earlier = InstructionTable(
        conditions: "a frame by CPU (AVX2)", counts: [("W1", 1000), ("W2", 1000), ("W3", 1000), ("W4", 1000)])

    @Test("a table is read as it is written")
    func text() throws {
        #expect(Self.earlier.text.hasPrefix("# a frame by CPU (AVX2)\nW1\t1000\n"))
        #expect(try InstructionTable(Self.earlier.text) == Self.earlier)
    }

    @Test("text that is no table is refused", arguments: ["", "W1\t1\n", "# a\nW1\n", "# a\nW1\t-1\n", "# a\nW1\tx\n"])
    func refused(_ text: String) { #expect(throws: ArgumentError.self) { try InstructionTable(text) } }

    @Test("changes of more than 2 % are told, and more than 5 % are too dear; a new workload is no change")
    func changes() {
        let now = InstructionTable(
            conditions: "", counts: [("W1", 1020), ("W2", 1050), ("W3", 1051), ("W4", 900), ("W9", 5)])
        let changes = now.changes(since: Self.earlier)
        #expect(changes.map(\.id) == ["W2", "W3", "W4"])
        #expect(changes.map(\.isTooDear) == [false, true, false])
    }

    @Test("the count is read from the logs of both generations of Cachegrind")
    func log() {
        #expect(InstructionBench.count(in: "==5== Cachegrind\n==5== \n==5== I   refs:      83,085,830\n") == 83_085_830)
        #expect(InstructionBench.count(in: "==5== \n==5== I refs:        1,234\n") == 1234)
        #expect(InstructionBench.count(in: "==5== Valgrind: I can't recover.\n") == nil)
    }

    @Test("every counted workload is one of the benchmark's, and needs no codec")
    func workloads() {
        let counted = Fixture.workloads.filter { InstructionBench.workloads.contains($0.id) }
        #expect(counted.count == InstructionBench.workloads.count)
        #expect(counted.allSatisfy { !$0.isMotionJPEG && $0.ours.recording == nil })
    }

    @Test("an option that is unknown or without a value is refused", arguments: [["--folder"], ["W1"], ["--recrd"]])
    func options(_ words: [String]) { #expect(throws: ArgumentError.self) { try InstructionArguments(words) } }
}
