#if Media
import PipCompose
import PipFrames

/// Draws dark pictures at 30 frames a second, and a white one at each whole second, but not at 0.
final class FlashProvider: FrameProvider {
    let format: ProvidedFormat

    init(frames: Int) {
        format = ProvidedFormat(
            layout: FrameLayout(.i420, PixelSize(64, 48)), frameRate: FrameRate(30), frameCount: frames)
    }

    func start() throws {}

    func nextFrame(into buffer: FrameBuffer, index: Int) throws -> Bool {
        guard index < format.frameCount ?? 0 else { return false }
        for plane in 0..<3 {
            let value: UInt8 = plane > 0 ? 128 : index > 0 && index % 30 == 0 ? 235 : 16
            buffer.withMutablePlane(plane, of: format.layout) { bytes, _ in
                for offset in bytes.byteOffsets { bytes.storeBytes(of: value, toByteOffset: offset, as: UInt8.self) }
            }
        }
        return true
    }

    func stop() {}

    /// Returns the times of a movie's white pictures, in seconds after its first picture.
    static func flashes(in path: String) throws -> [Double] {
        let probe = try Probe(path)
        let text = try runProgram([
            "ffmpeg", "-v", "error", "-i", path, "-vf",
            "scale=1:1:flags=area,format=gray,signalstats,metadata=print:file=-",
            "-f", "null", "-",
        ])
        let lumas = text.split(separator: "\n").filter { $0.hasPrefix("lavfi.signalstats.YAVG=") }
            .compactMap { Double($0.dropFirst(23)) }
        let times = probe.times.sorted()
        return zip(times, lumas).filter { $0.1 > 128 }.map { $0.0 - (times.first ?? 0) }
    }
}
#endif
