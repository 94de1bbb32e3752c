#if Media
import Foundation
import PipCompose
import PipMedia
import PipPatterns
import PipTestSupport
import Testing

extension CameraLab {
    @Suite("Recordings on a full disk, and with a clock that is set", .inVirtualTime)
    struct RecordingFaultTests {
        /// Two megabytes in ten seconds: each picture is a key frame.
        private static let encoding = VideoEncoding(.h264, rate: .bits(4_000_000), keyFrameInterval: .zero)

        /// The number of pictures of a movie that a program which is not ours decodes.
        private func frames(in path: String) throws -> Int {
            let said = try runProgram([
                "ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                "stream=nb_read_frames", "-of", "csv=p=0", path,
            ])
            return Int(said.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        }

        private func bytes(_ folder: String, _ prefix: String) throws -> Int {
            try names(folder, prefix).reduce(0) { total, name in
                try total + Data(contentsOf: URL(filePath: "\(folder)/\(name)")).count
            }
        }

        private func names(_ folder: String, _ prefix: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(prefix) }.sorted()
        }

        /// Writes a locked recording and what belongs to others, which leave less than the recordings may have.
        ///
        /// - Returns: The bytes of the locked recording.
        private func fill(_ folder: String) throws -> Data {
            let old = Data((0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try FileManager.default.createDirectory(atPath: "\(folder)/locked", withIntermediateDirectories: true)
            try old.write(to: URL(filePath: "\(folder)/locked/old.mp4"))
            try Data(count: 4_000_000).write(to: URL(filePath: "\(folder)/ballast"))
            return old
        }

        @Test("row 82: on a disk full of locked clips, recordings delete their own oldest files and lose no frame")
        func locked() async throws {
            try await Disk.withMemory(megabytes: 12) { folder in
                let old = try fill(folder)
                let picture = PatternSource(.scene, size: PixelSize(320, 180))
                let drive =
                    picture
                    --> MovieFile(
                        "\(folder)/drive-%03d.mp4", encoding: Self.encoding, segments: .duration(.seconds(1)),
                        keep: .bytes(50_000_000))
                let window = ClipWindow(before: .seconds(1), after: .seconds(1), locked: 4_000_000)
                let clips =
                    picture
                    --> MovieFile(
                        "\(folder)/clip-%03d.mp4", encoding: Self.encoding, clips: window, keep: .bytes(1_000_000))
                let tap = FrameTap(.i420, buffering: .newest(4))
                picture --> tap
                let run = try await SessionRun.watching(picture, tap, frames: 600) { number, _, session in
                    if number % 100 == 50 { session.mark("door") }
                }
                #expect(try Data(contentsOf: URL(filePath: "\(folder)/locked/old.mp4")) == old)
                #expect(try names("\(folder)/locked", "") == ["old.mp4"])
                let events = run.events.map(\.description)
                #expect(events.count { $0.contains("is not locked: locked recordings have 4 MB, of 4 MB") } == 6)
                #expect(
                    events.count { $0.contains("drive-%03d.mp4") && $0.contains("deleted earlier") } == 1, "\(events)")
                for output in [drive.statistics, clips.statistics] {
                    #expect(output.error == nil && output.drops.total == 0, "\(output)")
                }
                #expect(drive.statistics.written == run.statistics.output.frames)
                let kept = try names(folder, "drive-")
                #expect(kept.count < 18 && kept.contains("drive-019.mp4"), "\(kept)")
                for name in kept.dropLast() { #expect(try frames(in: "\(folder)/\(name)") == 30, "\(name)") }
                #expect(try names(folder, "clip-").last == "clip-006.mp4", "\(events)")
                #expect(try frames(in: "\(folder)/clip-006.mp4") == 60)
                let (driven, clipped) = (try bytes(folder, "drive-"), try bytes(folder, "clip-"))
                FaultReport.record(
                    row: 82,
                    figures: "tmpfs of 12 MB: \(driven / 1000) kB of parts and \(clipped / 1000) kB of clips beside "
                        + "4 MB of locks, \(run.statistics.output.frames) frames without a gap")
            }
        }

        @Test("files of 1970 get names and dates of the present when the machine's clock is set, in the same order")
        func clock() async throws {
            let folder = try TemporaryFolder()
            let start = Date()
            let back = Int(start.timeIntervalSince1970) - 5 * 86_400
            try WallClock.set(by: -back)
            var isBack = true
            defer { if isBack { try? WallClock.set(by: back) } }
            let picture = PatternSource(.scene, size: PixelSize(320, 180))
            let output =
                picture
                --> MovieFile(
                    folder.path("drive-%Y-%03d.mp4"), encoding: Self.encoding, segments: .duration(.seconds(1)))
            let tap = FrameTap(.i420, buffering: .newest(4))
            picture --> tap
            let run = try await SessionRun.watching(picture, tap, frames: 180) { number, _, _ in
                if number == 100 {
                    #expect(try folder.names.contains("drive-1970-001.mp4"))
                    try WallClock.set(by: back)
                    isBack = false
                }
            }
            #expect(output.statistics.drops.total == 0 && run.statistics.output.missed <= 4)
            let year = Calendar(identifier: .gregorian).component(.year, from: start)
            let names = try folder.names.sorted()
            #expect(names.prefix(6) == (1...6).map { "drive-\(year)-00\($0).mp4" }[...], "\(names)")
            #expect(try names.prefix(5).map { try frames(in: folder.path($0)) } == [30, 30, 30, 30, 30])
            for name in names {
                let said = try runProgram([
                    "ffprobe", "-v", "error", "-show_entries", "format_tags=creation_time", "-of", "csv=p=0",
                    folder.path(name),
                ])
                #expect(said.hasPrefix("\(year)-"), "\(name): \(said)")
            }
            #expect(run.events.contains { $0.description.contains("the clock was set forward by") })
        }
    }
}
#endif
