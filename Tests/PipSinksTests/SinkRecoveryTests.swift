import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipSinks

@Suite("A sink whose disk is full or fails")
struct SinkRecoveryTests {
    private let layout = FrameLayout(.gray, PixelSize(2, 1))
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The outcome of writing some frames.
    private struct Outcome {
        var events: [SinkEvent]
        var errors: [SinkError]
        var statistics: OutputStatistics
    }

    /// Writes frames 0 to 9 to a file on a disk that fails at the frames in `numbers`.
    private func run(
        failingAt numbers: Set<UInt64>, _ reason: Errno = .noSpace, policy: QueuePolicy = .dropNewest,
        reserve: DiskReserve = .eager, room: @escaping @Sendable () -> DiskRoom? = { nil }
    ) throws -> Outcome {
        let path = folder.path("out.gray")
        let disk = FailingDisk(numbers, reason)
        var recovery = SinkRecovery(path: path, reserve: reserve) { path, interruption in
            FailingWriter(path, disk, interruption)
        }
        recovery.room = room
        let (events, errors) = (Monitor<[SinkEvent]>([]), Monitor<[SinkError]>([]))
        let runner = try SinkRunner(
            FailingWriter(path, disk, Interruption()), info: FrameInfo(layout: layout, colorimetry: .bt709),
            rate: FrameRate(30), capacity: 10, policy: policy, recovery: recovery,
            onEvent: { event in events.update { $0.append(event) } },
            onError: { error in errors.update { $0.append(error) } })
        for number in 0..<10 { runner.submit(makeFrame(layout, from: UInt8(number), sequence: UInt64(number))) }
        #expect(runner.finish(by: MonotonicClock().now.advanced(by: .seconds(20))))
        return Outcome(events: events.read { $0 }, errors: errors.read { $0 }, statistics: runner.statistics)
    }

