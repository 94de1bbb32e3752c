import Foundation
import PipCompose
import PipPatterns
import PipTestSupport
import SystemPackage
import Testing

#if Media
import PipMedia
#endif

extension CameraLab {
    @Suite("Disks that are full, slow or broken")
    struct DiskTests {
        private static let size = PixelSize(320, 180)
        private static let frameBytes = 320 * 180 * 3 / 2
        private static let rate = FrameRate(30)

        @Test(
            "row 47: a full disk ends a file with a whole frame; it continues in another once there is room, and another output goes on"
        )
        func full() async throws {
            try await Disk.withMemory(megabytes: 12) { folder in
                let ballast = "\(folder)/ballast"
                try Data(count: 6_000_000).write(to: URL(filePath: ballast))
                let run = try await record(Y4MFile("\(folder)/out.y4m", onFull: .wait), frames: 140) { _, session in
                    if session.statistics.sinks[0].error != nil { try? FileManager.default.removeItem(atPath: ballast) }
                }
                let frames = try ["out.y4m", "out-2.y4m"].map { name in
                    let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
                    let header = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
                    #expect((bytes.count - header) % (Self.frameBytes + 6) == 0)
                    return (bytes.count - header) / (Self.frameBytes + 6)
                }
                let sink = run.statistics.sinks[0]
                #expect(frames.reduce(0, +) == sink.written)
                #expect(sink.error == nil && sink.drops[.disabled] > 0)
                #expect(run.diskEvents == ["paused", "resumed"])
                expectGoesOn(run)
                FaultReport.record(
                    row: 47,
                    figures: "tmpfs of 12 MB: \(frames[0]) + \(frames[1]) whole frames in two files, \(run.missed)")
            }
        }

        @Test("row 47: pictures that wait for room go on with the next number")
        func pictures() async throws {
            try await Disk.withMemory(megabytes: 7) { folder in
                let ballast = "\(folder)/ballast"
                try Data(count: 6_900_000).write(to: URL(filePath: ballast))
                let pictures = JPEGFiles("\(folder)/%04d.jpg", quality: 100, onFull: .wait)
                let run = try await record(pictures, frames: 180) { _, session in
                    if session.statistics.sinks[0].error != nil { try? FileManager.default.removeItem(atPath: ballast) }
                }
                let sink = run.statistics.sinks[0]
                #expect(run.diskEvents.prefix(2) == ["paused", "resumed"])
                let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jpg") }
                #expect(names.sorted() == (1...max(1, sink.written)).map { String(format: "%04d.jpg", $0) })
                #expect(sink.written > 20 && sink.drops[.disabled] > 0, "\(sink)")
                expectGoesOn(run)
            }
        }

        #if Media
        @Test("row 47: a movie on a disk that fills up plays up to there, and goes on in another file", .inVirtualTime)
        func movie() async throws {
            try await Disk.withMemory(megabytes: 8) { folder in
                let ballast = "\(folder)/ballast"
                try Data(count: 7_900_000).write(to: URL(filePath: ballast))
                let encoding = VideoEncoding(.h264, rate: .bits(4_000_000), keyFrameInterval: .zero)
                let movie = MovieFile("\(folder)/out.mp4", encoding: encoding, onFull: .wait)
                let run = try await record(movie, frames: 300) { _, session in
                    if session.statistics.sinks[0].error != nil { try? FileManager.default.removeItem(atPath: ballast) }
                }
                let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".mp4") }
                #expect(names.count == 2, "\(names)")
                var frames: [Int] = []
                for name in names.sorted() {
                    let said = try runProgram([
                        "ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of",
                        "csv=p=0", "\(folder)/\(name)",
                    ])
                    frames.append(Int(said.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0)
                }
                let sink = run.statistics.sinks[0]
                #expect(frames.filter { $0 < 5 }.isEmpty, "\(frames)")
                #expect(frames.reduce(0, +) == sink.written && sink.drops[.disabled] > 0, "\(frames) \(sink)")
                #expect(sink.error == nil)
                #expect(run.diskEvents == ["paused", "resumed"])
                expectGoesOn(run)
                FaultReport.record(
                    row: 47, figures: "a movie of all key frames on 8 MB: \(frames) frames in two files, \(run.missed)")
            }
        }
        #endif

        @Test("row 47: a full disk without a wish to wait ends that output only")
        func fullStop() async throws {
            try await Disk.withMemory(megabytes: 4) { folder in
                let run = try await record(RawFile("\(folder)/out.i420", format: .i420), frames: 90) { _, _ in }
                let sink = run.statistics.sinks[0]
                #expect(try size(of: "\(folder)/out.i420") == sink.written * Self.frameBytes)
                #expect(sink.error?.errno == .noSpace)
                #expect(run.diskEvents == ["failed"])
                expectGoesOn(run)
            }
        }

        @Test("row 48: a disk of 100 KB a second costs frames of its file, and no moment of the picture")
        func slow() async throws {
            try await Disk.withDisk(megabytes: 64) { disk in
                try Disk.limitWrites(bytes: 400_000)
                try disk.slowDown(4000)
                let run = try await record(RawFile("\(disk.folder)/out.i420", format: .i420), frames: 180) {
                    number, _ in
                    if number == 150 { try disk.heal() }
                }
                let sink = run.statistics.sinks[0]
                #expect(sink.drops[.late] > 60)
                #expect(sink.written + sink.drops.total == run.statistics.output.frames)
                expectGoesOn(run)
                FaultReport.record(
                    row: 48,
                    figures: "100 KB/s: \(sink.written) frames written, \(sink.drops[.late]) dropped; \(run.missed)")
            }
        }

