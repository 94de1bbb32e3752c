#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipPatterns
import PipSinks
import PipTestSupport
import Synchronization
import Testing

@testable import PipMedia

@Suite("Recordings begun before the clock is set", .timeLimit(.minutes(3)))
struct ClockJumpTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The clock of a board that begins in 1970, and learns the time once a number of files have names of that year.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the names before the year.
    ///   - count: The number of files.
    /// - Returns: The clock.
    private func calendar(_ prefix: String, after count: Int) -> RecordingCalendar {
        let isSet = Mutex(false)
        let behind = Duration.zero - WallTime.now.sinceEpoch + .seconds(5 * 86_400)
        let path = folder.url.path
        return RecordingCalendar(shiftedBy: {
            isSet.withLock { isSet in
                let old = Folder.entries(of: path).filter { $0.hasPrefix("\(prefix)1970") }
                isSet = isSet || old.count >= count
                return isSet ? .zero : behind
            }
        })
    }

    /// Records a pattern for some seconds in virtual time, and returns the session's events.
    private func record(
        _ movie: MovieFile, by calendar: RecordingCalendar, for seconds: Int, mark: Duration? = nil
    ) async throws -> [String] {
        var movie = movie
        movie.calendar = calendar
        return try await VirtualTime.run { [movie] clock, _ in
            let picture = Compositor { Layer(PatternSource(.scene, size: PixelSize(160, 96))) }
            let output = picture --> movie
            var options = SessionOptions()
            options.time = clock
            options.pressure.policy = .off
            let session = try await Session(picture, options: options)
            async let events = session.events.reduce(into: [String]()) { $0.append($1.description) }
            async let running: Void = session.run(for: .seconds(seconds))
            if let mark {
                try await clock.sleep(for: mark)
                #expect(session.mark("brake") == 1)
            }
            try await running
            #expect(output.statistics.drops.total == 0)
            return await events
        }
    }

    /// The names of the files of a folder within the temporary folder, in order.
    private func names(_ path: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test(
        "files of 1970 get names and dates of the present when the clock is set, in the same order",
        arguments: ["mp4", "mov", "mkv", "webm"])
    func parts(_ ending: String) async throws {
        let began = WallTime.now
        let pattern = folder.path("drive-%Y%m%d-%H%M%S-%03d.\(ending)")
        let encoding = VideoEncoding(ending == "webm" ? .vp8 : .h264, keyFrameInterval: .milliseconds(500))
        let movie = MovieFile(pattern, encoding: encoding, segments: .duration(.seconds(1)))
        let events = try await record(movie, by: calendar("drive-", after: 3), for: 5)
        let names = try names()
        let numbers = names.map { String($0.split(separator: "-").last ?? "") }
        #expect(numbers == (1...5).map { "00\($0).\(ending)" }, "\(names)")
        let year = Set([began, .now].map { "drive-" + $0.text("%Y") })
        #expect(names.allSatisfy { year.contains(String($0.prefix(10))) }, "\(names)")
        for name in names {
            let facts = try MovieFacts(ofFile: folder.path(name))
            let start = try #require(facts.start)
            // A session in virtual time takes its dates from the machine's clock, too.
            #expect(start.sinceEpoch > began.sinceEpoch - .seconds(60) && start.sinceEpoch <= WallTime.now.sinceEpoch)
            #expect(try Probe(folder.path(name)).times.count == 30, "\(name)")
        }
        let told = events.filter { $0.contains("the clock was set forward by") }
        #expect(told.count == 1 && told[0].contains("new names and dates"), "\(events)")
    }

    @Test("a clip that is open when the clock is set is locked under a name of the present", arguments: ["mp4", "mkv"])
    func clip(_ ending: String) async throws {
        let window = ClipWindow(before: .seconds(1), after: .seconds(2), locked: 1_000_000_000)
        let movie = MovieFile(folder.path("clip-%Y%m%d-%H%M%S.\(ending)"), clips: window)
        let events = try await record(movie, by: calendar("clip-", after: 1), for: 6, mark: .milliseconds(2100))
        let names = try names("locked")
        #expect(names.count == 1 && names[0].hasPrefix("clip-\(WallTime.now.text("%Y"))"), "\(names)")
        #expect(events.contains { $0.contains("locked/\(names.first ?? "?")") }, "\(events)")
        #expect(try self.names() == ["locked"])
        let facts = try MovieFacts(ofFile: folder.path("locked/\(try #require(names.first))"))
        #expect(facts.moments.map(\.text) == ["brake"])
        #expect(try #require(facts.start).sinceEpoch > WallTime.now.sinceEpoch - .seconds(600))
    }

    @Test("a file keeps its name when the clock changes by hours, and when it was moved by hand")
    func kept() throws {
        let shift = Mutex(Duration.zero)
        let calendar = RecordingCalendar(shiftedBy: { shift.withLock { $0 } })
        let names = try FileNames(folder.path("drive-%Y.mp4"))
        let tags = MovieTags(container: .ts, title: nil, start: .now, orientation: .identity)
        let files = DatedFiles(names, by: calendar)
        for name in ["a.mp4", "b.mp4", "drive-2100.mp4"] { try folder.write([1], to: name) }
        for name in ["a.mp4", "b.mp4"] {
            let file = DatedFile(
                folder.path(name), number: 1, time: WallTime(sinceEpoch: .seconds(86_400 * 100)), lead: calendar.lead,
                tags: tags)
            #expect(files.keep(file) { $0 } == folder.path(name))
        }
        shift.withLock { $0 = .seconds(26 * 3600) }
        #expect(files.look() == nil)
        try FileManager.default.removeItem(atPath: folder.path("b.mp4"))
        // From April 1970 to 2100; the year has no more than the file that is there already.
        shift.withLock { $0 = .seconds(86_400 * 365 * 130 + 86_400 * 40) }
        #expect(files.look()?.hasPrefix("the clock was set forward by 47490 days") == true)
        #expect(try self.names() == ["drive-2100-2.mp4", "drive-2100.mp4"])
        #expect(files.look() == nil)
        shift.withLock { $0 = .zero }
        #expect(files.look()?.hasPrefix("the clock was set back by") == true)
        #expect(try self.names() == ["drive-1970.mp4", "drive-2100.mp4"])
    }
}
#endif
