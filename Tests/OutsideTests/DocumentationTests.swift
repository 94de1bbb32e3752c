import Foundation
import PipCompose
import Testing

@Suite("The documentation's examples", .serialized, .timeLimit(.minutes(2)))
struct DocumentationTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "pip-outside")
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Examples name their files by relative paths.
        _ = FileManager.default.changeCurrentDirectoryPath(folder.path)
    }

    private static var offline: SessionOptions {
        var options = SessionOptions()
        options.pace = .maximum
        return options
    }

    private static func numbers() -> CustomSource { CustomSource("numbers") { NumberedSource() } }

    /// A Y4M file's size, and the numbers that its frames show.
    private func recording(_ name: String) throws -> (size: PixelSize, numbers: [Int]) {
        let bytes = try [UInt8](Data(contentsOf: folder.appending(path: name)))
        let headerEnd = try #require(bytes.firstIndex(of: 10))
        let fields = String(decoding: bytes[..<headerEnd], as: UTF8.self).split(separator: " ")
        func field(_ key: Character) throws -> Int {
            try #require(fields.first { $0.first == key }.flatMap { Int($0.dropFirst()) })
        }
        let size = PixelSize(try field("W"), try field("H"))
        let mark = Array("FRAME\n".utf8)
        let frameBytes = mark.count + size.width * size.height * 3 / 2
        let starts = Array(stride(from: headerEnd + 1, to: bytes.count, by: frameBytes))
        #expect((bytes.count - headerEnd - 1) % frameBytes == 0)
        let numbers = starts.map { start in
            #expect(Array(bytes[start..<(start + mark.count)]) == mark)
            let row = start + mark.count + size.height / 2 * size.width
            return NumberedFrames.number(width: size.width) { bytes[row + $0] }
        }
        return (size, numbers)
    }

    @Test("the example of recordings makes files with exactly the frames between their beginnings and ends")
    func recordings() async throws {
        let clock = FrameClock(framesPerSecond: 25)
        let log = CollectingSink.Log()
        let picture = Compositor(canvas: NumberedFrames.size) { Layer(Self.numbers()) }
        picture --> CustomSink("all") { CollectingSink(log) { clock.passFrame() } }
        try await record(picture, to: folder.path, Self.offline, by: clock)

        let all = log.read { $0.numbers }
        #expect(all == Array(0..<all.count))
        let (full, small, next) = (try recording("full.y4m"), try recording("small.y4m"), try recording("next.y4m"))
        #expect([full.size, small.size, next.size] == [NumberedFrames.size, PixelSize(320, 180), PixelSize(160, 90)])

        // The file `next.y4m` begins at the frame at which `full.y4m` ends. Two files last until the end.
        let (begin, half, turn) = (full.numbers[0], small.numbers[0], next.numbers[0])
        #expect(full.numbers == Array(begin..<turn))
        #expect(small.numbers == Array(half..<all.count))
        #expect(next.numbers == Array(turn..<all.count))

        // The session draws each change between two sleeps. A sink's queue may still hold frames drawn before the
        // second sleep.
        let sleeps = clock.sleeps
        try #require(sleeps.count == 4)
        for (index, change) in [begin, half, turn].enumerated() {
            #expect(change >= sleeps[index].ended)
            #expect(change <= sleeps[index + 1].begun + 16)
        }
    }

    @Test("the example of handles starts, stops and replaces outputs")
    func handles() async throws {
        try await replaceRecordings(of: Compositor(canvas: NumberedFrames.size) { Layer(Self.numbers()) })
        #expect(try recording("2.y4m").size == NumberedFrames.size)
    }

    @Test("the example of a source with pushed frames shows these frames")
    func pushed() async throws {
        let picture = try pushedDepth([UInt8](repeating: 255, count: 672 * 480))
        let tap = FrameTap(.nv12)
        picture --> tap
        let session = try await Session(picture)
        async let run: Void = session.run()
        var luma: UInt8 = 0
        for await frame in tap.frames {
            luma = frame.withPlane(0) { bytes, _ in unsafe bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self) }
            if luma == 235 { break }
        }
        session.stop()
        try await run
        #expect(luma == 235)
    }

    @Test("the example of a user's own source and sink carries 300 frames")
    func ownNodes() async throws {
        let source = fadingSource()
        let output = countingOutput(of: source)
        try await Session(source, options: Self.offline).run()
        #expect(output.state == .finished)
        #expect(output.statistics.written == 300)
    }

    @Test("the example of an effect draws the effect")
    func effect() async throws {
        let brown = Self.numbers() --> Sepia()
        let tap = FrameTap(.rgba, buffering: .oldest(4))
        brown --> tap
        let session = try await Session(brown, options: Self.offline)
        try await session.run(frames: 2)
        var pixels: [[UInt8]] = []
        for await frame in tap.frames {
            pixels = frame.withPlane(0) { bytes, _ in
                [0, 4].map { pixel in
                    (0..<3).map { unsafe bytes.unsafeLoad(fromByteOffset: pixel * 4 + $0, as: UInt8.self) }
                }
            }
        }
        // Frame number 1 begins with a white bar and a black bar.
        #expect(pixels == [[255, 255, 204], [0, 0, 0]])
    }
}
