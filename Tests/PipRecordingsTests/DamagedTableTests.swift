#if Media
import Foundation
import PipTestSupport
import Testing

@testable import PipRecordings

@Suite("Tables of recordings that are at odds with the files", .timeLimit(.minutes(3)))
struct DamagedTableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The statements that take all rows from the index of the durations.
    private static let emptiedIndex = [
        "CREATE INDEX no_row ON recordings (duration) WHERE duration < -1", "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'no_row') "
            + "WHERE name = 'recordings_duration'",
        "DELETE FROM sqlite_master WHERE name = 'no_row'",
    ]

    @Test("a table whose index lacks rows is made again: when a row is changed, and after a boot")
    func damagedIndex() async throws {
        try await folder.record()
        let recordings = try Recordings(folder.url.path)
        try recordings.refresh()
        let all = try recordings.list()
        for isRestarted in [false, true] {
            do {
                let database = try Database(folder.path(".recordings-2.sqlite"))
                for statement in Self.emptiedIndex { try database.run(statement) }
                if isRestarted { try database.run("PRAGMA user_version = 2") }
            }
            let recordings = try Recordings(folder.url.path)
            if !isRestarted {
                // The first attempt meets the damage.
                try folder.write([1, 2, 3], to: all[0].name)
                try recordings.refresh(isThorough: true)
            }
            try recordings.refresh()
            #expect(try recordings.list().map(\.name).sorted() == all.map(\.name).sorted(), "\(isRestarted)")
            #expect(try recordings.list { $0.text = all[0].name }.map(\.bytes) == [3])
            #expect(
                try Database(folder.path(".recordings-2.sqlite")).rows(of: "PRAGMA integrity_check") == [[.text("ok")]])
        }
    }

    @Test("after a boot, files are compared that were settled before")
    func restarted() async throws {
        try await folder.record()
        let recordings = try Recordings(folder.url.path)
        try recordings.refresh()
        let name = try #require(recordings.list().first?.name)
        /// The file's size as a new process lists it.
        func listedSize() throws -> Int? {
            let recordings = try Recordings(folder.url.path)
            try recordings.refresh()
            return try recordings.list { $0.text = name }.first?.bytes
        }
        let database = try Database(folder.path(".recordings-2.sqlite"))
        try database.run("UPDATE recordings SET settled = 1")
        // A power cut loses what a file got last, and the table tells more than there is.
        try folder.write(Array(folder.read(name).prefix(40)), to: name)
        #expect(try listedSize() ?? 0 > 40)
        try database.run("PRAGMA user_version = 2")
        #expect(try listedSize() == 40)
        #expect(try database.rows(of: "PRAGMA user_version") != [[.number(2)]])
    }
}
#endif
