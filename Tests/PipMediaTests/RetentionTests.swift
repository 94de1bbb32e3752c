#if Media
import Testing

@testable import PipMedia

@Suite("Retention of a recording's files")
struct RetentionTests {
    private let files = (1...5).map { Retention.File(path: "f\($0)", bytes: 100, time: 1000 + $0) }

    @Test("the oldest files are deleted until the others fit, and the file being written stays")
    func bytes() {
        let paths = Retention.bytes(250).surplus(of: files.shuffled(), keeping: ["f1"], now: 0, reserve: 50).map(\.path)
        #expect(paths == ["f2", "f3", "f4"])
        #expect(Retention.bytes(500).surplus(of: files, keeping: ["f5"], now: 0, reserve: 0).isEmpty)
        #expect(Retention.bytes(1).surplus(of: [files[0]], keeping: ["f1"], now: 0, reserve: 0).isEmpty)
    }

    @Test("files older than the maximum age are deleted")
    func age() {
        let paths = Retention.age(.seconds(10)).surplus(of: files, keeping: ["f5"], now: 1013, reserve: 0).map(\.path)
        #expect(paths == ["f1", "f2"])
    }
}
#endif
