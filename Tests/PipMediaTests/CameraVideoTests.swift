#if Media
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture
@testable import PipMedia

@Suite("Decoding what cameras encode")
struct CameraVideoTests {
    static let size = PixelSize(320, 240)

    /// Encodes a sequence that gets lighter, and returns its access units, each with a delimiter.
    ///
    /// Every tenth picture is a key picture.
    static func units(_ coding: AnnexB, count: Int) throws -> [[UInt8]] {
        let folder = try TemporaryFolder()
        let encoder =
            coding == .h264
            ? ["libx264", "-x264-params", "aud=1:repeat-headers=1:keyint=10:bframes=0:scenecut=0"]
            : ["libx265", "-x265-params", "aud=1:repeat-headers=1:keyint=10:bframes=0:scenecut=0:log-level=none"]
        let picture = "color=black:size=\(size):rate=30,geq=lum='16+N*4':cb=128:cr=128"
        let name = coding == .h264 ? "h264" : "hevc"
        try runProgram(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", picture, "-frames:v", "\(count)", "-c:v"] + encoder
                + ["-f", name, folder.path("video")])
        return units(of: try folder.read("video"), coding)
    }

    /// Splits a byte stream before each access unit delimiter.
    private static func units(of bytes: [UInt8], _ coding: AnnexB) -> [[UInt8]] {
        let delimiter: (UInt8) -> Bool = coding == .h264 ? { $0 & 0x1f == 9 } : { $0 >> 1 & 0x3f == 35 }
        var starts: [Int] = []
        for index in 0..<max(0, bytes.count - 4) {
            let isStart = bytes[index..<index + 4].elementsEqual([0, 0, 0, 1])
            if isStart, delimiter(bytes[index + 4]) { starts.append(index) }
        }
        return zip(starts, starts.dropFirst() + [bytes.count]).map { Array(bytes[$0..<$1]) }
    }

    private static func decode(
        _ coding: AnnexB, _ units: [[UInt8]], leavingOut: Set<Int> = []
    ) throws -> (refused: [Int], pictures: [(index: Int, luma: UInt8)]) {
        let decoder = try CameraVideoDecoder(coding, size)
        defer { decoder.stop() }
        let start = MonotonicClock().now
        func time(_ index: Int) -> Timestamp { start.advanced(by: .milliseconds(33) * index) }
        var refused: [Int] = []
        var pictures: [(index: Int, luma: UInt8)] = []
        var patience = 100
        func take() {
            while case .picture(let layout, _, let memory, let moment) = decoder.next(within: .milliseconds(50)) {
                let luma = unsafe memory.bytes(ofPlane: 0)[layout.planes[0].offset + 100]
                pictures.append((units.indices.first { time($0) == moment } ?? -1, luma))
            }
        }
        for (index, unit) in units.enumerated() where !leavingOut.contains(index) {
            if unsafe !unit.withUnsafeBytes({ unsafe decoder.push($0, at: time(index)) }) { refused.append(index) }
            take()
        }
        while pictures.count < units.count - leavingOut.count - refused.count, patience > 0 {
            take()
            patience -= 1
        }
        return (refused, pictures)
    }

    @Test("every picture is decoded, and keeps its timestamp", arguments: [AnnexB.h264, .h265])
    func all(_ coding: AnnexB) throws {
        let units = try Self.units(coding, count: 25)
        try #require(units.count == 25)
        let (refused, pictures) = try Self.decode(coding, units)
        #expect(refused.isEmpty)
        #expect(pictures.map(\.index) == Array(0..<25))
        for (index, luma) in pictures { #expect(abs(Int(luma) - (16 + 4 * index)) <= 3, "picture \(index)") }
    }

    @Test("decoding begins with the first key picture", arguments: [AnnexB.h264, .h265])
    func key(_ coding: AnnexB) throws {
        let units = try Self.units(coding, count: 25)
        let keys = units.indices.filter { index in unsafe units[index].withUnsafeBytes { unsafe coding.isKey($0) } }
        #expect(keys == [0, 10, 20])
        let (refused, pictures) = try Self.decode(coding, units, leavingOut: [0])
        #expect(refused == Array(1..<10))
        #expect(pictures.map(\.index) == Array(10..<25))
    }

    @Test("decoding continues after damaged data", arguments: [AnnexB.h264, .h265])
    func damaged(_ coding: AnnexB) throws {
        var units = try Self.units(coding, count: 25)
        units[5] = Array(units[5].prefix(12)) + [UInt8](repeating: 0xa5, count: 60)
        let (_, pictures) = try Self.decode(coding, units)
        #expect(pictures.filter { $0.index >= 10 }.map(\.index) == Array(10..<25))
    }

    @Test("other formats have no decoder")
    func unknown() {
        #expect(throws: VideoDecodingError("MPG4 cannot be decoded; only H.264 and HEVC can")) {
            try CameraVideo().makeDecoder(of: FourCC("MPG4"), Self.size)
        }
    }
}
#endif
