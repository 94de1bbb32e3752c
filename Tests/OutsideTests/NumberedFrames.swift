import PipCompose

/// Frames that show their number as sixteen black or white bars, one for each bit, the lowest bit at the left.
enum NumberedFrames {
    static let size = PixelSize(64, 48)
    static let rate = FrameRate(25)
    private static let barWidth = size.width / 16

    /// The luma of a column in a frame.
    static func luma(_ column: Int, of number: Int) -> UInt8 { number >> (column / barWidth) & 1 == 0 ? 16 : 235 }

    /// The number that a row of luma samples shows, at any width.
    static func number(width: Int, _ luma: (Int) -> UInt8) -> Int {
        (0..<16).reduce(0) { $0 | (luma((2 * $1 + 1) * width / 32) > 128 ? 1 << $1 : 0) }
    }
}

/// A user-defined source of numbered frames, which can end or fail at a given frame.
final class NumberedSource: FrameProvider {
    struct Trouble: Error, CustomStringConvertible { let description = "the cable is loose" }

    let format = ProvidedFormat(
        layout: FrameLayout(.nv12, NumberedFrames.size), frameRate: NumberedFrames.rate)
    private let count: Int
    private let failsAt: Int?

    init(count: Int = .max, failsAt: Int? = nil) {
        self.count = count
        self.failsAt = failsAt
    }

    func start() throws {}

    func nextFrame(into buffer: FrameBuffer, index: Int) throws -> Bool {
        if index == failsAt { throw Trouble() }
        guard index < count else { return false }
        buffer.withMutablePlane(0, of: format.layout) { bytes, plane in
            for offset in 0..<bytes.byteCount {
                let luma = NumberedFrames.luma(min(offset % plane.strideInBytes, 63), of: index)
                bytes.storeBytes(of: luma, toByteOffset: offset, as: UInt8.self)
            }
        }
        buffer.withMutablePlane(1, of: format.layout) { bytes, _ in
            for offset in 0..<bytes.byteCount { bytes.storeBytes(of: 128, toByteOffset: offset, as: UInt8.self) }
        }
        return true
    }

    func stop() {}
}
