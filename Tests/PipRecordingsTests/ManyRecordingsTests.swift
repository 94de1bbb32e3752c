#if Media
import Foundation
import PipConcurrency
import PipTestSupport
import Testing

@testable import PipMedia
@testable import PipRecordings

@Suite("A hundred thousand recordings")
struct ManyRecordingsTests {
    @Test("days, pages and moments are found in a table of a hundred thousand recordings")
    func find() throws {
        let folder = try TemporaryFolder()
        var table = try RecordingTable(folder: folder.url.path)
        let midnight = 1_790_000_000 / 86_400 * 86_400
        try table.transaction { (table) throws(DatabaseError) in
            for index in 0..<100_000 {
                let name = "drive-\(index).mp4"
                let moments = index % 100 == 7 ? [RecordedMoment("brake (0.6 g)", at: .seconds(15))] : []
                let recording = Recording(
                    name: index % 50 == 3 ? "locked/" + name : name,
                    start: WallTime(sinceEpoch: .seconds(midnight + 60 * index)), duration: .seconds(60), bytes: 10,
                    cameras: ["Front"], moments: moments, state: .complete)
                try table.put(RecordingTable.Row(recording: recording, stamp: .init(bytes: 10, changed: 0)))
            }
        }
        let (first, last) = (
            WallTime(sinceEpoch: .seconds(midnight)), WallTime(sinceEpoch: .seconds(midnight + 6_000_000))
        )
        let days = try table.days(from: first, to: last)
        #expect((70...71).contains(days.count) && days.map(\.count).reduce(0, +) == 100_000)
        #expect(days.map(\.clips).reduce(0, +) == 1000 && days.map(\.bytes).reduce(0, +) == 1_000_000)
        var query = RecordingQuery()
        query.from = WallTime(sinceEpoch: .seconds(midnight + 86_400))
        query.to = WallTime(sinceEpoch: .seconds(midnight + 2 * 86_400))
        query.limit = 5000
        #expect(try table.recordings(query, at: .now).map(\.name).count == 1440)
        query.text = "brake"
        #expect(try table.recordings(query, at: .now).count == 14 || table.recordings(query, at: .now).count == 15)
        query.isLocked = true
        #expect(try table.recordings(query, at: .now).isEmpty)
        query.text = nil
        let locked = try table.recordings(query, at: .now)
        #expect((28...29).contains(locked.count) && locked.allSatisfy(\.isLocked))
        #expect(try table.stamps().count == 100_000)
    }
}
#endif