        @Test("row 48: a disk that stands still for 10 s likewise, and the file is whole")
        func standstill() async throws {
            try await Disk.withDisk(megabytes: 64) { disk in
                try Disk.limitWrites(bytes: 400_000)
                let run = try await record(RawFile("\(disk.folder)/out.i420", format: .i420), frames: 390) {
                    number, _ in
                    if number == 30 { try disk.stall() }
                    if number == 330 { try disk.resume() }
                }
                let sink = run.statistics.sinks[0]
                #expect(sink.drops[.late] > 150)
                #expect(try size(of: "\(disk.folder)/out.i420") == sink.written * Self.frameBytes)
                #expect(sink.error == nil)
                expectGoesOn(run)
                FaultReport.record(row: 48, figures: "10 s of standstill: \(sink.drops[.late]) dropped, \(run.missed)")
            }
        }

        @Test("row 49: a disk that fails is one event; the file goes on in another when it works again")
        func broken() async throws {
            try await Disk.withDisk(megabytes: 64) { disk in
                let file = RawFile("\(disk.folder)/out.i420", format: .i420, onFull: .wait)
                let run = try await record(file, frames: 450) { number, _ in
                    if number == 30 { try disk.fail() }
                    if number == 150 { try disk.heal() }
                }
                #expect(run.diskEvents == ["paused", "resumed"])
                let sink = run.statistics.sinks[0]
                #expect(sink.error == nil && sink.drops[.disabled] > 60)
                #expect(try size(of: "\(disk.folder)/out-2.i420") % Self.frameBytes == 0)
                expectGoesOn(run)
                FaultReport.record(
                    row: 49,
                    figures: "4 s of failing: one event, \(sink.drops[.disabled]) frames left out, \(run.missed)")
            }
        }

        @Test("row 49: a disk that fails for good ends its output with one error, and nothing else")
        func pulled() async throws {
            try await Disk.withDisk(megabytes: 64) { disk in
                let run = try await record(RawFile("\(disk.folder)/out.i420", format: .i420), frames: 150) {
                    number, _ in
                    if number == 30 { try disk.fail() }
                }
                #expect(run.diskEvents == ["failed"])
                #expect(run.statistics.sinks[0].error?.errno == .ioError)
                expectGoesOn(run)
            }
        }

        @Test(
            "row 49: a disk that becomes read-only under a running session is one event; it goes on when it may be written again"
        )
        func readOnly() async throws {
            try await Disk.withDisk(megabytes: 64) { disk in
                let pictures = JPEGFiles("\(disk.folder)/%04d.jpg", onFull: .wait)
                let run = try await record(pictures, frames: 450) { number, _ in
                    if number == 30 { try disk.makeReadOnly() }
                    if number == 120 { try disk.makeWritable() }
                }
                let sink = run.statistics.sinks[0]
                #expect(run.diskEvents == ["paused", "resumed"])
                let reasons = run.events.compactMap { if case .sinkPaused(let error) = $0 { error.errno } else { nil } }
                #expect(reasons == [.readOnlyFileSystem])
                #expect(sink.error == nil && sink.drops[.disabled] >= 60)
                let names = try FileManager.default.contentsOfDirectory(atPath: disk.folder).filter {
                    $0.hasSuffix(".jpg")
                }
                #expect(names.count == sink.written)
                expectGoesOn(run)
                FaultReport.record(
                    row: 49,
                    figures:
                        "3 s of a read-only disk: one event, \(sink.drops[.disabled]) pictures left out, \(run.missed)")
            }
        }

        /// Records a moving picture to a file and a tap, and calls `act` at each frame.
        private func record(
            _ file: some Sink, frames: Int, _ act: (Int, Session) throws -> Void
        ) async throws -> SessionRun {
            let picture = PatternSource(.ramp, size: Self.size, frameRate: Self.rate)
            picture --> file
            let tap = FrameTap(.i420, buffering: .newest(4))
            picture --> tap
            return try await SessionRun.watching(picture, tap, frames: frames, toleratesSinks: true) {
                number, _, session in
                try act(number, session)
            }
        }

        /// Expects that the output missed at most four frames, except while the host did not run the guest.
        private func expectGoesOn(_ run: SessionRun) {
            #expect(run.statistics.output.missed <= 4 + Int(run.stalled.inSeconds * 30), "\(run.statistics.output)")
        }

        private func size(of path: String) throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? -1
        }
    }
}

extension SessionRun {
    /// The events about the disks of sinks, one word each.
    fileprivate var diskEvents: [String] {
        events.compactMap { event in
            switch event {
            case .sinkPaused: "paused"
            case .sinkResumed: "resumed"
            case .sinkFailed: "failed"
            default: nil
            }
        }
    }

    /// The number of missed output frames, for the report.
    fileprivate var missed: String { "\(statistics.output.missed) of \(statistics.output.frames) moments missed" }
}
