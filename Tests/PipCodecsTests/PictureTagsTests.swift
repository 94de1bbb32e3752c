import PipFrames
import Testing

@testable import PipCodecs

@Suite("Tags of pictures")
struct PictureTagsTests {
    private let tags = PictureTags(
        time: PictureTags.CaptureTime(local: "2026:11:23 05:17:30", offset: "+01:00", milliseconds: 42),
        camera: "Kamera für vorn", software: "pip-compose", size: PixelSize(1280, 720))

    /// The entries of a little-endian TIFF directory, keyed by tag.
    private func entries(of tiff: [UInt8], at offset: Int) -> [Int: [UInt8]] {
        func number(_ place: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(tiff[place + $1]) << (8 * $1) }
        }
        var found: [Int: [UInt8]] = [:]
        for index in 0..<number(offset, 2) {
            let entry = offset + 2 + 12 * index
            let size = [1: 1, 2: 1, 3: 2, 4: 4, 7: 1][number(entry + 2, 2), default: 0] * number(entry + 4, 4)
            let place = size <= 4 ? entry + 8 : number(entry + 8, 4)
            found[number(entry, 2)] = Array(tiff[place..<place + size])
        }
        return found
    }

    @Test("each tag is found where its directory says")
    func directories() throws {
        let tiff = tags.tiff
        #expect(Array(tiff.prefix(8)) == [0x49, 0x49, 42, 0, 8, 0, 0, 0])
        let first = entries(of: tiff, at: 8)
        #expect(first[0x0110] == Array("Kamera für vorn".utf8) + [0])
        #expect(first[0x0131] == Array("pip-compose".utf8) + [0])
        #expect(first[0x0132] == Array("2026:11:23 05:17:30".utf8) + [0])
        let pointer = try #require(first[0x8769])
        let second = entries(of: tiff, at: Int(pointer[0]) | Int(pointer[1]) << 8)
        #expect(second[0x9003] == first[0x0132])
        #expect(second[0x9011] == Array("+01:00".utf8) + [0])
        #expect(second[0x9291] == Array("042".utf8) + [0])
        #expect(second[0xa002] == [0, 5, 0, 0])
        #expect(second[0xa003] == [0xd0, 2, 0, 0])
    }

    @Test("a picture with tags is read as before, upright")
    func picture() throws {
        let picture: [UInt8] = [0xff, 0xd8, 0xff, 0xfe, 0, 4, 1, 2]
        let tagged = tags.inserted(intoJPEG: picture)
        #expect(tagged.prefix(4) == [0xff, 0xd8, 0xff, 0xe1])
        #expect(tagged.suffix(6) == picture.dropFirst(2))
        #expect(Int(tagged[4]) << 8 | Int(tagged[5]) == tags.tiff.count + 8)
        let orientation = tags.tiff.withBytes { EXIF.orientation(ofTIFF: $0) }
        #expect(orientation == .identity)
    }

    @Test("a name that is too long for a segment is cut")
    func longName() {
        var tags = tags
        tags.camera = String(repeating: "x", count: 100_000)
        #expect(tags.tiff.count < 2000)
    }
}
