#if Media
import Foundation
import PipConcurrency
import PipFrames
import PipSources
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Movies that cannot be shown")
struct BrokenMovieTests {
    private let files: MovieFiles

    init() throws { files = try MovieFiles() }

    private func failure(_ path: String, _ options: MovieReader.Options = .init()) throws -> SourceError? {
        do throws(SourceError) {
            let reader = try MovieReader(path: path, options)
            defer { reader.close() }
            for index in 0..<1000 where try reader.next(index: index) == nil { return nil }
            return nil
        } catch { return error }
    }

    private func expect(_ error: SourceError?, _ kind: SourceError.Kind, _ reason: String) {
        #expect(error?.kind == kind)
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("a file that is not a movie is an error with a message")
    func noMovie() throws {
        let text = (0..<2000).map { "line \($0)\n" }.joined()
        try files.folder.write(Array(text.utf8), to: "text.mp4")
        try files.folder.write([], to: "empty.mp4")
        try files.folder.write((0..<5000).map { _ in UInt8.random(in: 0...255) }, to: "noise.mkv")
        expect(try failure(files.folder.path("text.mp4")), .damaged, "text file")
        expect(try failure(files.folder.path("empty.mp4")), .damaged, "it is empty")
        #expect(try failure(files.folder.path("noise.mkv"))?.kind == .damaged)
        expect(try failure(files.folder.path("none.mp4")), .notFound, "No such file")
        expect(try failure(files.folder.url.path), .invalidOptions, "folder")
        expect(try failure(files.folder.pipe("pipe.mp4")), .invalidOptions, "not a pipe")
    }

    @Test("a file with only sound is not a movie", arguments: ["mp4", "mkv", "ts"])
    func soundOnly(ending: String) throws {
        let path = files.folder.path("a.\(ending)")
        try files.ffmpeg(["-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac", path])
        expect(try failure(path), .damaged, "it has no video")
    }

    @Test("a truncated movie is shown to its end, and reported", arguments: ["mp4", "mkv"])
    func truncated(ending: String) throws {
        let path = try files.numbered("a.\(ending)", 60, MovieFiles.h264 + ["-movflags", "+faststart"])
        let bytes = try files.folder.read("a.\(ending)")
        try files.folder.write(Array(bytes.prefix(bytes.count * 6 / 10)), to: "b.\(ending)")
        let reader = try MovieReader(path: files.folder.path("b.\(ending)"), .init())
        defer { reader.close() }
        #expect(reader.description.note?.contains("cut off") == true)
        expect(try failure(files.folder.path("b.\(ending)")), .damaged, "it is cut off")
        #expect(try failure(path) == nil)
        // A movie without its index cannot be shown.
        try files.folder.write(Array(bytes.prefix(200)), to: "c.\(ending)")
        #expect(try failure(files.folder.path("c.\(ending)"))?.kind == .damaged)
    }

    @Test("a size beyond the limit is refused before memory is allocated")
    func hugeSize() throws {
        _ = try files.numbered("a.mkv", 3, size: PixelSize(320, 320), ["-c:v", "libvpx", "-b:v", "1M"])
        var bytes = try files.folder.read("a.mkv")
        // Change the width and height of the Matroska track.
        for id in [UInt8(0xB0), 0xBA] {
            let place = try #require(
                bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == [id, 0x82, 0x01, 0x40] })
            bytes.replaceSubrange(place + 2..<place + 4, with: [0x40, 0x00])
        }
        try files.folder.write(bytes, to: "b.mkv")
        expect(try failure(files.folder.path("b.mkv")), .damaged, "16384x16384")
    }

    @Test("hundreds of streams are refused", arguments: ["mkv", "mp4"])
    func manyStreams(ending: String) throws {
        let path = try files.numbered("a.mp4", 3)
        let other = files.folder.path("b.\(ending)")
        try files.ffmpeg(["-i", path] + (0..<300).flatMap { _ in ["-map", "0:v"] } + ["-c", "copy", other])
        expect(try failure(other), .damaged, "more than 64 streams")
    }

    @Test("of several video tracks the first is shown")
    func severalVideos() throws {
        let (first, second) = (
            try files.numbered("a.mp4", 10), try files.numbered("b.mp4", 10, size: PixelSize(192, 128))
        )
        let both = files.folder.path("c.mkv")
        try files.ffmpeg(["-i", first, "-i", second, "-map", "0:v", "-map", "1:v", "-c", "copy", both])
        let reader = try MovieReader(path: both, .init())
        defer { reader.close() }
        #expect(reader.description.layout.size == MovieFiles.size)
    }

    @Test("a part beyond the movie's end is an error")
    func missingPart() throws {
        let path = try files.numbered("a.mp4", 30)
        expect(try failure(path, .init(from: .seconds(5))), .invalidOptions, "the file ends before this time")
        expect(try failure(path, .init(from: .seconds(2), to: .seconds(1))), .invalidOptions, "must be later than")
    }

    @Test("random changes of bytes lead to frames or an error message", arguments: 1...6)
    func damage(seed: Int) throws {
        _ = try files.numbered("a.mp4", 30, MovieFiles.h264 + ["-movflags", "+faststart"])
        var bytes = try files.folder.read("a.mp4")
        var dice = Dice(seed)
        for _ in 0..<40 {
            bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
        }
        try files.folder.write(bytes, to: "b.mp4")
        if let error = try failure(files.folder.path("b.mp4")) { #expect(error.description.hasPrefix("/")) }
    }
}
#endif
