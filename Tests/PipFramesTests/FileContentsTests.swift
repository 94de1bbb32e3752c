import Glibc
import PipFrames
import PipTestSupport
import Testing

@Suite("Files that are read into memory")
struct FileContentsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a file is read to its end or to the limit", arguments: [(0, 0), (4095, 4095), (4097, 4097), (9000, 5000)])
    func limit(_ size: Int, _ count: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try folder.write(bytes, to: "file")
        #expect(FileContents.bytes(of: folder.path("file"), limit: 5000) == Array(bytes.prefix(count)))
    }

    @Test("a file of the kernel's, which tells no size, is read to its end")
    func kernelFile() {
        let maps = FileContents.bytes(of: "/proc/self/maps", limit: 1 << 20) ?? []
        #expect(maps.count > 4096 && maps.last == UInt8(ascii: "\n"))
    }

    @Test("a text loses the white space at its end alone")
    func text() throws {
        try folder.write(Array(" é\nb\t\r\n\n".utf8), to: "file")
        #expect(FileContents.text(of: folder.path("file")) == " é\nb")
    }

    @Test("a file that cannot be read leaves the cause in errno")
    func causes() {
        for (path, cause) in [(folder.path("none"), ENOENT), (folder.path("."), EISDIR)] {
            errno = 0
            #expect(FileContents.bytes(of: path, limit: 1) == nil && errno == cause)
        }
    }
}
