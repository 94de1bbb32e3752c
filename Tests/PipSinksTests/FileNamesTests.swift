import PipSinks
import Testing

@Suite("Names of successive files")
struct FileNamesTests {
    @Test("times and numbers are filled in")
    func fields() throws {
        let names = try FileNames("drives/%Y-%m-%d_%03d.mp4")
        let path = names.path(number: 7, at: 1_700_000_000)
        #expect(path == "drives/2023-11-14_007.mp4" || path == "drives/2023-11-15_007.mp4")
        #expect(names.path(number: 7, at: 1_700_000_000, again: 2) == path.dropLast(4) + "-2.mp4")
        #expect(try FileNames("50%%.mkv").path(number: 1, at: 0) == "50%.mkv")
        #expect(try FileNames("./a.ts").path(number: 1, at: 0) == "./a.ts")
    }

    @Test("a name without fields gets a number for successive files")
    func numbered() throws {
        #expect(try FileNames("a/out.mp4").numbered().path(number: 12, at: 0) == "a/out-00012.mp4")
        #expect(try FileNames("a.b/still").numbered().path(number: 1, at: 0) == "a.b/still-00001")
        #expect(try FileNames("a.b/still.c.mp4").numbered().path(number: 1, at: 0) == "a.b/still.c-00001.mp4")
        #expect(try FileNames("50%%.mp4").numbered().path(number: 1, at: 0) == "50%-00001.mp4")
        #expect(try FileNames("%s.mp4").numbered().pattern == "%s.mp4")
    }

    @Test("only files that match the pattern belong to the recording")
    func matching() throws {
        let names = try FileNames("drive-%Y%m%d-%H%M%S.mp4")
        #expect(names.matches("drive-20261122-101500.mp4"))
        #expect(names.matches("drive-20261122-101500-2.mp4"))
        for other in [
            "drive-20261122.mp4", "drive-20261122-10150x.mp4", "drive.mp4", "drive-20261122-101500.mp4.bak",
            "xdrive-20261122-101500.mp4", "drive-20261122-101500-.mp4", "",
        ] {
            #expect(!names.matches(other), "\(other)")
        }
        #expect(try FileNames("part-%05d.mkv").matches("part-123456.mkv"))
        #expect(try !FileNames("part-%05d.mkv").matches("part-1234.mkv"))
    }

    @Test(
        "an invalid pattern is refused with the reason",
        arguments: [
            ("", "a file's name is missing"), ("a/", "a file's name is missing"), ("%Y/a.mp4", "its folder's"),
            ("a%", "after %"), ("a%5d.mp4", "%5 is not a field"), ("a%0xd.mp4", "%05d"), ("%Q.mp4", "%Q"),
        ])
    func mistakes(pattern: String, reason: String) {
        let error = #expect(throws: SinkError.self) { try FileNames(pattern) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }
}
