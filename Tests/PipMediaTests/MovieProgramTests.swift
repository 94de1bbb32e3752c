#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipSources
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Movies whose program changes")
struct MovieProgramTests {
    private let files: MovieFiles

    init() throws { files = try MovieFiles() }

    private static let h264 = MovieFiles.h264
    private static let hevc = ["-c:v", "libx265", "-x265-params", "log-level=none:bframes=2", "-g", "12"]
    private static let mpeg2 = ["-c:v", "mpeg2video", "-q:v", "2", "-g", "12"]
    private static let otherPIDs = ["-mpegts_start_pid", "0x200", "-mpegts_pmt_start_pid", "0x1200"]
    private static let sound = ["-f", "lavfi", "-i", "sine=1000:d=1", "-c:a", "aac"]
    private static let sizes = [MovieFiles.size, PixelSize(192, 128)]

    /// Makes a transport stream of parts with 30 frames each, whose sizes cycle through `sizes`.
    private func joined(_ parts: [[String]], _ sizes: [PixelSize] = sizes) throws -> String {
        var bytes: [UInt8] = []
        for (index, arguments) in parts.enumerated() {
            let name = "part\(index).ts"
            _ = try files.numbered(name, 30, from: 30 * index, size: sizes[index % sizes.count], arguments)
            bytes += try files.folder.read(name)
        }
        try files.folder.write(bytes, to: "joined.ts")
        return files.folder.path("joined.ts")
    }

    private func read(
        _ path: String, _ options: MovieReader.Options = .init(), atMost limit: Int = 400
    ) throws -> [(number: Int, size: PixelSize, milliseconds: Double)] {
        let reader = try MovieReader(path: path, options)
        defer { reader.close() }
        var found: [(number: Int, size: PixelSize, milliseconds: Double)] = []
        while found.count < limit, let frame = try reader.next(index: found.count) {
            found.append((frame.number, frame.size, Double(frame.timestamp.nanoseconds) / 1e6))
        }
        return found
    }

    @Test(
        "a movie's codec may change, with or without its stream IDs and its other streams",
        arguments: [
            [h264, hevc], [hevc, h264], [mpeg2, h264], [h264, hevc + otherPIDs], [h264, h264 + otherPIDs],
            [h264, mpeg2, h264, hevc], [h264, sound + h264 + ["-tables_version", "7"]], [sound + mpeg2, hevc],
            [sound + h264, sound + mpeg2 + otherPIDs, sound + h264],
        ])
    func codecs(parts: [[String]]) throws {
        let found = try read(try joined(parts))
        #expect(found.map(\.number) == Array(0..<30 * parts.count))
        let sizes = (0..<30 * parts.count).map { (frame: Int) -> PixelSize in Self.sizes[frame / 30 % 2] }
        #expect(found.map(\.size) == sizes)
        let steps = zip(found, found.dropFirst()).map { $1.milliseconds - $0.milliseconds }
        #expect(steps.allSatisfy { (15...500).contains($0) }, "\(steps)")
        #expect(steps.count { !(30...37).contains($0) } <= 2 * (parts.count - 1), "\(steps)")
    }

    @Test(
        "a movie whose program changes loops, as a whole and in its first part",
        arguments: [[h264, hevc], [mpeg2, h264 + otherPIDs]])
    func loops(parts: [[String]]) throws {
        let path = try joined(parts)
        let whole = try read(path, .init(loops: true), atMost: 200)
        #expect(whole.map(\.number) == (0..<200).map { $0 % 60 })
        let part = try read(path, .init(from: .milliseconds(200), to: .milliseconds(400), loops: true), atMost: 20)
        #expect(part.map(\.number) == (0..<20).map { 6 + $0 % 6 })
    }

    @Test("a part of a movie may begin after the change of program")
    func laterPart() throws {
        let found = try read(try joined([Self.h264, Self.hevc]), .init(from: .milliseconds(1500)))
        // The engine leaves a tenth of a second between the programs.
        #expect((42...45).contains(found.first?.number ?? 0) && found.last?.number == 59, "\(found)")
        #expect(zip(found, found.dropFirst()).allSatisfy { $1.number == $0.number + 1 }, "\(found)")
    }

    @Test("a movie whose program changes is composed at one size, from its first to its last frame", arguments: [1, 2])
    func composed(sizes: Int) async throws {
        let sink = NumberSink()
        let parts = [Self.h264, Self.hevc + Self.otherPIDs]
        let movie = MovieSource(try joined(parts, Array(Self.sizes.prefix(sizes))))
        movie --> CustomSink("numbers") { sink }
        var options = SessionOptions()
        options.pace = .maximum
        try await Session(movie, options: options).run()
        var shown: [Int] = []
        for number in sink.all where shown.last != number { shown.append(number) }
        #expect(shown == Array(0..<60), "\(shown)")
    }

    @Test(
        "a movie whose program changes cannot be joined, since a file has one codec",
        arguments: [[h264, hevc], [hevc, h264]])
    func joins(parts: [[String]]) async throws {
        let path = try joined(parts)
        let error = await #expect(throws: SessionError.self) {
            try await MovieJoin([path], to: files.folder.path("whole.mkv")).run()
        }
        #expect(error?.description.contains("changes") == true, "\(error?.description ?? "")")
    }
}
#endif
