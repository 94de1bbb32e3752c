#if Media
import Foundation
import PipCompose
import PipTestSupport
import Testing

/// The camera lab in this checkout.
enum Lab {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Lab")
        .standardizedFileURL
    /// True if the lab's kernel and guest image exist on this machine.
    static let isBuilt: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", ". \"$0/paths.sh\"; [ \"$(find_kernel)\" ] && [ \"$(find_guest)\" ]", folder.path]
        try? process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}

/// Tests recordings in a guest of the camera lab that loses power.
///
/// The guest's disk is a file of this machine. Data that the guest has not flushed is lost with the guest's memory, as
/// with a real disk's cache.
@Suite("A power cut", .serialized, .enabled(if: Lab.isBuilt, "needs the camera lab: `make test` builds the lab"))
struct PowerCutTests {
    /// The guest's script: it records segments of two seconds onto the disk, then powers off without a shutdown.
    private static let guest = """
        set -e
        mkdir -p /run/disk
        mount -t ext4 "$(losetup --find --show disk.img)" /run/disk
        "$1" --quiet --main 'pattern:scene?size=320x180' --output "/run/disk/part-%03d.$2?segment=2s" \
            --output /run/disk/whole.y4m --output /run/disk/whole.i420 --output /run/frames.i420 &
        sleep "$3"
        echo $(($(stat --format=%s /run/frames.i420) / 86400)) >composed
        sync composed
        # reboot(2), power off: nothing is written before.
        perl -e 'syscall(169, 0xfee1dead, 672274793, 0x4321fedc, 0)'
        """

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ program: String, _ arguments: String...) async throws -> CommandProcess {
        try await CommandProcess([program] + arguments, of: URL(filePath: "/usr/bin/env"), in: folder.url, seconds: 120)
    }

    /// The number of frames that FFmpeg decodes from a file; 0 for a file that does not play.
    private func frames(_ name: String) async throws -> Int {
        let probe = try await run(
            "ffprobe", "-v", "quiet", "-select_streams", "v:0", "-count_frames", "-show_entries",
            "stream=nb_read_frames", "-of", "csv=p=0", "disk/\(name)")
        return Int(probe.text.prefix { $0.isNumber }) ?? 0
    }

    @Test(
        "row 51: at most a second of a recording is missing, and all earlier parts are whole",
        arguments: [("mp4", 7.3), ("mkv", 4.6), ("ts", 5.9)])
    func cut(_ ending: String, _ seconds: Double) async throws {
        #expect(try await run("truncate", "--size=256M", "disk.img").status == 0)
        #expect(try await run("/sbin/mke2fs", "-q", "-t", "ext4", "disk.img").status == 0)
        try Self.guest.write(to: folder.url.appending(path: "guest.sh"), atomically: true, encoding: .utf8)
        let program = CommandProcess.program.path
        let machine = try await run(
            "\(Lab.folder.path)/lab", "--virtual-time", "--module", "loop", "--module", "ext4", "--share", ".",
            "--timeout", "60", "--", "bash", "guest.sh", program, ending, "\(seconds)")
        // The lab exits with 125 for a guest that ended without a shutdown.
        #expect(machine.status == 125, "\(machine.errors)")
        let composed = try #require(
            Int(String(decoding: try folder.read("composed"), as: UTF8.self).trimmingCharacters(in: .newlines)))

        // The check replays the journal, as mounting does at the next boot.
        #expect(try await run("/sbin/e2fsck", "-fy", "disk.img").status <= 1)
        try FileManager.default.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: true)
        #expect(try await run("/sbin/debugfs", "-R", "rdump / disk", "disk.img").status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("disk"))
            .filter { $0.hasPrefix("part-") }.sorted()
        let lost = try FileManager.default.contentsOfDirectory(atPath: folder.path("disk/lost+found"))
        #expect(lost.isEmpty, "\(lost)")
        // A file without segments may lose data, but must keep its name.
        for name in ["whole.y4m", "whole.i420"] {
            #expect(FileManager.default.fileExists(atPath: folder.path("disk/\(name)")), "\(name)")
        }
        var counts: [Int] = []
        for name in names { counts.append(try await frames(name)) }
        #expect(counts.dropLast().filter { $0 != 60 }.isEmpty, "\(counts) of \(composed)")
        let kept = counts.reduce(0, +)
        #expect(kept >= composed - 30 && kept <= composed, "\(counts) of \(composed)")
        FaultReport.record(
            row: 51, figures: "\(ending): \(composed - kept) of \(composed) frames missing, at 30 a second", on: .lab)
    }
}
#endif
