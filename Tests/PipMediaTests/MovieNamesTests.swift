#if Media
import PipSinks
import Testing

@testable import PipMedia

@Suite("Names of recordings")
struct MovieNamesTests {
    @Test("times and numbers are filled in")
    func fields() throws {
        let names = try MovieNames("drives/%Y-%m-%d_%03d.mp4")
        let path = names.path(number: 7, at: 1_700_000_000)
        #expect(path == "drives/2023-11-14_007.mp4" || path == "drives/2023-11-15_007.mp4")
        #expect(names.path(number: 7, at: 1_700_000_000, again: 2) == path.dropLast(4) + "-2.mp4")
        #expect(try MovieNames("50%%.mkv").path(number: 1, at: 0) == "50%.mkv")
        #expect(try MovieNames("./a.ts").path(number: 1, at: 0) == "./a.ts")
    }

    @Test("a name without fields gets a number for files in a row")
    func numbered() throws {
        #expect(try MovieNames("a/out.mp4").numbered().path(number: 12, at: 0) == "a/out-00012.mp4")
        #expect(try MovieNames("50%%.mp4").numbered().path(number: 1, at: 0) == "50%-00001.mp4")
        #expect(try MovieNames("%s.mp4").numbered().pattern == "%s.mp4")
    }

    @Test("only files of the pattern are its own")
    func matching() throws {
        let names = try MovieNames("drive-%Y%m%d-%H%M%S.mp4")
        #expect(names.matches("drive-20261122-101500.mp4"))
        #expect(names.matches("drive-20261122-101500-2.mp4"))
        for other in [
            "drive-20261122.mp4", "drive-20261122-10150x.mp4", "drive.mp4", "drive-20261122-101500.mp4.bak",
            "xdrive-20261122-101500.mp4", "drive-20261122-101500-.mp4", "",
        ] {
            #expect(!names.matches(other), "\(other)")
        }
        #expect(try MovieNames("part-%05d.mkv").matches("part-123456.mkv"))
        #expect(try !MovieNames("part-%05d.mkv").matches("part-1234.mkv"))
    }

    @Test(
        "what is no pattern is told with its reason",
        arguments: [
            ("", "a file's name is missing"), ("a/", "a file's name is missing"), ("%Y/a.mp4", "its folder's"),
            ("a%", "after %"), ("a%5d.mp4", "nothing is known of %5"), ("a%0xd.mp4", "%05d"), ("%Q.mp4", "%Q"),
        ])
    func mistakes(pattern: String, reason: String) {
        let error = #expect(throws: SinkError.self) { try MovieNames(pattern) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }
}

@Suite("What stays of a recording")
struct RetentionTests {
    private let files = (1...5).map { Retention.File(path: "f\($0)", bytes: 100, time: 1000 + $0) }

    @Test("the oldest go until the rest fits, the one being written stays")
    func bytes() {
        let paths = Retention.bytes(250).surplus(of: files.shuffled(), keeping: ["f1"], now: 0, reserve: 50).map(\.path)
        #expect(paths == ["f2", "f3", "f4"])
        #expect(Retention.bytes(500).surplus(of: files, keeping: ["f5"], now: 0, reserve: 0).isEmpty)
        #expect(Retention.bytes(1).surplus(of: [files[0]], keeping: ["f1"], now: 0, reserve: 0).isEmpty)
    }

    @Test("what is older than the age goes")
    func age() {
        let paths = Retention.age(.seconds(10)).surplus(of: files, keeping: ["f5"], now: 1013, reserve: 0).map(\.path)
        #expect(paths == ["f1", "f2"])
    }
}
#endif
