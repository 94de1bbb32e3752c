#if Media
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCompose
@testable import PipMedia

@Suite("Raw formats of cameras in their files")
struct CameraFormatTests {
    /// The test colour: Y 120, Cb 90, Cr 170 in limited range.
    private static let (luma, blue, red): (UInt8, UInt8, UInt8) = (120, 90, 170)
    private static let rgb: [UInt8] = [188, 102, 44]

    /// The bytes of a picture of the test colour.
    private static func picture(_ format: PixelFormat, _ size: PixelSize) -> [UInt8] {
        let area = size.area
        func rows(_ bytes: [UInt8], _ count: Int) -> [UInt8] { (0..<count).flatMap { _ in bytes } }
        let plane = rows([luma], area)
        func pixel(_ order: String) -> [UInt8] {
            order.map { $0 == "R" ? rgb[0] : $0 == "G" ? rgb[1] : $0 == "B" ? rgb[2] : 255 }
        }
        return switch format {
        case .nv12: plane + rows([blue, red], area / 4)
        case .nv21: plane + rows([red, blue], area / 4)
        case .nv16: plane + rows([blue, red], area / 2)
        case .i420: plane + rows([blue], area / 4) + rows([red], area / 4)
        case .yv12: plane + rows([red], area / 4) + rows([blue], area / 4)
        case .yuyv: rows([luma, blue, luma, red], area / 2)
        case .uyvy: rows([blue, luma, red, luma], area / 2)
        case .yvyu: rows([luma, red, luma, blue], area / 2)
        case .vyuy: rows([red, luma, blue, luma], area / 2)
        case .gray: plane
        case .rgb24: rows(pixel("RGB"), area)
        case .bgr24: rows(pixel("BGR"), area)
        case .rgba, .rgbx: rows(pixel("RGBA"), area)
        case .bgra, .bgrx: rows(pixel("BGRA"), area)
        case .argb, .xrgb: rows(pixel("ARGB"), area)
        case .abgr, .xbgr: rows(pixel("ABGR"), area)
        }
    }

    @Test("each format is recorded with its colours", arguments: PixelFormat.allCases.filter { $0 != .gray })
    func colours(_ format: PixelFormat) async throws {
        let rig = try RecordingRig(format.fourCC.description)
        let output =
            rig.camera --> CameraFile(rig.folder.path("a.mkv"), encoding: VideoEncoding(rate: .quality(95)))
        _ = try await rig.run { _ in
            for _ in 0..<4 {
                _ = rig.deliver([FakeFrame(.data(Self.picture(format, RecordingRig.size)))])
            }
        }
        #expect(output.statistics.written == 4, "\(output.statistics)")
        let probe = try Probe(rig.folder.path("a.mkv"))
        #expect(probe.fields["color_range"] == "tv", "\(probe.fields)")
        try runProgram([
            "ffmpeg", "-v", "error", "-i", rig.folder.path("a.mkv"), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt",
            "yuv420p", rig.folder.path("a.i420"),
        ])
        let bytes = try rig.folder.read("a.i420")
        let area = RecordingRig.size.area
        let shown = [bytes[area / 2 + 32], bytes[area + area / 8 + 16], bytes[area * 5 / 4 + area / 8 + 16]].map {
            Int($0)
        }
        let wanted = [Int(Self.luma), Int(Self.blue), Int(Self.red)]
        #expect(zip(shown, wanted).allSatisfy { abs($0 - $1) <= 3 }, "\(shown), \(wanted)")
    }

    /// The V4L2 quantizations for limited and full range, FFmpeg's name of the range, and the expected code for grey
    /// 200.
    static let ranges: [(quantization: UInt32, range: String, grey: Int)] = [(2, "tv", 214), (1, "pc", 200)]

    @Test("grey and luma keep their range", arguments: ["GREY", "YUYV", "NV12"], ranges)
    func range(_ format: String, _ wanted: (quantization: UInt32, range: String, grey: Int)) async throws {
        let rig = try RecordingRig(format)
        rig.kernel.change(RecordingRig.path) { $0.quantization = wanted.quantization }
        rig.camera --> CameraFile(rig.folder.path("a.mp4"), encoding: VideoEncoding(rate: .quality(95)))
        let rows = [UInt8](repeating: 128, count: 64 * 24)
        let bytes =
            switch format {
            case "YUYV": (0..<64 * 24).flatMap { _ in [200, 128, 200, 128] as [UInt8] }
            case "NV12": [UInt8](repeating: 200, count: 64 * 48) + rows
            default: [UInt8](repeating: 200, count: 64 * 48)
            }
        _ = try await rig.run { _ in for _ in 0..<4 { _ = rig.deliver([FakeFrame(.data(bytes))]) } }
        #expect(try Probe(rig.folder.path("a.mp4")).fields["color_range"] == wanted.range)
        try runProgram([
            "ffmpeg", "-v", "error", "-i", rig.folder.path("a.mp4"), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt",
            "rgb24", rig.folder.path("a.rgb"),
        ])
        let pixel = try rig.folder.read("a.rgb").dropFirst(64 * 24 * 3 + 96).prefix(3).map { Int($0) }
        #expect(pixel.allSatisfy { abs($0 - wanted.grey) <= 3 }, "\(pixel)")
    }
}
#endif
