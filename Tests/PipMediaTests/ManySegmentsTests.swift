#if Media
import Foundation
import PipCompose
import PipFrames
import PipMedia
import PipTestSupport
import Testing

/// Records half an hour in files of two seconds, faster than real time.
@Suite("A thousand files in a row", .serialized, .timeLimit(.minutes(10)))
struct ManySegmentsTests {
    private static let size = PixelSize(64, 32)
    private static let rate = 10
    private static let files = 1000
    private static let perFile = 2 * rate

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Draws frames that show their numbers: a bar for each of 16 bits, the lowest bit on the left.
    private final class Numbers: FrameProvider {
        let format = ProvidedFormat(
            layout: FrameLayout(.i420, size), frameRate: FrameRate(rate))
        func start() throws {}
        func stop() {}

        func nextFrame(into buffer: FrameBuffer, index: Int) throws -> Bool {
            for plane in format.layout.planes.indices {
                buffer.withMutablePlane(plane, of: format.layout) { bytes, layout in
                    for offset in 0..<bytes.byteCount {
                        let bit = min(offset % layout.strideInBytes, 63) / 4
                        let value: UInt8 = plane > 0 ? 128 : index >> bit & 1 == 0 ? 16 : 235
                        bytes.storeBytes(of: value, toByteOffset: offset, as: UInt8.self)
                    }
                }
            }
            return true
        }
    }

    private func record(_ movie: MovieFile, files: Int) async throws {
        let source = CustomSource("numbers") { Numbers() }
        let output = source --> movie
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(source, options: options)
        try await session.run(frames: files * Self.perFile)
        #expect(output.state == .finished)
        #expect(output.statistics.written == files * Self.perFile && output.statistics.drops.total == 0)
    }

    /// Makes an encoding with key frames only at the beginning of each file.
    private func encoding(_ bits: Int) -> VideoEncoding {
        VideoEncoding(.h264, rate: .bits(bits), keyFrameInterval: .seconds(60), speed: .fastest)
    }

    @Test("row 54: a thousand files hold every frame once, and each file begins with a key frame")
    func everyFrame() async throws {
        try await record(
            MovieFile(
                folder.path("s-%04d.mp4"), encoding: encoding(200_000), segments: .duration(.seconds(2))),
            files: Self.files)
        let names = try folder.names
        #expect(names == (1...Self.files).map { String(format: "s-%04d.mp4", $0) })

        // A single run of ffprobe reads all files, one after another.
        try Data(names.map { "file '\($0)'\n" }.joined().utf8).write(to: folder.url.appending(path: "list.txt"))
        let flags = try Probe.packets("flags", of: folder.path("list.txt"), ["-f", "concat"]).map {
            $0[0].hasPrefix("K")
        }
        #expect(flags == (0..<Self.files * Self.perFile).map { $0 % Self.perFile == 0 })

        try runProgram([
            "ffmpeg", "-v", "error", "-f", "concat", "-i", folder.path("list.txt"), "-fps_mode", "passthrough", "-vf",
            "format=gray,crop=64:1:0:16", "-f", "rawvideo", "-pix_fmt", "gray", folder.path("rows.gray"),
        ])
        let rows = try folder.read("rows.gray")
        let numbers = stride(from: 0, to: rows.count, by: 64).map { row in
            (0..<16).reduce(0) { $0 | (rows[row + 4 * $1 + 2] > 128 ? 1 << $1 : 0) }
        }
        #expect(numbers == Array(0..<Self.files * Self.perFile))
        FaultReport.record(row: 54, figures: "\(numbers.count) frames in \(names.count) files, each once, in order")
    }

    @Test("row 54: the kept files never exceed their size limit")
    func retention() async throws {
        let limit = 400_000
        let most = Monitor(0)
        let watch = Task.detached { [folder] in
            while !Task.isCancelled {
                let names = (try? folder.names) ?? []
                let bytes = names.reduce(0) { total, name in
                    let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path(name))
                    return total + (attributes?[.size] as? Int ?? 0)
                }
                // The sizes are read one by one, and count only if the list of files is the same before and after.
                if names == (try? folder.names) { most.update { $0 = max($0, bytes) } }
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        try await record(
            MovieFile(
                folder.path("k-%04d.mp4"), encoding: encoding(100_000), segments: .duration(.seconds(2)),
                keep: .bytes(limit)), files: 200)
        watch.cancel()
        let names = try folder.names
        #expect(names.count > 3 && names.count < 150 && names.last == "k-0200.mp4", "\(names)")
        let seen = most.read { $0 }
        // The file being written grows while the sizes are read, so the limit has a tolerance.
        #expect(seen <= limit + limit / 50 && seen > limit / 2, "\(seen)")
        FaultReport.record(row: 54, figures: "keep=\(limit / 1000)KB: at most \(seen / 1000) KB at any moment")
    }
}
#endif
