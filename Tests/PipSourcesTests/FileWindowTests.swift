import Glibc
import PipFrames
import PipTestSupport
import Testing

@testable import PipSources

@Suite("Frames in the pages of their file") struct FileWindowTests {
    private let folder: TemporaryFolder
    private let size = PixelSize(64, 64)
    private let frameBytes = 4096

    init() throws { folder = try TemporaryFolder() }

    /// A reader of grey frames in which each sample is the frame's number.
    private func reader(frames: Int, loops: Bool = false) throws -> (RawReader, path: String) {
        let bytes = (0..<frames).flatMap { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: frameBytes) }
        let path = try folder.file("a.gray", bytes)
        var options = RawOptions(format: .gray, size: size)
        options.loops = loops
        return (try RawReader(path: path, options: options), path)
    }

    private func frame(_ reader: RawReader, _ index: Int) throws -> FrameBuffer {
        try #require(
            try reader.next(index: index) {
                Issue.record("the reader asked for memory instead of mapping its file")
                return nil
            })
    }

    @Test("frames outlive their reader, each with its content")
    func outlive() throws {
        let frames = try {
            let (reader, _) = try reader(frames: 3, loops: true)
            return try (0..<5).map { try frame(reader, $0) }
        }()
        let layout = FrameLayout(.gray, size)
        for (index, frame) in frames.enumerated() {
            #expect(samples(frame, layout) == [UInt8](repeating: UInt8(index % 3), count: frameBytes))
        }
    }

    @Test("a truncated file reads as zeros, and is an error at the next frame")
    func cutOff() throws {
        let (reader, path) = try reader(frames: 8, loops: true)
        let frames = try (0..<2).map { try frame(reader, $0) }
        resize(path, to: frameBytes)
        let layout = FrameLayout(.gray, size)
        #expect(samples(frames[0], layout).allSatisfy { $0 == 0 })
        #expect(samples(frames[1], layout) == [UInt8](repeating: 0, count: frameBytes))
        let error = #expect(throws: SourceError.self) { try reader.next(index: 2) { FrameBuffer(layout) } }
        #expect(
            error?.description
                == "\(path): cannot read frame 2: the file was cut off while it was shown, or its disk failed")
    }

    @Test("a file that is truncated while none of its frames is shown has ended")
    func cutOffUnseen() throws {
        let (reader, path) = try reader(frames: 8)
        _ = try frame(reader, 0)
        resize(path, to: frameBytes)
        #expect(try reader.next(index: 1) { FrameBuffer(FrameLayout(.gray, size)) } == nil)
    }

    @Test("a file larger than a window is mapped in several windows")
    func windows() throws {
        // The file is sparse, and takes almost no space on the disk.
        let path = try folder.file("a.gray", [])
        let count = 100 << 20
        resize(path, to: count, last: 7)
        let size = PixelSize(4096, 2560)
        let reader = try RawReader(path: path, options: RawOptions(format: .gray, size: size))
        let layout = FrameLayout(.gray, size)
        var ends: [UInt8] = []
        for index in 0..<10 { ends.append(try #require(samples(frame(reader, index), layout).last)) }
        #expect(ends == [0, 0, 0, 0, 0, 0, 0, 0, 0, 7])
        #expect(try reader.next(index: 10) { FrameBuffer(layout) } == nil)
    }

    @Test("a bus error elsewhere still ends the process")
    func elsewhere() async {
        await #expect(processExitsWith: .signal(SIGBUS)) {
            // Swift's crash handler would first print the stacks of all threads, which takes long in a large program.
            signal(SIGBUS, SIG_DFL)
            let folder = try TemporaryFolder()
            let path = try folder.file("a.gray", [UInt8](repeating: 1, count: 4096))
            let reader = try RawReader(path: path, options: RawOptions(format: .gray, size: PixelSize(64, 64)))
            _ = try reader.next(index: 0) { nil }
            exit(try byteBeyondEnd(of: folder.file("b", [1])) == 0 ? 0 : 1)
        }
    }

    /// Truncates a file, or extends it with a hole and one last byte.
    private func resize(_ path: String, to count: Int, last byte: UInt8? = nil) {
        let file = unsafe path.withCString { unsafe open($0, O_WRONLY | O_CLOEXEC) }
        defer { close(file) }
        #expect(ftruncate(file, off_t(count)) == 0)
        guard var byte else { return }
        let written = unsafe pwrite(file, &byte, 1, off_t(count - 1))
        #expect(written == 1)
    }
}

/// Reads a byte of the page after the file's end, which raises SIGBUS; nil for a file that cannot be mapped.
private func byteBeyondEnd(of path: String) -> UInt8? {
    let file = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    guard let memory = unsafe mmap(nil, 8192, PROT_READ, MAP_SHARED, file, 0), unsafe memory != MAP_FAILED else {
        return nil
    }
    return unsafe memory.load(fromByteOffset: 4096, as: UInt8.self)
}