    @Test("row 47: continues in a numbered file once there is space, and counts the frames left out")
    func resumes() throws {
        let looks = Monitor(0)
        let outcome = try run(failingAt: [3]) {
            let look = looks.update { count in
                count += 1
                return count
            }
            return DiskRoom(free: look > 2 ? 300_000_000 : 100_000_000, capacity: 10_000_000_000)
        }
        #expect(try folder.names == ["out-2.gray", "out.gray"])
        #expect(try folder.read("out.gray") == [0, 1, 1, 2, 2, 3])
        // The failed frame is retried at once, and then dropped together with the next frame.
        #expect(try folder.read("out-2.gray") == (5..<10).flatMap { [$0, $0 + 1] })
        #expect(outcome.events.count == 2)
        #expect(
            outcome.events.last == .resumed(sink: folder.path("out.gray"), path: folder.path("out-2.gray"), leftOut: 2))
        #expect(outcome.errors.isEmpty)
        #expect(outcome.statistics.written == 8 && outcome.statistics.drops[.disabled] == 2)
        #expect(outcome.statistics.error == nil)
        FaultReport.record(row: 47, figures: "2 of 10 frames left out, 8 whole in two files")
    }

    @Test("row 47: leaves no frame out under a policy without losses, but waits")
    func waits() throws {
        let looks = Monitor(0)
        let outcome = try run(failingAt: [3], policy: .block) {
            let look = looks.update { count in
                count += 1
                return count
            }
            return DiskRoom(free: look > 50 ? 300_000_000 : 0, capacity: 10_000_000_000)
        }
        #expect(outcome.statistics.written == 10 && outcome.statistics.drops.total == 0)
        #expect(try folder.read("out-2.gray").first == 3)
    }

    @Test("row 49: retries a disk that failed, each time in a new file, and leaves no file without a frame")
    func broken() throws {
        let outcome = try run(failingAt: [3, 4, 5, 8], .ioError)
        #expect(try folder.names == ["out-2.gray", "out-3.gray", "out.gray"])
        #expect(try folder.read("out-2.gray").first == 6)
        #expect(try folder.read("out-3.gray").first == 9)
        #expect(outcome.events.count == 4)
        #expect(outcome.statistics.written == 6 && outcome.statistics.drops[.disabled] == 4)
    }

    @Test("row 49: a disk that never works again is one event and, at the end, one error")
    func deadDisk() throws {
        let outcome = try run(failingAt: Set(3..<10), .ioError)
        #expect(outcome.events.count == 1)
        #expect(outcome.errors.map(\.errno) == [.ioError])
        #expect(outcome.statistics.error?.errno == .ioError)
        #expect(try folder.names == ["out.gray"])
        FaultReport.record(row: 49, figures: "7 failed frames: one event, one error")
    }

    @Test("row 47: other errors end the sink, whatever its policy")
    func otherErrors() throws {
        let outcome = try run(failingAt: [3], .badAddress)
        #expect(outcome.events.isEmpty)
        #expect(outcome.errors.count == 1)
        #expect(outcome.statistics.drops[.disabled] == 7)
    }

    @Test("row 50: a file of an earlier run is not overwritten by a later part")
    func keepsOthers() throws {
        try folder.write([7], to: "out-2.gray")
        _ = try run(failingAt: [3])
        #expect(try folder.read("out-2.gray") == [7])
        #expect(try folder.read("out-3.gray").first == 3)
    }

    @Test("row 47: some space is kept free for others: a file ends before the disk is full")
    func reserve() throws {
        var reserve = DiskReserve()
        // The reserve is the whole disk.
        (reserve.stopBelow, reserve.stopDivisor) = (.max, 1)
        let writer = RawWriter(.path(folder.path("out")), request: SinkRequest(format: .gray), reserve: reserve)
        try writer.open(FrameInfo(layout: layout, colorimetry: .bt709), rate: FrameRate(30))
        let error = #expect(throws: SinkError.self) { try writer.write(makeFrame(layout)) }
        #expect(error?.isDiskFull == true)
    }

    @Test("row 47: a twentieth of a small disk is kept free, 50 MB of a large one; a fifth or 200 MB let a file begin")
    func thresholds() {
        let reserve = DiskReserve()
        let (small, large) = (100_000_000, 1_000_000_000_000)
        #expect(reserve.kept(of: DiskRoom(free: 0, capacity: small)) == 5_000_000)
        #expect(reserve.kept(of: DiskRoom(free: 0, capacity: large)) == 50_000_000)
        #expect(reserve.keptText(of: DiskRoom(free: 0, capacity: large)) == "50 MB")
        #expect(reserve.keptText(of: DiskRoom(free: 0, capacity: 10_000_000)) == "500 kB")
        #expect(!reserve.mayResume(in: DiskRoom(free: 19_999_999, capacity: small)))
        #expect(reserve.mayResume(in: DiskRoom(free: 20_000_000, capacity: small)))
        #expect(!reserve.mayResume(in: DiskRoom(free: 199_999_999, capacity: large)))
        #expect(reserve.mayResume(in: DiskRoom(free: 200_000_000, capacity: large)))
    }

    @Test(
        "files get their number before the extension",
        arguments: [("a/out.y4m", "a/out-2.y4m"), ("out", "out-2"), ("/x.y/z", "/x.y/z-2")])
    func names(_ path: String, _ next: String) {
        let recovery = SinkRecovery(path: path) { path, _ in NullWriter(name: path) }
        #expect(recovery.path(numbered: 2) == next)
    }
}

extension DiskReserve {
    /// A reserve without delays: the sink checks the space and retries at every frame.
    fileprivate static var eager: DiskReserve {
        var reserve = DiskReserve()
        reserve.roomInterval = .zero
        reserve.retryInterval = .zero
        return reserve
    }
}

/// A disk that fails at given frames.
private final class FailingDisk: Sendable {
    private let numbers: Monitor<Set<UInt64>>
    let reason: Errno

    init(_ numbers: Set<UInt64>, _ reason: Errno) {
        self.numbers = Monitor(numbers)
        self.reason = reason
    }

    /// True if writing the frame fails; on a full disk, only the first attempt fails.
    func fails(at number: UInt64) -> Bool {
        numbers.update { reason == .noSpace ? $0.remove(number) != nil : $0.contains(number) }
    }
}

/// A raw file on a disk that fails.
private final class FailingWriter: FrameWriter {
    private let file: RawWriter
    private let disk: FailingDisk

    init(_ path: String, _ disk: FailingDisk, _ interruption: Interruption) {
        file = RawWriter(.path(path), request: SinkRequest(format: .gray), interruption: interruption)
        self.disk = disk
    }

    var name: String { file.name }
    var request: SinkRequest { file.request }
    var interruption: Interruption { file.interruption }

    func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError) { try file.open(info, rate: rate) }

    func write(_ frame: Frame) throws(SinkError) {
        if disk.fails(at: frame.info.sequence) {
            throw SinkError(name, "write", .failed, "made to fail", errno: disk.reason)
        }
        try file.write(frame)
    }

    func finish() throws(SinkError) { try file.finish() }
}
