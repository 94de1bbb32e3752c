import Foundation
import PipTestSupport
import Testing

/// Slurm's daemons on the loopback interface, with one node of four processors.
private final class SlurmCluster: Sendable {
    let folder: TemporaryFolder
    private let environment: [String: String]

    init() async throws {
        folder = try TemporaryFolder()
        environment = [
            "SLURM_CONF": folder.path("slurm.conf"), "PIP_COMPOSE": folder.path("program"),
            "PIP_COMPOSE_BUILT": Place.program.path,
        ]
        let host = try await Tool(["hostname", "-s"]).said.trimmingCharacters(in: .whitespacesAndNewlines)
        let port = Int.random(in: 20_000...55_000)
        try folder.write((0..<1024).map { _ in UInt8.random(in: 0...255) }, to: "munge.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: folder.path("munge.key"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        for name in ["state", "spool"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
        try folder.write(Array(configuration(host: host, port: port).utf8), to: "slurm.conf")
        try await run([
            "munged", "--force", "--key-file=\(folder.path("munge.key"))", "--socket=\(folder.path("munge.socket"))",
            "--pid-file=\(folder.path("munge.pid"))", "--log-file=\(folder.path("munge.log"))",
            "--seed-file=\(folder.path("munge.seed"))",
        ])
        try await run(["slurmctld"])
        try await run(["slurmd"])
    }

    /// The contents of `slurm.conf`.
    private func configuration(host: String, port: Int) -> String {
        """
        ClusterName=test
        SlurmctldHost=\(host)(127.0.0.1)
        SlurmctldPort=\(port)
        SlurmdPort=\(port + 1)
        AuthType=auth/munge
        AuthInfo=socket=\(folder.path("munge.socket"))
        SlurmUser=root
        SlurmdUser=root
        StateSaveLocation=\(folder.path("state"))
        SlurmdSpoolDir=\(folder.path("spool"))
        SlurmctldPidFile=\(folder.path("slurmctld.pid"))
        SlurmdPidFile=\(folder.path("slurmd.pid"))
        SlurmctldLogFile=\(folder.path("slurmctld.log"))
        SlurmdLogFile=\(folder.path("slurmd.log"))
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        SwitchType=switch/none
        MpiDefault=none
        SelectType=select/cons_tres
        SelectTypeParameters=CR_Core
        SlurmdParameters=config_overrides
        MinJobAge=3600
        JobRequeue=1
        JobCompType=jobcomp/none
        AccountingStorageType=accounting_storage/none
        JobAcctGatherType=jobacct_gather/none
        NodeName=\(host) NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
        PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP

        """
    }

    /// Runs a program with the cluster's configuration, and requires exit status 0.
    @discardableResult
    func run(_ words: [String]) async throws -> String {
        // The daemons keep inherited descriptors open, so the daemons must inherit neither the output nor the
        // descriptor with which Foundation notices the program's end.
        let closing = "for file in /proc/$$/fd/*; do n=${file##*/}; if ((n > 2)); then eval \"exec $n>&-\"; fi; done"
        let quoted = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        let run = try await Tool(
            ["bash", "-c", "\(closing); \(quoted) >said 2>&1; status=$?; cat said; exit $status"], in: folder.url,
            environment: environment)
        try #require(run.status == 0, "\(words[0]): \(run.said)")
        return run.said
    }

    /// Runs a program until its output meets a condition, and records an issue after 1200 runs, 0.1 s apart.
    func wait(for words: [String], until condition: (String) throws -> Bool) async throws {
        for _ in 0..<1200 {
            if try condition(try await run(words)) { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("\(words.joined(separator: " ")): \(try await run(words))")
    }

    /// Ends the daemons.
    ///
    /// The caller must call this function once.
    func end() async {
        _ = try? await run(["scontrol", "shutdown"])
        for name in ["slurmctld", "slurmd", "munge"] {
            guard let text = try? folder.read("\(name).pid"),
                let identifier = Int32(
                    String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
            else { continue }
            kill(identifier, SIGKILL)
        }
    }
}

/// A composition to divide into parts: 240 frames of patterns, or recordings of `PIP_ARCHIVE_HOURS` hours.
private struct Archive {
    static let hours = ProcessInfo.processInfo.environment["PIP_ARCHIVE_HOURS"].flatMap { Double($0) }
    static var isLong: Bool { hours != nil }

    /// The arguments that select the sources.
    let sources: [String]
    /// The arguments that limit the length; empty for recordings, which end by themselves.
    let end: [String]
    /// The arguments that make a part run until the test kills it; empty for recordings, which are long enough.
    let goOn: String
    let frames: Int
    let parts: Int

    /// Prepares the sources, and makes recordings if necessary.
    ///
    /// - Parameter folder: The folder for the recordings.
    /// - Throws: An error if FFmpeg cannot make the recordings.
    init(in folder: TemporaryFolder) async throws {
        guard let hours = Self.hours else {
            sources = ["--main", "pattern:scene?size=160x96", "--inset", "pattern:scene?size=80x48&seed=1"]
            (end, goOn, frames, parts) = (["--frames", "240"], "--frames 1000000000", 240, 6)
            return
        }
        let seconds = Int(hours * 3600)
        for (name, picture) in [("road.mkv", "testsrc2=size=320x180"), ("driver.mkv", "testsrc=size=160x96")] {
            let made = try await Tool(
                ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "\(picture):rate=25:duration=\(seconds)"]
                    + ["-vf", "format=yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-g", "100", name],
                in: folder.url)
            try #require(made.status == 0, "\(made.said)")
        }
        sources = ["--main", "road.mkv", "--inset", "driver.mkv", "--size", "320x180"]
        (end, goOn, frames, parts) = ([], "", seconds * 25, 16)
    }

    var picture: [String] { sources + ["--effect", "main:sepia", "--quiet"] }
}

@Suite("Parts on several machines", .serialized, .timeLimit(.minutes(Archive.isLong ? 180 : 5)))
struct ShardJobTests {
    /// The checksums of all decoded frames.
    private func pictures(_ name: String, in folder: TemporaryFolder) async throws -> [Substring] {
        let said = try await Tool(["ffmpeg", "-v", "error", "-i", name, "-f", "framemd5", "-"], in: folder.url).said
        return said.split(separator: "\n").filter { !$0.hasPrefix("#") }
    }

    private func composeOnce(_ archive: Archive, in folder: TemporaryFolder) async throws -> [Substring] {
        let once = try await Tool(
            [Place.program.path] + archive.picture + archive.end + [
                "--fps", "max", "--output", "once.mkv?codec=mjpeg",
            ], in: folder.url)
        try #require(once.status == 0, "\(once.said)")
        return try await pictures("once.mkv", in: folder)
    }

    @Test(
        "Slurm repeats killed parts, and the joined parts are bit-identical to a composition in one piece",
        .needs("slurmctld", "slurmd", "sbatch", "munged"))
    func slurm() async throws {
        let cluster = try await SlurmCluster()
        do {
            try await compose(try await Archive(in: cluster.folder), on: cluster)
        } catch {
            await cluster.end()
            throw error
        }
        await cluster.end()
    }

    /// The script that Slurm runs instead of the program.
    ///
    /// The script kills parts 1 and 4 in their first try, once they have written data.
    private static func program(for archive: Archive) -> String {
        """
        #!/bin/bash
        if [[ $SLURM_ARRAY_TASK_ID =~ ^[14]$ ]] && ! [ -e "killed-$SLURM_ARRAY_TASK_ID" ]; then
            touch "killed-$SLURM_ARRAY_TASK_ID"
            "$PIP_COMPOSE_BUILT" "$@" \(archive.goOn) &
            until [ -s ".unfinished-part-0000$SLURM_ARRAY_TASK_ID.mkv" ]; do sleep 0.05; done
            kill -KILL $!
            wait $!
            exit
        fi
        exec "$PIP_COMPOSE_BUILT" "$@" \(archive.end.joined(separator: " "))
        """
    }

    /// Looks at the parts of a job until all have ended, at most 1200 times, or 36,000 times with long recordings.
    ///
    /// - Returns: The last states of the parts, and the parts whose retry was brought forward.
    private func wait(
        for job: String, parts: Int, on cluster: SlurmCluster
    ) async throws -> (states: [Substring], hurried: Set<String>) {
        let states = ["squeue", "--noheader", "--array", "--states=all", "--format=%K %T %r"]
        var isHurried: Set<String> = []
        var lines: [Substring] = []
        for _ in 0..<(Archive.isLong ? 36_000 : 1200) {
            lines = try await cluster.run(states).split(separator: "\n")
            if lines.count == parts, lines.allSatisfy({ $0.contains(" COMPLETED ") || $0.contains(" FAILED ") }) {
                break
            }
            // Slurm waits two minutes before a retry. The node identifies tries by their second, so a retry must not
            // start in the second in which the first try ended.
            for line in lines where line.contains("BeginTime") {
                let part = String(line.prefix { $0 != " " })
                guard isHurried.insert(part).inserted else { continue }
                try await cluster.run(["scontrol", "update", "JobId=\(job)_\(part)", "StartTime=now+2"])
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        return (lines, isHurried)
    }

    private func compose(_ archive: Archive, on cluster: SlurmCluster) async throws {
        let folder = cluster.folder
        let expected = try await composeOnce(archive, in: folder)
        try folder.write(Array(Self.program(for: archive).utf8), to: "program")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("program"))
        let script = Place.packaging.appending(path: "examples/slurm.sh").path
        let job = try await cluster.run(
            ["sbatch", "--parsable", "--array=0-\(archive.parts - 1)", "--cpus-per-task=1", script]
                + archive.picture
                + ["--output", "part-%05d.mkv?codec=mjpeg"]
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        let (lines, isHurried) = try await wait(for: job, parts: archive.parts, on: cluster)
        let logs = try (0..<archive.parts).map { String(decoding: try folder.read("part-\($0).log"), as: UTF8.self) }
        #expect(lines.count == archive.parts && lines.allSatisfy { $0.contains(" COMPLETED ") }, "\(lines): \(logs)")
        #expect(isHurried.isSuperset(of: ["1", "4"]))
        #expect(logs[4].contains("part 4: ended with 137, and is made again"), "\(logs)")
        let join = try await Tool(
            ["bash", "-c", "\"$0\" join part-*.mkv --output whole.mkv", Place.program.path], in: folder.url)
        #expect(
            join.status == 0 && join.said.contains("\(archive.parts) parts, \(archive.frames) frames"), "\(join.said)")
        #expect(expected.count == archive.frames)
        #expect(try await pictures("whole.mkv", in: folder) == expected)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!left.contains { $0.hasPrefix(".unfinished") }, "\(left)")
    }

    @Test("GNU parallel makes all parts, and repeats the failed ones", .needs("parallel"))
    func parallel() async throws {
        let folder = try TemporaryFolder()
        let archive = try await Archive(in: folder)
        let expected = try await composeOnce(archive, in: folder)
        let program = """
            #!/bin/bash
            if [ "${*: -1}" = 2/4 ] && ! [ -e failed ]; then touch failed; exit 75; fi
            exec '\(Place.program.path)' "$@"
            """
        try folder.write(Array(program.utf8), to: "program")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("program"))
        let script = Place.packaging.appending(path: "examples/parallel.sh").path
        let run = try await Tool(
            ["bash", script, "4"] + archive.picture + archive.end + ["--output", "part-%05d.mkv?codec=mjpeg"],
            in: folder.url,
            environment: ["PIP_COMPOSE": folder.path("program"), "HOME": folder.url.path])
        #expect(run.status == 0, "\(run.said)")
        #expect(FileManager.default.fileExists(atPath: folder.path("failed")))
        let join = try await Tool(
            ["bash", "-c", "\"$0\" join part-*.mkv --output whole.mkv", Place.program.path], in: folder.url)
        #expect(join.status == 0, "\(join.said)")
        #expect(try await pictures("whole.mkv", in: folder) == expected)
    }
}
