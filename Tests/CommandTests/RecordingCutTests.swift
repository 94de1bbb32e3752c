#if Media
import Foundation
import PipTestSupport
import Testing

/// Tests recordings whose writers are cut off at random points of recording, clips, locking, retention and deletion.
///
/// `PIP_CUTS=200` makes two hundred cuts of each kind.
@Suite("Recordings that are cut off", .serialized)
struct RecordingCutTests {
    private static func run(_ recordings: SurvivingRecordings, _ arguments: String...) async throws -> CommandProcess {
        try await CommandProcess(
            arguments, of: URL(filePath: "/usr/bin/env"), in: recordings.folder.url, seconds: 120)
    }

    @Test("after kill -9, what was locked is there and plays, and the list equals the files")
    func killed() async throws {
        var recordings = try SurvivingRecordings()
        let folder = recordings.folder.path("disk")
        try FileManager.default.createDirectory(atPath: folder + "/locked", withIntermediateDirectories: true)
        for (number, cut) in SurvivingRecordings.cuts(SurvivingRecordings.points).enumerated() {
            // The shell leads a group of processes of its own, which is killed as a whole.
            _ = try await Self.run(
                recordings, "-C", folder, "setsid", "--wait", "bash", "../work.sh", CommandProcess.program.path,
                recordings.folder.path("acknowledged"), "\(cut.delay)", "kill -KILL 0", cut.beginning)
            try await recordings.check("disk", after: "kill \(number), after \(cut.delay) s")
            recordings.report("kill -9", number)
        }
        #expect(!recordings.locked.isEmpty)
    }

    /// The guest's script: mounts the disk, works on it, and powers off without a shutdown.
    private static let guest = """
        set -e
        here=$PWD
        mkdir -p /run/disk
        mount -t ext4 "$(losetup --find --show disk.img)" /run/disk
        cd /run/disk
        # reboot(2), power off: nothing is written before.
        bash "$here/work.sh" "$1" "$here/acknowledged" "$2" "perl -e 'syscall(169, 0xfee1dead, 672274793, 0x4321fedc, 0)'" "$3"
        """

    @Test(
        "after a power cut, what was locked is there and plays, and the list equals the files",
        .enabled(if: Lab.isBuilt, "needs the camera lab: `make test` builds the lab"))
    func powerCuts() async throws {
        var recordings = try SurvivingRecordings()
        try recordings.folder.write(Array(Self.guest.utf8), to: "guest.sh")
        #expect(try await Self.run(recordings, "truncate", "--size=256M", "disk.img").status == 0)
        #expect(try await Self.run(recordings, "/sbin/mke2fs", "-q", "-t", "ext4", "disk.img").status == 0)
        #expect(try await Self.run(recordings, "/sbin/debugfs", "-w", "-R", "mkdir locked", "disk.img").status == 0)
        for (number, cut) in SurvivingRecordings.cuts(SurvivingRecordings.points).enumerated() {
            let point: Comment = "power cut \(number), after \(cut.delay) s"
            let machine = try await Self.run(
                recordings, "\(Lab.folder.path)/lab", "--module", "loop", "--module", "ext4", "--share", ".",
                "--timeout", "300", "--", "bash", "guest.sh", CommandProcess.program.path, "\(cut.delay)",
                cut.beginning)
            // The lab exits with 125 for a guest that ended without a shutdown.
            #expect(machine.status == 125, "\(point): \(machine.errors)")
            // The check replays the journal, as mounting does at the next boot.
            #expect(try await Self.run(recordings, "/sbin/e2fsck", "-fy", "disk.img").status <= 1, point)
            try? FileManager.default.removeItem(atPath: recordings.folder.path("disk"))
            try FileManager.default.createDirectory(
                atPath: recordings.folder.path("disk"), withIntermediateDirectories: false)
            let copied = try await Self.run(recordings, "/sbin/debugfs", "-R", "rdump / disk", "disk.img")
            #expect(copied.status == 0, point)
            try await recordings.check("disk", after: point)
            recordings.report("power cuts", number)
        }
        #expect(!recordings.locked.isEmpty)
    }
}
#endif
