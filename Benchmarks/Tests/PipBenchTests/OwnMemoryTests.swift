import Testing

@testable import pip_bench

@Suite("The memory of a command")
struct OwnMemoryTests {
    @Test("is its own, not that of the program that started it")
    func own() throws {
        let ballast = [UInt8](repeating: 1, count: 256 << 20)
        let usage = try ChildProcess.measure(Command(["sleep", "0.05"]))
        #expect(usage.memory.peak > 0.05)
        #expect(usage.memory.peak < 64)
        #expect(ballast[ballast.count - 1] == 1)
    }

    @Test("is the largest and the middle one of the readings")
    func readings() {
        let memory = OwnMemory([2048, 4096, 1024, 4096, 3072])
        #expect(memory.peak == 4)
        #expect(memory.steady == 3)
        #expect(OwnMemory([]).peak == 0)
    }

    @Test("is read from the kernel's text, without the pages of files")
    func text() {
        let status = "Name:\tcat\nVmHWM:\t    1812 kB\nRssAnon:\t  120 kB\nRssFile:\t 900 kB\nRssShmem:\t 7 kB\n"
        #expect(OwnMemory.kibibytes(in: status) == 127)
        #expect(OwnMemory.kibibytes(in: "Name:\tcat\n") == nil)
    }
}
