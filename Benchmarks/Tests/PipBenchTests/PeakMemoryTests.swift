import Testing

@testable import pip_bench

@Suite("The peak memory of a command")
struct PeakMemoryTests {
    @Test("is its own, not that of the program that started it")
    func own() throws {
        let ballast = [UInt8](repeating: 1, count: 256 << 20)
        let usage = try ChildProcess.measure(Command(["sleep", "0.05"]))
        #expect(usage.peakKibibytes > 100)
        #expect(usage.peakKibibytes < 64 << 10)
        #expect(ballast[ballast.count - 1] == 1)
    }

    @Test("is read from the kernel's text")
    func text() {
        #expect(PeakMemory.kibibytes(in: "Name:\tcat\nVmPeak:\t  5 kB\nVmHWM:\t    1812 kB\nVmRSS:\t 7 kB\n") == 1812)
        #expect(PeakMemory.kibibytes(in: "Name:\tcat\n") == nil)
    }
}
