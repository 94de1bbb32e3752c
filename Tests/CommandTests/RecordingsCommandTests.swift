#if Media
import Foundation
import PipTestSupport
import Testing

@Suite("Recordings found again by the command", .serialized)
struct RecordingsCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Records three files of a second each.
    private func record() async throws {
        let line = "--main pattern:scene?size=64x48 --fps max --frames 90 --quiet --output drive-%03d.mp4?segment=1s"
        #expect(try await folder.run(line).status == 0)
    }

    @Test("recordings are listed, locked, exported and deleted")
    func commands() async throws {
        try await record()
        let list = try await folder.run("recordings .")
        let lines = list.text.split(separator: "\n")
        #expect(list.status == 0 && lines.count == 3, "\(list.text)\(list.errors)")
        #expect(lines.allSatisfy { $0.contains(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  0:01  \d+ kB  drive-00\d\.mp4$/) })
        #expect(try await folder.run("recordings lock . drive-002.mp4").text == "locked/drive-002.mp4\n")
        let json = try await folder.run("recordings . --locked --json")
        let documents = try #require(try JSONSerialization.jsonObject(with: json.output) as? [[String: Any]])
        try #require(documents.count == 1)
        #expect(documents[0]["name"] as? String == "locked/drive-002.mp4")
        #expect(documents[0]["locked"] as? Bool == true && documents[0]["state"] as? String == "complete")
        let refused = try await folder.run("recordings delete . locked/drive-002.mp4")
        #expect(refused.status == 77 && refused.errors.contains("it is locked; unlock it first"), "\(refused.errors)")
        #expect(try await folder.run("recordings unlock . locked/drive-002.mp4").text == "drive-002.mp4\n")
        let export = try await folder.run("recordings export . drive-001.mp4 --output found.mp4")
        #expect(export.status == 0 && export.text.hasPrefix("found.mp4: "), "\(export.errors)")
        #expect(try await folder.run("recordings delete . drive-001.mp4 found.mp4").status == 0)
        #expect(try folder.names == ["drive-002.mp4", "drive-003.mp4", "locked"])
    }

    @Test(
        "mistakes are told in one sentence",
        arguments: [
            ("recordings none", 66, "none: cannot list the recordings: No such file or directory"),
            ("recordings lock . a.mp4", 66, "./a.mp4: cannot find the recording: No such file or directory"),
            ("recordings . --from yesterday", 64, "yesterday is no time; write 2026-11-29"),
            ("recordings export . a.mp4 -o b.mp4", 66, "./a.mp4: cannot find the recording"),
            ("recordings delete . ../x.mp4", 66, "./../x.mp4: cannot find the recording"),
        ])
    func mistakes(_ line: String, _ status: Int32, _ message: String) async throws {
        let run = try await folder.run(line)
        #expect(run.status == status && run.errors.contains(message), "\(run.status) \(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test("after kill -9 at random moments of locking, unlocking and listing, no recording is lost, and each plays")
    func killed() async throws {
        try await record()
        let before = try ["drive-001.mp4", "drive-002.mp4", "drive-003.mp4"].map { try folder.read($0) }
        for attempt in 0..<60 {
            let verb = ["lock", "unlock", ""][attempt % 3]
            let prefix = verb == "unlock" ? "locked/" : ""
            let names = (1...3).map { "\(prefix)drive-00\($0).mp4" }
            let arguments = ["recordings"] + (verb.isEmpty ? [] : [verb]) + ["."] + (verb.isEmpty ? [] : names)
            let delay = Duration.microseconds(attempt * 997 % 30_000)
            _ = try await CommandProcess(arguments, in: folder.url) { running in
                try await Task.sleep(for: delay)
                running.send(SIGKILL)
            }
            if attempt % 20 == 7 { try? FileManager.default.removeItem(atPath: folder.path(".recordings-2.sqlite")) }
            let list = try await folder.run("recordings . --json")
            let found = try #require(try JSONSerialization.jsonObject(with: list.output) as? [[String: Any]])
            let files = Set(found.compactMap { $0["name"] as? String })
            #expect(list.status == 0 && files.count == 3, "\(attempt): \(files) \(list.errors)")
            for (number, bytes) in before.enumerated() {
                let name = "drive-00\(number + 1).mp4"
                let path = files.contains("locked/\(name)") ? "locked/\(name)" : name
                #expect(try folder.read(path) == bytes)
            }
            if attempt % 3 == 2 {
                for name in files where name.hasPrefix("locked/") {
                    #expect(try await folder.run("recordings unlock . \(name)").status == 0)
                }
            }
        }
    }
}
#endif
