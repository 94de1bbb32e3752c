import Foundation
import PipCodecs
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipSources

@Suite("An animation")
struct AnimatedPictureTests {
    private let folder: TemporaryFolder
    private let told = Monitor<[String]>([])
    private let late = MonotonicClock().now.advanced(by: .seconds(60))

    init() throws { folder = try TemporaryFolder() }

    /// A file of one colour.
    private func write(_ name: String, _ value: UInt8, _ size: PixelSize = PixelSize(4, 3)) throws {
        let layout = FrameLayout(.rgba, size)
        let buffer = FrameBuffer(layout)
        unsafe buffer.mutableBytes(ofPlane: 0).baseAddress?
            .initializeMemory(as: UInt8.self, repeating: value, count: layout.byteCount)
        let output = ByteBuffer()
        let frame = Frame(info: FrameInfo(layout: layout, colorimetry: .srgb), buffer: buffer)
        try PNGEncoder().encode(frame, into: output, subject: "x")
        _ = try folder.file(name, output.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } })
    }

    private func open(_ path: String, _ rate: Int = 10, loops: Bool = true) throws -> AnimatedPicture {
        try AnimatedPicture(folder.path(path), rate: FrameRate(rate), loops: loops) { [told] error in
            told.update { $0.append(error.description) }
        }
    }

    /// The first sample of what is shown at a time.
    private func shown(_ picture: AnimatedPicture, at time: Duration) -> UInt8? {
        picture.frame(at: time, waitingUntil: late).frame.map { samples($0.buffer, $0.layout)[3] }
    }

    @Test("shows each picture for its time, again and again, by the output's time")
    func loops() throws {
        for index in 0..<3 { try write("\(index + 7).png", UInt8(250 + index)) }
        let picture = try open("%d.png")
        picture.start()
        defer { picture.stop() }
        // Out of order: nothing depends on what was asked before.
        for (milliseconds, value) in [
            (0, 250), (99, 250), (100, 251), (299, 252), (300, 250), (86_400_000, 250), (250, 252),
        ] {
            #expect(shown(picture, at: .milliseconds(milliseconds)) == UInt8(value), "\(milliseconds)")
        }
        #expect(picture.description.layout == FrameLayout(.rgba, PixelSize(4, 3)))
        #expect(told.read { $0 } == [])
    }

    @Test("changes with the frame that is due when rates are equal", arguments: [12, 24, 30])
    func rates(_ rate: Int) throws {
        for index in 0..<5 { try write("\(index).png", UInt8(250 + index)) }
        let picture = try open("%d.png", rate)
        picture.start()
        defer { picture.stop() }
        for frame in 0..<100 {
            #expect(shown(picture, at: FrameRate(rate).offset(ofFrame: frame)) == UInt8(250 + frame % 5))
        }
    }

    @Test("stays at its end where it does not loop")
    func ends() throws {
        for index in 0..<2 { try write("\(index).png", UInt8(250 + index)) }
        let picture = try open("%d.png", loops: false)
        picture.start()
        defer { picture.stop() }
        #expect(shown(picture, at: .milliseconds(50)) == 250)
        #expect(shown(picture, at: .seconds(100)) == 251)
    }

    @Test("shows a WebP file's pictures each for its own time, or all for the time that is asked for")
    func webP() throws {
        _ = try folder.file("party.webp", TestWebP.animation)
        func check(_ rate: FrameRate?, loops: Bool = true, _ expected: [(Int, Int)]) throws {
            let picture = try AnimatedPicture(folder.path("party.webp"), rate: rate, loops: loops) { [told] error in
                told.update { $0.append(error.description) }
            }
            picture.start()
            defer { picture.stop() }
            for (milliseconds, index) in expected {
                let frame = picture.frame(at: .milliseconds(milliseconds), waitingUntil: late).frame
                #expect(frame?.info.sequence == UInt64(index), "\(milliseconds)")
            }
        }
        // 40, 250 and 100 ms.
        try check(nil, [(0, 0), (39, 0), (40, 1), (289, 1), (290, 2), (389, 2), (390, 0), (390 * 1000 + 45, 1)])
        try check(nil, loops: false, [(0, 0), (389, 2), (390, 2), (86_400_000, 2)])
        try check(FrameRate(10), [(99, 0), (100, 1), (200, 2), (300, 0)])
        #expect(told.read { $0 } == [])
        let picture = try AnimatedPicture(folder.path("party.webp"), loops: true) { _ in }
        #expect(picture.description.layout == FrameLayout(.rgba, PixelSize(4, 2)))
        #expect(picture.description.rate == FrameRate(300, per: 39))
    }

    @Test("refuses a WebP file that is cut off, and pictures that take too much memory")
    func refusesWebP() throws {
        func reason(_ bytes: [UInt8]) throws -> String? {
            let path = try folder.file("a.webp", bytes)
            return #expect(throws: SourceError.self) { try AnimatedPicture(path, loops: true) { _ in } }?.reason
        }
        #expect(try reason(Array(TestWebP.animation.dropLast(60))) == "it is damaged or cut off")
        // Three pictures of 2400 x 2400 pixels have 69 MB.
        var bytes = TestWebP.animation
        (bytes[24], bytes[25], bytes[27], bytes[28]) = (0x5f, 0x09, 0x5f, 0x09)
        #expect(
            try reason(bytes) == "its pictures take more than 64 MB once decoded: make them smaller or fewer")
    }

    @Test("takes a folder's pictures by their names, numbers by their value")
    func folders() throws {
        for (index, name) in ["a10.png", "a9.png", "b.PNG"].enumerated() { try write(name, UInt8(250 + index)) }
        _ = try folder.file("notes.txt", [1])
        #expect(
            try PictureSequence.files(folder.path("")).map { $0.split(separator: "/").last } == [
                "a9.png", "a10.png", "b.PNG",
            ])
    }

    @Test("says what is wrong with its files")
    func refuses() throws {
        func reason(_ path: String) -> String? { #expect(throws: SourceError.self) { try open(path) }?.reason }
        #expect(reason("%03d.png") == "there are no such files")
        try write("001.png", 1)
        try write("003.png", 1)
        #expect(reason("%03d.png") == "number 002 is missing between 001 and 003")
        try write("002.png", 1, PixelSize(5, 3))
        #expect(reason("%03d.png")?.hasPrefix("it is 5x3 rgba, but the first picture is 4x3 rgba") == true)
        #expect(
            reason("001.png")
                == "it is one picture; name an animated WebP file, a folder, or files such as frames/%03d.png")
        #expect(reason("none/%d.png") == "opendir: No such file or directory")
        try write("x1.png", 1, PixelSize(8193, 1))
        #expect(reason("x%d.png")?.contains("at most 8192 a side") == true)
        for index in 0..<513 { _ = try folder.file("y\(index).png", [0]) }
        #expect(reason("y%d.png") == "it has 513 pictures; an animation has at most 512")
    }

    @Test("tells of a picture that is damaged, and waits for it no longer")
    func damaged() throws {
        try write("0.png", 250)
        try write("1.png", 250)
        let bytes = try Data(contentsOf: folder.url.appendingPathComponent("1.png"))
        _ = try folder.file("1.png", Array(bytes.dropLast(30)))
        let picture = try open("%d.png")
        picture.start()
        #expect(shown(picture, at: .zero) == 250)
        let answer = picture.frame(at: .milliseconds(100), waitingUntil: late)
        picture.stop()
        #expect(answer.frame == nil && !answer.isPending)
        #expect(told.read { $0.count } == 1)
    }
}
